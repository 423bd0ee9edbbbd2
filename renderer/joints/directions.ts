import type { Vec3 } from '../../core/math/vector'

/** A direction perpendicular to the given one, with about its length; in a coordinate plane if the given one is, so that its numbers are short. */
export function perpendicularTo([x, y, z]: Vec3): Vec3 {
  return Math.abs(x) < 0.9 * Math.hypot(x, y, z) ? [0, z, -y] : [-z, 0, x]
}
