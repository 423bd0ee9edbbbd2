/** One feature of a placed convex solid, in the frame of A: its point with a given outward normal, and the derivative of that point by the normal. */

import type { Difference } from './difference'
import { LINE, POINT, RIM, SIDE, SMOOTH, type FlatConvex } from './flat-convex'

export class FlatFeature {
  type = POINT
  /** Position, axis, length, lean and radius, as in `FlatConvex`. */
  cx = 0
  cy = 0
  cz = 0
  ex = 0
  ey = 0
  ez = 0
  length = 0
  lean = 0
  radius = 0
  /** The last found point, m. */
  x = 0
  y = 0
  z = 0
  /** Unit, along a straight feature from its apex through the last found point. */
  gx = 0
  gy = 0
  gz = 0
  /** Distance of the last found point inside the ends of a straight feature, m. */
  inside = 0
  private solid!: FlatConvex
  private placed: Difference | null = null

  loadA(solid: FlatConvex, index: number): void {
    this.placed = null
    this.solid = solid
    this.load(index)
    const { points, axes } = solid
    this.cx = points[3 * index]!
    this.cy = points[3 * index + 1]!
    this.cz = points[3 * index + 2]!
    this.ex = axes[3 * index]!
    this.ey = axes[3 * index + 1]!
    this.ez = axes[3 * index + 2]!
  }

  loadB(difference: Difference, index: number): void {
    const { b, position } = difference
    this.placed = difference
    this.solid = b
    this.load(index)
    const { points, axes } = b
    difference.turn(points[3 * index]!, points[3 * index + 1]!, points[3 * index + 2]!)
    this.cx = position[0]! + difference.x
    this.cy = position[1]! + difference.y
    this.cz = position[2]! + difference.z
    difference.turn(axes[3 * index]!, axes[3 * index + 1]!, axes[3 * index + 2]!)
    this.ex = difference.x
    this.ey = difference.y
    this.ez = difference.z
  }

  private load(index: number): void {
    const { types, lengths, leans, radii } = this.solid
    this.type = types[index]!
    this.length = lengths[index]!
    this.lean = leans[index]!
    this.radius = radii[index]!
  }

  /** The point with a unit outward normal; on a straight feature the one nearest its apex, with the direction down. */
  place(mx: number, my: number, mz: number): void {
    const { cx, cy, cz, ex, ey, ez, radius } = this
    switch (this.type) {
      case SMOOTH:
        this.placeOnSurface(mx, my, mz)
        return
      case RIM:
        this.placeRadially(cx + mx, cy + my, cz + mz)
        return
      case LINE:
        this.x = cx + radius * mx
        this.y = cy + radius * my
        this.z = cz + radius * mz
        this.gx = -ex
        this.gy = -ey
        this.gz = -ez
        return
      case SIDE: {
        const { lean } = this
        const c = 1 / Math.sqrt(1 - lean * lean)
        this.gx = (lean * mx - ex) * c
        this.gy = (lean * my - ey) * c
        this.gz = (lean * mz - ez) * c
      }
    }
    this.x = cx
    this.y = cy
    this.z = cz
  }

  /** The point of a rim in the direction of a given point. */
  placeRadially(x: number, y: number, z: number): void {
    const { cx, cy, cz, ex, ey, ez, radius } = this
    x -= cx
    y -= cy
    z -= cz
    // Two orthogonalisations are enough.
    for (let k = 0; k < 2; k++) {
      const along = x * ex + y * ey + z * ez
      x -= along * ex
      y -= along * ey
      z -= along * ez
    }
    const l = Math.sqrt(x * x + y * y + z * z)
    const share = l > 0 ? radius / l : 0
    this.x = cx + x * share
    this.y = cy + y * share
    this.z = cz + z * share
  }

  /** Moves down a straight feature from the current position, at most to its ends. */
  slide(way: number): void {
    this.inside = Math.min(way, this.length - way)
    const t = way < 0 ? 0 : way > this.length ? this.length : way
    this.x += t * this.gx
    this.y += t * this.gy
    this.z += t * this.gz
  }

  /** The same, to the foot of a point; no effect on other features. */
  slideTo(x: number, y: number, z: number): void {
    if (this.type !== LINE && this.type !== SIDE) return
    this.slide((x - this.x) * this.gx + (y - this.y) * this.gy + (z - this.z) * this.gz)
  }

  /** uᵀ ∇²h v at a unit outward normal m, with u and v perpendicular to it, m. */
  curvature(mx: number, my: number, mz: number, ux: number, uy: number, uz: number, vx: number, vy: number, vz: number): number {
    switch (this.type) {
      case SMOOTH:
        return this.surfaceCurvature(mx, my, mz, ux, uy, uz, vx, vy, vz)
      case LINE:
        return this.radius * (ux * vx + uy * vy + uz * vz)
      case RIM: {
        const { ex, ey, ez, radius } = this
        const tx = ey * mz - ez * my
        const ty = ez * mx - ex * mz
        const tz = ex * my - ey * mx
        const square = tx * tx + ty * ty + tz * tz
        return square > 0 ? radius * ((tx * ux + ty * uy + tz * uz) * ((tx * vx + ty * vy + tz * vz) / square)) / Math.sqrt(square) : 0
      }
      default:
        return 0
    }
  }

  private placeOnSurface(mx: number, my: number, mz: number): void {
    const { solid, placed } = this
    if (placed === null) {
      solid.support(mx, my, mz)
      this.x = solid.x
      this.y = solid.y
      this.z = solid.z
      return
    }
    placed.supportB(mx, my, mz)
    this.x = placed.bx
    this.y = placed.by
    this.z = placed.bz
  }

  private surfaceCurvature(mx: number, my: number, mz: number, ux: number, uy: number, uz: number, vx: number, vy: number, vz: number): number {
    const { solid, placed } = this
    if (placed === null) return solid.hessian(mx, my, mz, ux, uy, uz, vx, vy, vz)
    const { rotation: r } = placed
    return solid.hessian(
      r[0]! * mx + r[3]! * my + r[6]! * mz, r[1]! * mx + r[4]! * my + r[7]! * mz, r[2]! * mx + r[5]! * my + r[8]! * mz,
      r[0]! * ux + r[3]! * uy + r[6]! * uz, r[1]! * ux + r[4]! * uy + r[7]! * uz, r[2]! * ux + r[5]! * uy + r[8]! * uz,
      r[0]! * vx + r[3]! * vy + r[6]! * vz, r[1]! * vx + r[4]! * vy + r[7]! * vz, r[2]! * vx + r[5]! * vy + r[8]! * vz)
  }
}
