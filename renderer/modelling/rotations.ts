import type { Quat } from '../../core/math/quaternion'
import type { Vec3 } from '../../core/math/vector'

/** Rotation about a unit axis, rad, right-handed. */
export function fromAxisAngle(axis: Vec3, angle: number): Quat {
  const sine = Math.sin(angle / 2)
  return [axis[0] * sine, axis[1] * sine, axis[2] * sine, Math.cos(angle / 2)]
}
