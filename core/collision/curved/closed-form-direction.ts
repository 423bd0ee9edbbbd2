/** The direction in which two features face each other where it has a closed form: points and straight features (edges, sides of cylinders and cones). */

import { PARALLEL_SIN2 } from '../../math/tolerances'
import type { FacingFeatures } from './facing-features'
import { LINE, POINT, RIM, SIDE } from './flat-convex'

/**
 * The direction from the nearest point of the second feature (a point, a straight feature or a rim; of type `q`) towards the first, a point.
 * @param scale m, of the solids
 * @returns whether there is one
 */
export function directionFromPoint(pair: FacingFeatures, q: number, scale: number): boolean {
  const { one, two } = pair
  one.place(0, 0, 0)
  let x = one.cx - two.cx
  let y = one.cy - two.cy
  let z = one.cz - two.cz
  const { ex, ey, ez } = two
  if (q !== POINT) {
    const t = x * ex + y * ey + z * ez
    let rx = x - t * ex
    let ry = y - t * ey
    let rz = z - t * ez
    // Two orthogonalisations are enough.
    const rest = rx * ex + ry * ey + rz * ez
    rx -= rest * ex
    ry -= rest * ey
    rz -= rest * ez
    const l = Math.sqrt(rx * rx + ry * ry + rz * rz)
    if (!(l > 0)) return false
    if (q === RIM) {
      // In the plane of the axis and the point, so that the rim's tangent is perpendicular to it at any distance.
      const share = 1 - two.radius / l
      x = t * ex + rx * share
      y = t * ey + ry * share
      z = t * ez + rz * share
    } else {
      const c = Math.sqrt(1 - two.lean * two.lean) / l
      x = rx * c + ex * two.lean
      y = ry * c + ey * two.lean
      z = rz * c + ez * two.lean
    }
  }
  const d = Math.sqrt(x * x + y * y + z * z)
  if (!(d > 1e-14 * scale)) return false
  pair.nx = x / d
  pair.ny = y / d
  pair.nz = z / d
  if (q === RIM) two.placeRadially(one.cx, one.cy, one.cz)
  else two.place(pair.nx, pair.ny, pair.nz)
  two.slideTo(one.cx, one.cy, one.cz)
  if (q === SIDE || (q === LINE && two.radius > 0)) pair.firmness = Math.max(0, Math.min(two.inside, q === LINE ? two.radius : two.lean * two.inside))
  return true
}

/** Two straight features: of the two directions at the given angles to both axes, the one nearer to `n`. @returns whether there is one */
export function ruledDirection(pair: FacingFeatures): boolean {
  const { one, two } = pair
  const kx = one.ey * two.ez - one.ez * two.ey
  const ky = one.ez * two.ex - one.ex * two.ez
  const kz = one.ex * two.ey - one.ey * two.ex
  const square = kx * kx + ky * ky + kz * kz
  if (!(square > PARALLEL_SIN2)) return false
  const cosine = one.ex * two.ex + one.ey * two.ey + one.ez * two.ez
  const alpha = -(one.lean + cosine * two.lean) / square
  const beta = (two.lean + cosine * one.lean) / square
  const rest = (1 + alpha * one.lean - beta * two.lean) / square
  if (!(rest > 0)) return false
  const side = (pair.nx * kx + pair.ny * ky + pair.nz * kz < 0 ? -1 : 1) * Math.sqrt(rest)
  const nx = pair.nx = alpha * one.ex + beta * two.ex + side * kx
  const ny = pair.ny = alpha * one.ey + beta * two.ey + side * ky
  const nz = pair.nz = alpha * one.ez + beta * two.ez + side * kz
  one.place(-nx, -ny, -nz)
  two.place(nx, ny, nz)
  const { gx: ax, gy: ay, gz: az } = one
  const { gx: bx, gy: by, gz: bz } = two
  const mx = ay * bz - az * by
  const my = az * bx - ax * bz
  const mz = ax * by - ay * bx
  const m = mx * mx + my * my + mz * mz
  if (!(m > 0)) return false
  const wx = two.x - one.x
  const wy = two.y - one.y
  const wz = two.z - one.z
  const s = ((wy * bz - wz * by) * mx + (wz * bx - wx * bz) * my + (wx * by - wy * bx) * mz) / m
  const t = ((wy * az - wz * ay) * mx + (wz * ax - wx * az) * my + (wx * ay - wy * ax) * mz) / m
  pair.firmness = Math.sqrt(m) * Math.max(0, Math.min(s, one.length - s, t, two.length - t))
  one.slide(s)
  two.slide(t)
  return true
}
