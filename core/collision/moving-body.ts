/** A colliding solid in motion, with bounds of its motion over an interval of time. */

import type { BodyMotion } from '../geometry/motion'
import type { Primitive } from '../geometry/shape'
import { toOuter, type Pose } from '../math/pose'
import { distance } from '../math/vector'

/** Upper bounds over an interval of time; Infinity if unknown. */
export interface MotionBounds {
  /** Of the centre of mass, m/s and m/s². */
  readonly speed: number
  readonly acceleration: number
  /** rad/s and rad/s². */
  readonly angularSpeed: number
  readonly angularAcceleration: number
}

export interface MovingBody {
  motionAt(time: number): BodyMotion
  /** Over the requested interval. */
  readonly bounds: MotionBounds
  /** The colliding solid, with its pose in the body frame. */
  readonly primitive: Primitive
  readonly pose: Pose
}

/** A moving body with the largest distance of a point of its solid's core from the centre of mass, m. */
export type Reaching = MovingBody & { readonly radius: number }

export function reaching(body: MovingBody, time: number): Reaching {
  const { center, pose } = body.motionAt(time)
  return {
    motionAt: at => body.motionAt(at), bounds: body.bounds, primitive: body.primitive, pose: body.pose,
    radius: distance(toOuter(pose, body.pose.position), center) + body.primitive.coreRadius,
  }
}

export const AT_REST: MotionBounds = { speed: 0, acceleration: 0, angularSpeed: 0, angularAcceleration: 0 }
