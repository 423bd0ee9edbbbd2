/** The direction in which a line and a rim face each other when the line lies almost in the plane of the rim, found along the rim. */

import type { FacingFeatures } from './facing-features'

/** Sine of the angle between a rim's plane and a line below which the search follows the rim, and the least sine between their tangents for it. */
const NARROW = 1e-2
const OBLIQUE = 1e-2
const STEPS = 8
/** Longest step of Newton's method, as the tangent of the angle on the rim; a longer one means that it does not converge. */
const MAX_STEP = 0.5

/** Whether a line lies almost in the plane of a rim and the rim touches it nearly with its flat. */
export function isNarrow({ one, two, nx, ny, nz }: FacingFeatures): boolean {
  return Math.abs(one.ex * two.ex + one.ey * two.ey + one.ez * two.ez) < NARROW
    && 1 - Math.abs(nx * two.ex + ny * two.ey + nz * two.ez) < NARROW
}

/**
 * A line and a rim, by Newton's method in the angle on the rim: the normal is perpendicular to the rim's tangent and to the line.
 * @param x m: the search starts at the rim's point nearest to (x, y, z)
 * @returns whether one was found; after the last step, without a test of convergence
 */
export function directionAlongRim(pair: FacingFeatures, x: number, y: number, z: number): boolean {
  const { one, two } = pair
  two.placeRadially(x, y, z)
  let rx = (two.x - two.cx) / two.radius
  let ry = (two.y - two.cy) / two.radius
  let rz = (two.z - two.cz) / two.radius
  const { ex: lx, ey: ly, ez: lz } = one
  for (let k = 0; k < STEPS; k++) {
    const tx = two.ey * rz - two.ez * ry
    const ty = two.ez * rx - two.ex * rz
    const tz = two.ex * ry - two.ey * rx
    let nx = ty * lz - tz * ly
    let ny = tz * lx - tx * lz
    let nz = tx * ly - ty * lx
    const oblique = Math.sqrt(nx * nx + ny * ny + nz * nz)
    if (!(oblique > OBLIQUE)) return false
    const sign = nx * pair.nx + ny * pair.ny + nz * pair.nz < 0 ? -1 : 1
    nx *= sign / oblique
    ny *= sign / oblique
    nz *= sign / oblique
    const mx = ly * nz - lz * ny
    const my = lz * nx - lx * nz
    const mz = lx * ny - ly * nx
    const dx = two.cx + two.radius * rx - one.cx
    const dy = two.cy + two.radius * ry - one.cy
    const dz = two.cz + two.radius * rz - one.cz
    const turn = -sign * (mx * (ry * lz - rz * ly) + my * (rz * lx - rx * lz) + mz * (rx * ly - ry * lx)) / oblique
    const slope = two.radius * (tx * mx + ty * my + tz * mz) - turn * (dx * nx + dy * ny + dz * nz)
    const step = -(dx * mx + dy * my + dz * mz) / slope
    if (!(Math.abs(step) < MAX_STEP)) return false
    if (k === STEPS - 1 || Math.abs(step) <= Number.EPSILON) {
      pair.nx = nx
      pair.ny = ny
      pair.nz = nz
      one.place(-nx, -ny, -nz)
      two.placeRadially(two.cx + rx, two.cy + ry, two.cz + rz)
      one.slideTo(two.x, two.y, two.z)
      pair.firmness = Math.max(0, Math.min(one.inside, oblique * two.radius))
      return true
    }
    rx += step * tx
    ry += step * ty
    rz += step * tz
    const l = 1 / Math.sqrt(rx * rx + ry * ry + rz * rz)
    rx *= l
    ry *= l
    rz *= l
  }
  return false
}
