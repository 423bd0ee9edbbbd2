/**
 * Particles that are fixed to points of bodies.
 *
 * On bodies that nothing moves a particle is held: it is where the body is. On a dynamic one it moves freely in the implicit step, and takes along the inertia
 * that the body shows at that point, K⁻¹ with K = 1/m − [r]ₓ I⁻¹ [r]ₓ, shared out equally between all that hang on the body. For one point that is exact; of
 * several each knows nothing of how the others turn the body, and their forces lag behind its turning by a step. It feels
 * the acceleration that the body had in its last step by all else (weight, contacts, joints), so that what the body stands on is reckoned with. What the
 * particle's velocity changes beyond that is the impulse on the body, which its next step gets as a force: momentum is that of the whole. After that step the
 * particle is put where the body is.
 */

import type { World } from '../../contact/world'
import type { BodyMotion } from '../../geometry/motion'
import { velocityAt } from '../../geometry/motion'
import { bodyPoint } from '../../dynamics/forces/targets'
import { diagonal, inverse, transform, type Mat3 } from '../../math/matrix'
import { addScaled, cross, sub, ZERO, type Vec3 } from '../../math/vector'
import { WORLD_MOTION } from '../../dynamics/joints/frame'

export interface AttachedPoint {
  readonly deformable: number
  readonly particle: number
  readonly body: number
  /** In the body frame. */
  readonly point: Vec3
  readonly dynamic: boolean
  /** kg: its share of the body's in the step under way. */
  inertia: Mat3
  /** m/s²: of the body's point by all but deformables, likewise. */
  acceleration: Vec3
}

const NOTHING = diagonal(0, 0, 0)

export function attachedPoints({ deformables, bodies }: World): AttachedPoint[] {
  return deformables!.list.flatMap(({ attachments, pins }, deformable) => [
    ...[...pins].map((particle): AttachedPoint => ({ deformable, particle, body: -1, point: pointOf(deformables!.position, particle), dynamic: false,
      inertia: NOTHING, acceleration: ZERO })),
    ...attachments.map(({ particles, body, point }): AttachedPoint => ({
      deformable, particle: particles[0]!, body, point, dynamic: body >= 0 && bodies[body]!.type === 'dynamic', inertia: NOTHING, acceleration: ZERO,
    })),
  ])
}

export function pointOf(x: Float64Array, particle: number): Vec3 {
  return [x[3 * particle]!, x[3 * particle + 1]!, x[3 * particle + 2]!]
}

/** Where a point is, m, and how it moves, m/s, with its body. */
export function placeOf({ body, point }: AttachedPoint, motions: readonly BodyMotion[]): { readonly position: Vec3; readonly velocity: Vec3 } {
  const motion = body < 0 ? WORLD_MOTION : motions[body]!
  const position = bodyPoint(motion, point)
  return { position, velocity: velocityAt(motion, position) }
}

/**
 * K⁻¹, kg, with K = 1/m − [r]ₓ I⁻¹ [r]ₓ: what a point at r from the centre of mass weighs in each direction. @param inverseInertia world axes, row-major from
 * `at`
 */
export function inertiaAt(r: Vec3, inverseMass: number, inverseInertia: Float64Array, at: number): Mat3 {
  const columns = ([[1, 0, 0], [0, 1, 0], [0, 0, 1]] as const).map(axis => {
    const moment = cross(r, axis)
    const turn = transform(inverseInertia.subarray(at, at + 9) as unknown as Mat3, moment)
    return addScaled(cross(turn, r), axis, inverseMass)
  })
  return inverse([0, 1, 2].flatMap(i => columns.map(column => column[i]!)) as unknown as Mat3)
}

/** Wrench of a force at a point about a body's centre of mass, added to 6 doubles. */
export function addWrench(out: Float64Array, at: number, center: Vec3, point: Vec3, force: Vec3): void {
  const torque = cross(sub(point, center), force)
  for (let k = 0; k < 3; k++) {
    out[at + k] = out[at + k]! + force[k]!
    out[at + 3 + k] = out[at + 3 + k]! + torque[k]!
  }
}
