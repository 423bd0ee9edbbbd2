/**
 * The direction in which two features of convex solids face each other, on plain numbers: out of B towards A, with the facing points.
 *
 * Points and straight features have it in closed form (`closed-form-direction.ts`). For a rim or a smooth surface it is a stationary point of the separation
 * s(n̂) = n̂·d, d = p_A(−n̂) − p_B(n̂). Newton's method finds it in the one or two remaining unknowns of n̂:
 *
 *   (∇²h_A + ∇²h_B + s) δ = d − s n̂     on points, rims and surfaces [Baraff92 eq. 5-2 E4, by direction: `extreme-direction.ts`]
 *   (t̂·∇²h t̂ + r̂·d/c) δ = t̂·d          against a straight feature of axis e, n̂·e = σ, r̂ the part of n̂ across it, c² = 1 − σ², t̂ = e × r̂
 *
 * If a rim touches a line almost in its plane, its normals nearly coincide, and the point is instead searched along the rim (`rim-direction.ts`). The
 * result is a proposal; `curved-search.ts` proves it.
 */

import { directionFromPoint, ruledDirection } from './closed-form-direction'
import type { Difference } from './difference'
import { FacingFeatures } from './facing-features'
import { LINE, POINT, RIM, SIDE, SMOOTH } from './flat-convex'
import { directionAlongRim, isNarrow } from './rim-direction'

/** Residual, × scale, that counts as zero: a few roundings. */
const CONVERGED = 4 * Number.EPSILON
/** Residual, × scale, below which a step without progress is due to rounding. */
const ROUNDED = 1e-12
/** Limits: steps of Newton's method, quarterings of one step, and halvings of the bracket along it where a flat spot makes Newton's method fail. */
const STEPS = 24
const QUARTERINGS = 4
const HALVINGS = 14
/** Maximum total number of evaluated directions. */
const MAX_EVALUATIONS = 80
/** Longest step of n̂, rad (as a tangent). */
const MAX_STEP = 1

export class FeaturePairDirection extends FacingFeatures {
  /** Start of the search: a unit direction n̂ out of B towards A, and points of both near each other, m. Also holds the result. */
  px = 0
  py = 0
  pz = 0
  qx = 0
  qy = 0
  qz = 0
  steps = 0
  /** 1 if the first feature is A's, −1 if it is B's. */
  private sign: 1 | -1 = 1
  /** s(n̂), m: distance of the features' points along n̂. */
  private apart = 0
  private ux = 0
  private uy = 0
  private uz = 0
  private vx = 0
  private vy = 0
  private vz = 0
  private u = 0
  private v = 0
  private residual = 0
  private evaluations = 0
  /** The matrix of Newton's method. */
  private uu = 0
  private uv = 0
  private vv = 0

  constructor(private readonly difference: Difference) {
    super()
  }

  /** Direction of feature i of A and j of B, neither of them a plane. @returns whether there is one */
  find(i: number, j: number): boolean {
    const { difference, one, two } = this
    const { a, b } = difference
    this.sign = a.types[i]! <= b.types[j]! ? 1 : -1
    const first = this.sign > 0 ? one : two
    const second = this.sign > 0 ? two : one
    first.loadA(a, i)
    second.loadB(difference, j)
    // From here on the direction points out of the second feature towards the first.
    if (this.sign < 0) this.turnRound()
    if (!this.solve(one.type, two.type)) {
      if (this.sign < 0) this.turnRound()
      return false
    }
    this.px = first.x
    this.py = first.y
    this.pz = first.z
    this.qx = second.x
    this.qy = second.y
    this.qz = second.z
    if (this.sign < 0) this.turnRound()
    return true
  }

  /** Distance of the two points, m. */
  get distance(): number {
    const x = this.px - this.qx
    const y = this.py - this.qy
    const z = this.pz - this.qz
    return Math.sqrt(x * x + y * y + z * z)
  }

  private turnRound(): void {
    this.nx = -this.nx
    this.ny = -this.ny
    this.nz = -this.nz
  }

  private solve(p: number, q: number): boolean {
    this.firmness = 0
    if (p === POINT && q !== SMOOTH) return directionFromPoint(this, q, this.difference.scale)
    if (q === LINE || q === SIDE) return ruledDirection(this)
    if (p !== LINE && p !== SIDE) return this.newton(false)
    if (q !== RIM) return this.newton(true)
    return (p === LINE && isNarrow(this) && this.alongRim()) || this.newton(true)
  }

  /** From the rim's last point. */
  private alongRim(): boolean {
    return this.sign > 0 ? directionAlongRim(this, this.qx, this.qy, this.qz) : directionAlongRim(this, this.px, this.py, this.pz)
  }

  /** Newton's method; `isRuled`: the first feature is straight. */
  private newton(isRuled: boolean): boolean {
    const { difference: { scale }, one } = this
    if (isRuled && !this.lean()) return false
    this.evaluate(isRuled)
    this.evaluations = 0
    for (let k = 0; k < STEPS && this.evaluations < MAX_EVALUATIONS && this.residual > CONVERGED * scale; k++) {
      this.steps++
      if (!this.improve(isRuled)) break
    }
    if (isRuled) one.slideTo(this.two.x, this.two.y, this.two.z)
    this.firmness = this.stiffness(isRuled)
    return Number.isFinite(this.apart)
  }

  /** Rotates n̂ to the nearest direction at the straight feature's angle to its axis. */
  private lean(): boolean {
    const { one: { ex, ey, ez, lean } } = this
    const along = this.nx * ex + this.ny * ey + this.nz * ez
    let x = this.nx - along * ex
    let y = this.ny - along * ey
    let z = this.nz - along * ez
    let l = Math.sqrt(x * x + y * y + z * z)
    if (!(l > 1e-12)) return false
    x /= l
    y /= l
    z /= l
    const rest = x * ex + y * ey + z * ez
    x -= rest * ex
    y -= rest * ey
    z -= rest * ez
    l = Math.sqrt((1 - lean * lean) / (x * x + y * y + z * z))
    this.nx = x * l - lean * ex
    this.ny = y * l - lean * ey
    this.nz = z * l - lean * ez
    return true
  }

  /** Points, separation, tangents and residual at n̂. */
  private evaluate(isRuled: boolean): void {
    const { one, two, nx, ny, nz } = this
    one.place(-nx, -ny, -nz)
    two.place(nx, ny, nz)
    const dx = one.x - two.x
    const dy = one.y - two.y
    const dz = one.z - two.z
    this.apart = nx * dx + ny * dy + nz * dz
    if (isRuled) {
      const { ex, ey, ez, lean } = one
      const c = 1 / Math.sqrt(1 - lean * lean)
      this.ux = (ey * nz - ez * ny) * c
      this.uy = (ez * nx - ex * nz) * c
      this.uz = (ex * ny - ey * nx) * c
      this.vx = this.vy = this.vz = this.v = 0
    } else {
      // Any two perpendicular vectors, chosen away from the axis nearest to n̂.
      if (Math.abs(nz) < 0.7) {
        const l = 1 / Math.sqrt(nx * nx + ny * ny)
        this.ux = -ny * l
        this.uy = nx * l
        this.uz = 0
      } else {
        const l = 1 / Math.sqrt(ny * ny + nz * nz)
        this.ux = 0
        this.uy = -nz * l
        this.uz = ny * l
      }
      this.vx = ny * this.uz - nz * this.uy
      this.vy = nz * this.ux - nx * this.uz
      this.vz = nx * this.uy - ny * this.ux
      this.v = this.vx * dx + this.vy * dy + this.vz * dz
    }
    this.u = this.ux * dx + this.uy * dy + this.uz * dz
    this.residual = isRuled ? Math.abs(this.u) : Math.sqrt(this.u * this.u + this.v * this.v)
  }

  private differentiate(isRuled: boolean): void {
    const { one, two, nx, ny, nz, ux, uy, uz, vx, vy, vz } = this
    this.uu = one.curvature(-nx, -ny, -nz, ux, uy, uz, ux, uy, uz) + two.curvature(nx, ny, nz, ux, uy, uz, ux, uy, uz)
    if (isRuled) {
      const { ex, ey, ez, lean } = one
      this.uu += ((nx + lean * ex) * (one.x - two.x) + (ny + lean * ey) * (one.y - two.y) + (nz + lean * ez) * (one.z - two.z)) / (1 - lean * lean)
      return
    }
    this.uu += this.apart
    this.uv = one.curvature(-nx, -ny, -nz, ux, uy, uz, vx, vy, vz) + two.curvature(nx, ny, nz, ux, uy, uz, vx, vy, vz)
    this.vv = this.apart + one.curvature(-nx, -ny, -nz, vx, vy, vz, vx, vy, vz) + two.curvature(nx, ny, nz, vx, vy, vz, vx, vy, vz)
  }

  /** Least curvature, m. */
  private stiffness(isRuled: boolean): number {
    this.differentiate(isRuled)
    if (isRuled) return Math.min(this.uu, this.one.inside)
    const trace = this.uu + this.vv
    const determinant = this.uu * this.vv - this.uv * this.uv
    return trace > 0 && determinant > 0 && trace < Infinity ? determinant / trace : 0
  }

  /** One step; `false` if no direction is better by more than rounding. */
  private improve(isRuled: boolean): boolean {
    this.differentiate(isRuled)
    const { nx, ny, nz, u, v, uu, uv, vv, residual, apart, ux, uy, uz, vx, vy, vz } = this
    let s: number
    let t = 0
    if (isRuled) {
      s = u / (uu > 0 ? uu : Math.abs(uu) + Math.abs(u))
    } else {
      const determinant = uu * vv - uv * uv
      const isDefinite = determinant > 1e-14 * (uu + vv) * (uu + vv) && uu + vv > 0
      const slow = 1 / (Math.abs(uu) + Math.abs(vv) + residual)
      s = isDefinite ? (vv * u - uv * v) / determinant : u * slow
      t = isDefinite ? (uu * v - uv * u) / determinant : v * slow
    }
    let x = s * ux + t * vx
    let y = s * uy + t * vy
    let z = s * uz + t * vz
    const l = Math.sqrt(x * x + y * y + z * z)
    if (!(l > 0 && l < Infinity)) return false
    if (l > MAX_STEP) {
      x *= MAX_STEP / l
      y *= MAX_STEP / l
      z *= MAX_STEP / l
    }
    let share = 1
    for (let k = 0; k <= QUARTERINGS; k++, share /= 4) {
      this.moveTo(nx + share * x, ny + share * y, nz + share * z, isRuled)
      if (this.residual < 0.5 * residual || (this.apart > apart && this.residual < residual)) return true
      // At rounding level a shorter step does not help.
      if (residual <= ROUNDED * this.difference.scale) {
        if (this.residual > residual) this.moveTo(nx, ny, nz, isRuled)
        return false
      }
    }
    // Bisects the slope along the step.
    let low = 0
    let high = 1
    let best = residual
    let at = 0
    for (let k = 0; k < HALVINGS; k++) {
      const middle = low === 0 ? high / 16 : (low + high) / 2
      this.moveTo(nx + middle * x, ny + middle * y, nz + middle * z, isRuled)
      const slope = x * (this.one.x - this.two.x - this.apart * this.nx) + y * (this.one.y - this.two.y - this.apart * this.ny)
        + z * (this.one.z - this.two.z - this.apart * this.nz)
      if (slope > 0) low = middle
      else high = middle
      if (this.residual < best) {
        best = this.residual
        at = middle
      }
    }
    this.moveTo(nx + at * x, ny + at * y, nz + at * z, isRuled)
    return best < 0.9 * residual
  }

  private moveTo(x: number, y: number, z: number, isRuled: boolean): void {
    const l = 1 / Math.sqrt(x * x + y * y + z * z)
    this.evaluations++
    this.nx = x * l
    this.ny = y * l
    this.nz = z * l
    if (isRuled) this.lean()
    this.evaluate(isRuled)
  }
}
