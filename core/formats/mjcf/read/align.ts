/**
 * The frame that MuJoCo gives a free body with `align`: at the centre of mass, along the principal axes in order of decreasing moments. Keyframe
 * velocities are expressed in it, so the axes must equal MuJoCo's: each of its Jacobi rotations eliminates the largest off-diagonal element.
 */

import { turnInertia } from '../../../geometry/mass-properties'
import type { BodyMass } from '../../../geometry/mass'
import { multiply, transpose, type Mat3 } from '../../../math/matrix'
import { toInner, type Pose } from '../../../math/pose'
import { conjugate, multiplyQuaternions, normalizeQuaternion, toMatrix, type Quat } from '../../../math/quaternion'
import { ZERO } from '../../../math/vector'
import { NO_TURN } from '../../shared/rotations'

const SMALL = 1e-12

export interface AlignedFrame {
  /** Pose of the new frame in the old one. */
  readonly shift: Pose
  readonly inverse: Pose
  /** In the new frame. */
  readonly mass: BodyMass
}

export function alignedFrame({ mass, centerOfMass, inertia }: BodyMass): AlignedFrame {
  const axes = principalAxes(inertia)
  const shift = { position: centerOfMass, orientation: axes }
  const inverse = { position: toInner(shift, ZERO), orientation: conjugate(axes) }
  return { shift, inverse, mass: { mass, centerOfMass: ZERO, inertia: turnInertia(transpose(toMatrix(axes)), inertia) } }
}

/** Rotation of x, y, z to the principal axes, the largest moment first. */
function principalAxes(inertia: Mat3): Quat {
  let q = NO_TURN
  const turned = (): Mat3 => {
    const R = toMatrix(q)
    return multiply(transpose(R), multiply(inertia, R))
  }
  for (let k = 0; k < 500; k++) {
    const D = turned()
    const [xy, xz, yz] = [Math.abs(D[1]), Math.abs(D[2]), Math.abs(D[5])]
    const [row, column, about] = xy > xz && xy > yz ? [0, 1, 2] as const : xz > yz ? [0, 2, 1] as const : [1, 2, 0] as const
    const product = D[3 * row + column]!
    if (Math.abs(product) < SMALL) break
    const tau = (D[4 * column]! - D[4 * row]!) / (2 * product)
    const t = tau >= 0 ? 1 / (tau + Math.sqrt(1 + tau * tau)) : -1 / (-tau + Math.sqrt(1 + tau * tau))
    const c = 1 / Math.sqrt(1 + t * t)
    if (c > 1 - SMALL) break
    let half = (tau >= 0 ? -1 : 1) * Math.sqrt(0.5 - 0.5 * c)
    if (about === 1) half = -half
    q = normalizeQuaternion(multiplyQuaternions(q, turnAbout(about, half)))
  }
  // Sorts moments in decreasing order by exchanges of neighbours: a quarter turn about the third axis each.
  for (const lead of [0, 1, 0]) {
    const D = turned()
    if (D[4 * lead]! + 1e-15 >= D[4 * (lead + 1)]!) continue
    q = normalizeQuaternion(multiplyQuaternions(q, turnAbout(((lead + 2) % 3) as 0 | 1 | 2, Math.sqrt(0.5))))
  }
  return q
}

function turnAbout(axis: 0 | 1 | 2, half: number): Quat {
  const q = [0, 0, 0, Math.sqrt(1 - half * half)]
  q[axis] = half
  return q as unknown as Quat
}

