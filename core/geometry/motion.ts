/** Where a body is and how it moves at one instant, in the world frame. */

import type { Mat3 } from '../math/matrix'
import type { Pose } from '../math/pose'
import { add, cross, sub, type Vec3 } from '../math/vector'

export interface BodyMotion {
  /** Of the body frame. */
  readonly pose: Pose
  /** Of the body frame, the matrix of `pose.orientation`. */
  readonly rotation: Mat3
  /** Centre of mass, m. */
  readonly center: Vec3
  /** Of the centre of mass, m/s. */
  readonly velocity: Vec3
  /** rad/s */
  readonly angularVelocity: Vec3
}

/** Velocity of the body's material point that is now at `point`, m/s. */
export function velocityAt(motion: BodyMotion, point: Vec3): Vec3 {
  return add(motion.velocity, cross(motion.angularVelocity, sub(point, motion.center)))
}
