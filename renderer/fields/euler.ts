/** Orientations as angles: rotations about the fixed x, then y, then z axis, rad. */

import type { Quat } from '../../core/math/quaternion'
import { multiplyQuaternions, normalizeQuaternion } from '../../core/math/quaternion'
import type { Vec3 } from '../../core/math/vector'

export function fromEuler([x, y, z]: Vec3): Quat {
  const about = (axis: 0 | 1 | 2, angle: number): Quat => {
    const q: [number, number, number, number] = [0, 0, 0, Math.cos(angle / 2)]
    q[axis] = Math.sin(angle / 2)
    return q
  }
  return normalizeQuaternion(multiplyQuaternions(about(2, z), multiplyQuaternions(about(1, y), about(0, x))))
}

/** The angles that `fromEuler` maps to this orientation; y within ±π/2, and x = 0 in gimbal lock. */
export function toEuler(q: Quat): Vec3 {
  const [x, y, z, w] = normalizeQuaternion(q)
  const sine = Math.max(-1, Math.min(1, 2 * (w * y - z * x)))
  if (Math.abs(sine) > 1 - 1e-12) return [0, Math.sign(sine) * Math.PI / 2, -2 * Math.sign(sine) * Math.atan2(x, w)]
  return [
    Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
    Math.asin(sine),
    Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
  ]
}
