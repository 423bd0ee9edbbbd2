/** Joint frames, defined at given body poses, moved along with the bodies. */

import { toInner, toOuter, type Pose } from '../../core/math/pose'
import { rotate, rotateInverse } from '../../core/math/quaternion'
import type { Vec3 } from '../../core/math/vector'

/** Motion of such a frame with a body, or none for the world. */
export interface Carrier {
  /** Index of the body; −1 for the world. */
  readonly body: number
  readonly initial: Pose
  readonly now: Pose
}

export function carryPoint(carrier: Carrier, point: Vec3): Vec3 {
  return toOuter(carrier.now, toInner(carrier.initial, point))
}

export function carryDirection(carrier: Carrier, direction: Vec3): Vec3 {
  return rotate(carrier.now.orientation, rotateInverse(carrier.initial.orientation, direction))
}
