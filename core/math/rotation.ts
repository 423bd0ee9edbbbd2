/** Rotation vectors φ n, rad, and their quaternions. */

import { atan2, cos, sin } from './elementary'
import type { Quat } from './quaternion'
import { dot, length, scale, type Vec3 } from './vector'

/** The unit quaternion of a rotation by `share` × θ. */
export function rotationQuaternion(theta: Vec3, share = 1): Quat {
  const angle = length(theta) * share
  const s = angle === 0 ? share / 2 : share * sin(angle / 2) / angle
  return [s * theta[0], s * theta[1], s * theta[2], cos(angle / 2)]
}

/** φ n of a unit quaternion, φ in [0, π]. */
export function rotationVector(q: Quat): Vec3 {
  const sign = q[3] < 0 ? -1 : 1
  const v: Vec3 = [sign * q[0], sign * q[1], sign * q[2]]
  const sine = Math.sqrt(dot(v, v))
  return scale(v, sine > 0 ? (2 * atan2(sine, sign * q[3])) / sine : 2)
}
