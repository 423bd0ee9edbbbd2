/** Axis-aligned boxes around rigid shapes, in the frames of their carriers. */

import type { Primitive } from '../../geometry/shape'
import type { Pose } from '../../math/pose'
import { toMatrix } from '../../math/quaternion'
import type { Vec3 } from '../../math/vector'

/** m: least, then greatest coordinates. */
export function boxOf(primitive: Primitive, pose: Pose): number[] {
  const R = toMatrix(pose.orientation)
  const edge = (axis: number, sign: 1 | -1): number => {
    const direction: Vec3 = [sign * R[3 * axis]!, sign * R[3 * axis + 1]!, sign * R[3 * axis + 2]!]
    const [x, y, z] = primitive.support(direction)
    return pose.position[axis]! + R[3 * axis]! * x + R[3 * axis + 1]! * y + R[3 * axis + 2]! * z
  }
  return [edge(0, -1), edge(1, -1), edge(2, -1), edge(0, 1), edge(1, 1), edge(2, 1)]
}

/** m: distance of a point from the box at `b`; 0 inside. */
export function distanceToBox(boxes: ArrayLike<number>, b: number, x: number, y: number, z: number): number {
  const dx = Math.max(boxes[b]! - x, 0, x - boxes[b + 3]!)
  const dy = Math.max(boxes[b + 1]! - y, 0, y - boxes[b + 4]!)
  const dz = Math.max(boxes[b + 2]! - z, 0, z - boxes[b + 5]!)
  return Math.sqrt(dx * dx + dy * dy + dz * dz)
}
