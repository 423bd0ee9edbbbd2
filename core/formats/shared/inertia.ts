/** Conversions of inertia: components, or principal moments with the rotation of their axes, always about the centre of mass. */

import { combineMass, type BodyMass } from '../../geometry/mass'
import { parallelAxis, turnInertia } from '../../geometry/mass-properties'
import { addMatrices, multiply, symmetric, transpose, type Mat3 } from '../../math/matrix'
import type { Pose } from '../../math/pose'
import { toOuter } from '../../math/pose'
import { fromMatrix, toMatrix, type Quat } from '../../math/quaternion'
import { addScaled, scale, sub, ZERO, type Vec3 } from '../../math/vector'
import type { InertiaComponents } from '../../scene'

export { combineMass, type BodyMass }

/** xx, yy, zz, xy, xz, yz, as the scene writes it. */
export function componentsOf(I: Mat3): InertiaComponents {
  return [I[0], I[4], I[8], I[1], I[2], I[5]]
}

export function fromPrincipal(moments: Vec3, axes: Quat): Mat3 {
  return turnInertia(toMatrix(axes), symmetric(moments[0], moments[1], moments[2], 0, 0, 0))
}

export interface PrincipalInertia {
  readonly moments: Vec3
  /** Rotation of x, y, z to the axes of the three moments. */
  readonly axes: Quat
}

/** Cyclic Jacobi rotations; a diagonal tensor keeps its order of axes. */
export function principalInertia(I: Mat3): PrincipalInertia {
  let m = I
  let turn: Mat3 = [1, 0, 0, 0, 1, 0, 0, 0, 1]
  for (let sweep = 0; sweep < 50; sweep++) {
    if (m[1] === 0 && m[2] === 0 && m[5] === 0) break
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]] as const) {
      const product = m[3 * p + q]!
      if (Math.abs(product) <= 1e-300) continue
      const theta = (m[4 * q]! - m[4 * p]!) / (2 * product)
      const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
      const c = 1 / Math.sqrt(t * t + 1)
      const s = t * c
      const rotation = [1, 0, 0, 0, 1, 0, 0, 0, 1]
      rotation[4 * p] = rotation[4 * q] = c
      rotation[3 * p + q] = s
      rotation[3 * q + p] = -s
      const r = rotation as unknown as Mat3
      const next = [...multiply(transpose(r), multiply(m, r))]
      // Zero by construction; a rounding residue would prevent termination.
      next[3 * p + q] = next[3 * q + p] = 0
      m = next as unknown as Mat3
      turn = multiply(turn, r)
    }
  }
  return { moments: [m[0], m[4], m[8]], axes: fromMatrix(turn) }
}

/** Transforms a body's mass properties from an inner frame to the outer one. */
export function moveMass(pose: Pose, { mass, centerOfMass, inertia }: BodyMass): BodyMass {
  return { mass, centerOfMass: toOuter(pose, centerOfMass), inertia: turnInertia(toMatrix(pose.orientation), inertia) }
}

/** Sum of the mass properties of rigidly connected bodies, all in the same frame. */
export function addMasses(masses: readonly BodyMass[]): BodyMass {
  const mass = masses.reduce((sum, one) => sum + one.mass, 0)
  const moment = masses.reduce<Vec3>((sum, one) => addScaled(sum, one.centerOfMass, one.mass), ZERO)
  const centerOfMass = mass > 0 ? scale(moment, 1 / mass) : masses[0]?.centerOfMass ?? ZERO
  let inertia: Mat3 = [0, 0, 0, 0, 0, 0, 0, 0, 0]
  for (const one of masses) {
    inertia = addMatrices(inertia, addMatrices(one.inertia, parallelAxis(one.mass, sub(one.centerOfMass, centerOfMass))))
  }
  return { mass, centerOfMass, inertia }
}

/** Least mass and moment of a dynamic body: far below real ones, with a relative effect of about 1e-9 on the motion of neighbours. */
export const MIN_MASS = 1e-9
export const MIN_INERTIA = 1e-9

/** Relative rounding error allowed in a written tensor, × its trace, as in the scene's validation. */
const ROUNDING = 1e-6

export interface ValidMass {
  readonly mass: BodyMass
  /** One sentence for each change. */
  readonly changes: readonly string[]
}

/** The nearest valid mass properties: positive, with principal moments that satisfy A + B ≥ C. */
export function validMass(given: BodyMass): ValidMass {
  const changes: string[] = []
  const mass = given.mass >= MIN_MASS ? given.mass : MIN_MASS
  if (mass !== given.mass) changes.push(`a mass of ${MIN_MASS} kg`)
  const { moments, axes } = principalInertia(given.inertia)
  const trace = moments[0] + moments[1] + moments[2]
  const floored = moments.map(moment => moment > 0 ? moment : MIN_INERTIA)
  const [a, b, c] = [...floored].sort((x, y) => x - y) as [number, number, number]
  let sound = floored
  if (a + b < c * (1 - ROUNDING)) {
    // Increases the smaller moments to the limit of validity, and keeps the largest, which dominates the rotation of such bodies.
    const share = c / (a + b)
    sound = floored.map(moment => moment === c ? moment : moment * share)
  }
  if (sound.every((moment, i) => moment === moments[i])) return { mass: { ...given, mass }, changes }
  if (trace > 0 && moments.every(moment => moment > 0)) changes.push('principal moments enlarged until A + B ≥ C')
  else changes.push(`principal moments of at least ${MIN_INERTIA} kg m²`)
  return { mass: { mass, centerOfMass: given.centerOfMass, inertia: fromPrincipal(sound as unknown as Vec3, axes) }, changes }
}
