/** Unit quaternions `[x, y, z, w]` as rotations from a body's frame to the world's. */

import type { Mat3 } from './matrix'
import type { Vec3 } from './vector'

export type Quat = readonly [number, number, number, number]

export const IDENTITY_ROTATION: Quat = [0, 0, 0, 1]

/** `a b`: first `b`, then `a`. */
export function multiplyQuaternions(a: Quat, b: Quat): Quat {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ]
}

export function conjugate(q: Quat): Quat {
  return [-q[0], -q[1], -q[2], q[3]]
}

/** `q / |q|`; the zero quaternion becomes the identity. */
export function normalizeQuaternion(q: Quat): Quat {
  const l = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
  return l > 0 ? [q[0] / l, q[1] / l, q[2] / l, q[3] / l] : IDENTITY_ROTATION
}

/** The rotation matrix of a unit quaternion. */
export function toMatrix(q: Quat): Mat3 {
  const x = q[0]
  const y = q[1]
  const z = q[2]
  const w = q[3]
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
    2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
    2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
  ]
}

/** The unit quaternion of a rotation matrix, `w ≥ 0` (Shepperd's choice of the largest component, which avoids division by a small one). */
export function fromMatrix(m: Mat3): Quat {
  const trace = m[0] + m[4] + m[8]
  let q: Quat
  if (trace >= m[0] && trace >= m[4] && trace >= m[8]) {
    q = [m[7] - m[5], m[2] - m[6], m[3] - m[1], 1 + trace]
  } else if (m[0] >= m[4] && m[0] >= m[8]) {
    q = [1 + m[0] - m[4] - m[8], m[1] + m[3], m[2] + m[6], m[7] - m[5]]
  } else if (m[4] >= m[8]) {
    q = [m[1] + m[3], 1 + m[4] - m[0] - m[8], m[5] + m[7], m[2] - m[6]]
  } else {
    q = [m[2] + m[6], m[5] + m[7], 1 + m[8] - m[0] - m[4], m[3] - m[1]]
  }
  const unit = normalizeQuaternion(q)
  return unit[3] < 0 ? [-unit[0], -unit[1], -unit[2], -unit[3]] : unit
}

/** `v` rotated by `q`. */
export function rotate(q: Quat, v: Vec3): Vec3 {
  return turned(q[0], q[1], q[2], q[3], v)
}

/** By components: destructuring creates objects in code that is not compiled yet, and this function is called everywhere. */
function turned(x: number, y: number, z: number, w: number, v: Vec3): Vec3 {
  const tx = 2 * (y * v[2] - z * v[1])
  const ty = 2 * (z * v[0] - x * v[2])
  const tz = 2 * (x * v[1] - y * v[0])
  return [
    v[0] + w * tx + y * tz - z * ty,
    v[1] + w * ty + z * tx - x * tz,
    v[2] + w * tz + x * ty - y * tx,
  ]
}

/** `v` rotated by `q⁻¹`: from the world's frame to the body's. */
export function rotateInverse(q: Quat, v: Vec3): Vec3 {
  return turned(-q[0], -q[1], -q[2], q[3], v)
}

/** `q̇ = ½ [ω, 0] q` for an angular velocity `ω` in the world's frame, rad/s [PBM01-D §4.2]. */
export function quaternionRate(q: Quat, omega: Vec3): Quat {
  const r = multiplyQuaternions([omega[0], omega[1], omega[2], 0], q)
  return [0.5 * r[0], 0.5 * r[1], 0.5 * r[2], 0.5 * r[3]]
}
