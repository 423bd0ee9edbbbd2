/** A rigid transformation: rotation by `orientation`, then translation by `position`. */

import { conjugate, IDENTITY_ROTATION, multiplyQuaternions, rotate, rotateInverse, type Quat } from './quaternion'
import { add, sub, ZERO, type Vec3 } from './vector'

export interface Pose {
  /** m, in the outer frame. */
  readonly position: Vec3
  readonly orientation: Quat
}

export const IDENTITY_POSE: Pose = { position: ZERO, orientation: IDENTITY_ROTATION }

/** Transforms a point of the inner frame to the outer frame. */
export function toOuter(pose: Pose, point: Vec3): Vec3 {
  return add(pose.position, rotate(pose.orientation, point))
}

/** Transforms a point of the outer frame to the inner frame. */
export function toInner(pose: Pose, point: Vec3): Vec3 {
  return rotateInverse(pose.orientation, sub(point, pose.position))
}

/** `outer ∘ inner`: the pose of a frame that is given relative to `outer`. */
export function composePoses(outer: Pose, inner: Pose): Pose {
  return { position: toOuter(outer, inner.position), orientation: multiplyQuaternions(outer.orientation, inner.orientation) }
}

/** `outer⁻¹ ∘ pose`: a world pose relative to the frame `outer`. */
export function relativePose(outer: Pose, pose: Pose): Pose {
  return { position: toInner(outer, pose.position), orientation: multiplyQuaternions(conjugate(outer.orientation), pose.orientation) }
}
