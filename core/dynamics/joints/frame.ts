/** Attachment of joints: converts points and directions of the world at the initial pose to points and directions of the bodies. */

import type { BodyMotion } from '../../geometry/motion'
import { IDENTITY, transform, transformTransposed } from '../../math/matrix'
import { IDENTITY_POSE } from '../../math/pose'
import { add, cross, length, normalize, perpendicular, sub, ZERO, type Vec3 } from '../../math/vector'

/** Body −1 of a joint: at rest, identity pose. */
export const WORLD_MOTION: BodyMotion = {
  pose: IDENTITY_POSE, rotation: IDENTITY, center: ZERO, velocity: ZERO, angularVelocity: ZERO,
}

/** Input common to every joint between two bodies. */
export interface Joined {
  readonly id: string
  /** Indices of bodies; −1 is the world. */
  readonly bodyA: number
  readonly bodyB: number
  /** Motions at the initial pose, at which anchors and axes are given; `WORLD_MOTION` for the world. */
  readonly initialA: BodyMotion
  readonly initialB: BodyMotion
}

/** In body axes, m from the centre of mass. */
export function attachPoint(motion: BodyMotion, world: Vec3): Vec3 {
  return transformTransposed(motion.rotation, sub(world, motion.center))
}

/** In body axes. */
export function attachDirection(motion: BodyMotion, world: Vec3): Vec3 {
  return transformTransposed(motion.rotation, world)
}

/** World position of a point attached in body axes from the centre of mass. */
export function pointOf(motion: BodyMotion, local: Vec3): Vec3 {
  return add(motion.center, transform(motion.rotation, local))
}

/** @throws RangeError naming the joint where the direction has no length. */
export function unitDirection(id: string, what: string, direction: Vec3): Vec3 {
  if (!(length(direction) > 0)) throw new RangeError(`joint "${id}": its ${what} has no direction`)
  return normalize(direction)
}

/** A right-handed orthonormal basis (b₁, b₂, axis). */
export function basisAbout(axis: Vec3): readonly [Vec3, Vec3, Vec3] {
  const b1 = perpendicular(axis)
  return [b1, cross(axis, b1), axis]
}
