/** Pose and velocity of a body at one instant, in the world frame. */

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

/** Velocity of the body's material point at the world position `point`, m/s. */
export function velocityAt(motion: BodyMotion, point: Vec3): Vec3 {
  return add(motion.velocity, cross(motion.angularVelocity, sub(point, motion.center)))
}

/** v_A(p) − v_B(p) at the world position `point`, m/s. */
export function relativeVelocityAt(a: BodyMotion, b: BodyMotion, point: Vec3): Vec3 {
  const { velocity: v, angularVelocity: w, center: c } = a
  const { velocity: u, angularVelocity: s, center: d } = b
  const x = point[0] - c[0]
  const y = point[1] - c[1]
  const z = point[2] - c[2]
  const p = point[0] - d[0]
  const q = point[1] - d[1]
  const r = point[2] - d[2]
  return [
    v[0] + (w[1] * z - w[2] * y) - (u[0] + (s[1] * r - s[2] * q)),
    v[1] + (w[2] * x - w[0] * z) - (u[1] + (s[2] * p - s[0] * r)),
    v[2] + (w[0] * y - w[1] * x) - (u[2] + (s[0] * q - s[1] * p)),
  ]
}
