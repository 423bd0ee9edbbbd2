/** A rigid placement: first turn by `orientation`, then shift by `position`. */

import { conjugate, IDENTITY_ROTATION, multiplyQuaternions, rotate, rotateInverse, type Quat } from './quaternion'
import { add, sub, ZERO, type Vec3 } from './vector'

export interface Pose {
  /** m, in the outer frame. */
  readonly position: Vec3
  readonly orientation: Quat
}

export const IDENTITY_POSE: Pose = { position: ZERO, orientation: IDENTITY_ROTATION }

/** A point of the inner frame, seen from the outer one. */
export function toOuter(pose: Pose, point: Vec3): Vec3 {
  return add(pose.position, rotate(pose.orientation, point))
}

/** A point of the outer frame, seen from the inner one. */
export function toInner(pose: Pose, point: Vec3): Vec3 {
  return rotateInverse(pose.orientation, sub(point, pose.position))
}

/** `outer ∘ inner`: the pose of a frame given in a frame given by `outer`. */
export function composePoses(outer: Pose, inner: Pose): Pose {
  return { position: toOuter(outer, inner.position), orientation: multiplyQuaternions(outer.orientation, inner.orientation) }
}

/** `outer⁻¹ ∘ pose`: a pose of the world, seen from the frame that `outer` gives. */
export function relativePose(outer: Pose, pose: Pose): Pose {
  return { position: toInner(outer, pose.position), orientation: multiplyQuaternions(conjugate(outer.orientation), pose.orientation) }
}
