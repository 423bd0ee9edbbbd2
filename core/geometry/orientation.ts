/**
 * Decides exactly on which side of the plane of three points a fourth one lies. Also computes the normal of that plane to
 * rounding, even for narrow triangles.
 */

import type { Vec3 } from '../math/vector'
import { difference, negated, plus, productDifference, rounded, times, type Expansion } from './expansion'

/** Rounding of the determinant in doubles, × the sum of the magnitudes of its products [Shewchuk 1997, errboundA of orient3d]. */
const ROUNDING = (7 + 56 * 1.1102230246251565e-16) * 1.1102230246251565e-16

/** > 0 if p lies on the side from which a, b, c run counter-clockwise, < 0 on the other side, and 0 exactly if it lies in their plane. */
export function orientation(a: Vec3, b: Vec3, c: Vec3, p: Vec3): number {
  const bx = b[0] - a[0]
  const by = b[1] - a[1]
  const bz = b[2] - a[2]
  const cx = c[0] - a[0]
  const cy = c[1] - a[1]
  const cz = c[2] - a[2]
  const px = p[0] - a[0]
  const py = p[1] - a[1]
  const pz = p[2] - a[2]
  const yz = by * cz
  const zy = bz * cy
  const zx = bz * cx
  const xz = bx * cz
  const xy = bx * cy
  const yx = by * cx
  const height = px * (yz - zy) + py * (zx - xz) + pz * (xy - yx)
  const most = Math.abs(px) * (Math.abs(yz) + Math.abs(zy)) + Math.abs(py) * (Math.abs(zx) + Math.abs(xz)) + Math.abs(pz) * (Math.abs(xy) + Math.abs(yx))
  if (Math.abs(height) > ROUNDING * most) return height
  if (most === 0) return 0 // every product is zero: points in a plane across an axis
  const [x, y, z] = exactCross(a, b, c)
  return rounded(plus(plus(times(x, difference(p[0], a[0])), times(y, difference(p[1], a[1]))), times(z, difference(p[2], a[2]))))
}

/** (b − a) × (c − a) to rounding in each component, m²: twice the triangle's area along its normal. */
export function triangleArea(a: Vec3, b: Vec3, c: Vec3): Vec3 {
  return [
    productDifference(b[1], a[1], c[2], a[2], b[2], a[2], c[1], a[1]), productDifference(b[2], a[2], c[0], a[0], b[0], a[0], c[2], a[2]),
    productDifference(b[0], a[0], c[1], a[1], b[1], a[1], c[0], a[0]),
  ]
}

function exactCross(a: Vec3, b: Vec3, c: Vec3): readonly [Expansion, Expansion, Expansion] {
  const [ux, uy, uz] = [difference(b[0], a[0]), difference(b[1], a[1]), difference(b[2], a[2])]
  const [vx, vy, vz] = [difference(c[0], a[0]), difference(c[1], a[1]), difference(c[2], a[2])]
  const minor = (p: Expansion, q: Expansion, r: Expansion, s: Expansion): Expansion => plus(times(p, q), negated(times(r, s)))
  return [minor(uy, vz, uz, vy), minor(uz, vx, ux, vz), minor(ux, vy, uy, vx)]
}
