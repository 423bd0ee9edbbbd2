/** B's pose relative to A, for the narrow phase: rounding is proportional to the distance of the bodies, not to their distance from the origin. */

import { multiply, transform, transformTransposed, transpose, type Mat3 } from '../math/matrix'
import type { Pose } from '../math/pose'
import { toMatrix } from '../math/quaternion'
import { add, sub, type Vec3 } from '../math/vector'

export interface RelativePose {
  /** Rotates vectors from B's frame to A's. */
  readonly rotation: Mat3
  /** B's origin in A's frame, m. */
  readonly position: Vec3
}

export function relativePose(a: Pose, b: Pose): RelativePose {
  const rotationA = toMatrix(a.orientation)
  return {
    rotation: multiply(transpose(rotationA), toMatrix(b.orientation)),
    position: transformTransposed(rotationA, sub(b.position, a.position)),
  }
}

/** A point of B's frame, in A's frame. */
export function pointToA(relative: RelativePose, point: Vec3): Vec3 {
  return add(relative.position, transform(relative.rotation, point))
}
