/** Notations for rotations. Quaternions of the scene are [x, y, z, w]. */

import { atan2, cos, sin } from '../../math/elementary'
import { fromMatrix, IDENTITY_ROTATION, multiplyQuaternions, normalizeQuaternion, rotate, rotateInverse, toMatrix, type Quat } from '../../math/quaternion'
import type { Pose } from '../../math/pose'
import { cross, dot, length, normalize, perpendicular, scale, sub, type Vec3 } from '../../math/vector'

/** The scene's quaternion in the order w, x, y, z. */
export const wxyz = ([x, y, z, w]: Quat): readonly [number, number, number, number] => [w, x, y, z]

/** From the order w, x, y, z, normalised; null if all are 0. */
export function fromWxyz([w, x, y, z]: readonly number[]): Quat | null {
  return unit([x!, y!, z!, w!])
}

/** Normalises a quaternion; one of unit length up to rounding is returned unchanged. Null if it is 0. */
export function unit(q: Quat): Quat | null {
  const square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]
  if (!(square > 0) || !Number.isFinite(square)) return null
  return Math.abs(square - 1) <= 4 * Number.EPSILON ? q : normalizeQuaternion(q)
}

/** Rotation about an axis of any non-zero length, rad. */
export function aboutAxis(axis: Vec3, angle: number): Quat {
  const s = sin(angle / 2) / length(axis)
  return [axis[0] * s, axis[1] * s, axis[2] * s, cos(angle / 2)]
}

/** Roll, pitch and yaw about the fixed axes x, y, z, in this order, rad: R = Rz Ry Rx. */
export function fromRollPitchYaw([roll, pitch, yaw]: Vec3): Quat {
  return multiplyQuaternions(aboutAxis([0, 0, 1], yaw), multiplyQuaternions(aboutAxis([0, 1, 0], pitch), aboutAxis([1, 0, 0], roll)))
}

/** Roll, pitch and yaw about the fixed axes of a rotation, rad; yaw is 0 for a pitch of ±90°. */
export function toRollPitchYaw(q: Quat): Vec3 {
  const m = toMatrix(q)
  const across = Math.sqrt(m[0] * m[0] + m[3] * m[3])
  if (across < 1e-9) return [atan2(m[6] > 0 ? -m[1] : m[1], m[4]), atan2(-m[6], across), 0]
  return [atan2(m[7], m[8]), atan2(-m[6], across), atan2(m[3], m[0])]
}

/** The shortest rotation from z to this direction; about x if it is opposite. */
export function fromZTo(direction: Vec3): Quat {
  const z = normalize(direction)
  const q: Quat = [-z[1], z[0], 0, 1 + z[2]]
  return 1 + z[2] < 1e-12 ? [1, 0, 0, 0] : normalizeQuaternion(q)
}

/** The rotation that maps x to the first direction and y towards the second; the second is orthogonalised. */
export function fromXyAxes(x: Vec3, y: Vec3): Quat {
  const u = normalize(x)
  const across = sub(y, scale(u, dot(u, y)))
  const v = length(across) > 0 ? normalize(across) : perpendicular(u)
  const w = cross(u, v)
  return fromMatrix([u[0], v[0], w[0], u[1], v[1], w[1], u[2], v[2], w[2]])
}

/** A direction of the world in a pose's frame. */
export const localDirection = (pose: Pose, direction: Vec3): Vec3 => rotateInverse(pose.orientation, direction)
/** A direction of a pose's frame in the world. */
export const worldDirection = (pose: Pose, direction: Vec3): Vec3 => rotate(pose.orientation, direction)

export const NO_TURN = IDENTITY_ROTATION
