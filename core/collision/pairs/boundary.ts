import { rotateInverse } from '../../math/quaternion'
import type { Pose } from '../../math/pose'
import { add, dot, sub, type Vec3 } from '../../math/vector'
import { rotate } from '../../math/quaternion'

/** One side of a feature's domain: inside where `normal · x ≥ offset`, in the body frame of B. */
export interface BoundaryPlane {
  readonly normal: Vec3
  readonly offset: number
}

/** A point of body A in the frame of body B, subtracting the large coordinates first. */
export function pointInOther(a: Pose, point: Vec3, b: Pose): Vec3 {
  return rotateInverse(b.orientation, add(sub(a.position, b.position), rotate(a.orientation, point)))
}

/** Distance of a point inside all planes to the nearest of them, m; negative outside; Infinity without planes. */
export function insideBy(planes: readonly BoundaryPlane[], point: Vec3): number {
  let inside = Infinity
  for (const plane of planes) {
    inside = Math.min(inside, dot(plane.normal, point) - plane.offset)
  }
  return inside
}
