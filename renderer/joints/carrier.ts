/** Frames of joints, given at the poses where they are written, carried along with the bodies. */

import { toInner, toOuter, type Pose } from '../../core/math/pose'
import { rotate, rotateInverse } from '../../core/math/quaternion'
import type { Vec3 } from '../../core/math/vector'

/** How such a frame has moved: with one of the bodies, or not at all with the world. */
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
