import type { Vec3 } from '../../core/math/vector'

/** Along a coordinate plane where the given one is, so that its numbers are short; of about its length. */
export function perpendicularTo([x, y, z]: Vec3): Vec3 {
  return Math.abs(x) < 0.9 * Math.hypot(x, y, z) ? [0, z, -y] : [-z, 0, x]
}
