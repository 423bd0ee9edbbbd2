/**
 * The support function of a superquadric: a nested norm with exponents q₁ and q₂ (`core/geometry/superquadric.ts`), on plain numbers. Terms for derivatives
 * are kept from the last direction, because Newton's method needs the point and its rates at the same direction.
 */

import type { Vec3 } from '../../math/vector'
import { pow } from '../../math/elementary'

/** Lower bound of ratios, so that infinite curvatures and flat spots stay finite. */
const TINY = 1e-100

export class DualNorm {
  /** The last found point, m. */
  x = 0
  y = 0
  z = 0
  private mx = NaN
  private my = NaN
  private mz = NaN
  private readonly a: number
  private readonly b: number
  private readonly c: number
  private readonly outer: number
  private readonly inner: number
  private nx = 0
  private ny = 0
  private nz = 0
  private r = 0
  private h = 0
  private hR = 0
  private hZ = 0
  private rx = 0
  private ry = 0
  /** Value and derivatives of a norm. */
  private value = 0
  private first = 0
  private other = 0
  private hasSecond = false
  private xx = 0
  private xy = 0
  private xz = 0
  private yy = 0
  private yz = 0
  private zz = 0

  constructor([a, b, c]: Vec3, [e1, e2]: readonly [number, number]) {
    this.a = a
    this.b = b
    this.c = c
    this.outer = 2 / (2 - e1)
    this.inner = 2 / (2 - e2)
  }

  /** The point with outward normal along (mx, my, mz). */
  point(mx: number, my: number, mz: number): void {
    if (mx === this.mx && my === this.my && mz === this.mz) return
    this.mx = mx
    this.my = my
    this.mz = mz
    this.hasSecond = false
    const { a, b, c, outer, inner } = this
    const nx = Math.abs(a * mx)
    const ny = Math.abs(b * my)
    const nz = Math.abs(c * mz)
    const least = TINY * Math.max(nx, ny, nz)
    this.norm(nx, ny, inner)
    const r = Math.max(this.value, least)
    this.rx = this.first
    this.ry = this.other
    this.norm(r, nz, outer)
    this.nx = nx
    this.ny = ny
    this.nz = nz
    this.r = r
    this.h = this.value
    this.hR = this.first
    this.hZ = this.other
    this.x = a * (mx < 0 ? -1 : 1) * this.hR * this.rx
    this.y = b * (my < 0 ? -1 : 1) * this.hR * this.ry
    this.z = c * (mz < 0 ? -1 : 1) * this.hZ
  }

  /**
   * (x^p + y^p)^(1/p) for x, y ≥ 0, without overflow, and its derivatives by x and y, (x/norm)^(p − 1) and (y/norm)^(p − 1). With t = (low/high)^p they are
   * the shares 1/(1 + t) and t/(1 + t), divided by the ratios of high and low to the norm.
   */
  private norm(x: number, y: number, p: number): void {
    const isUp = x < y
    const low = isUp ? x : y
    const high = isUp ? y : x
    if (low === 0) {
      this.value = high
      this.first = isUp || high === 0 ? 0 : 1
      this.other = isUp ? 1 : 0
      return
    }
    const ratio = low / high
    const t = pow(ratio, p)
    const longer = pow(1 + t, 1 / p)
    const ofHigh = longer / (1 + t)
    const ofLow = t > 0 ? t / ratio * ofHigh : 0
    this.value = high * longer
    this.first = isUp ? ofLow : ofHigh
    this.other = isUp ? ofHigh : ofLow
  }

  /** uᵀ ∇²h v at a unit direction, m. */
  second(mx: number, my: number, mz: number, ux: number, uy: number, uz: number, vx: number, vy: number, vz: number): number {
    this.point(mx, my, mz)
    if (!this.hasSecond) this.differentiate()
    return ux * (this.xx * vx + this.xy * vy + this.xz * vz) + uy * (this.xy * vx + this.yy * vy + this.yz * vz)
      + uz * (this.xz * vx + this.yz * vy + this.zz * vz)
  }

  private differentiate(): void {
    const { a, b, c, outer, inner, nx, ny, nz, r, h, hR, hZ, rx, ry } = this
    this.hasSecond = true
    const sx = this.mx < 0 ? -1 : 1
    const sy = this.my < 0 ? -1 : 1
    const sz = this.mz < 0 ? -1 : 1
    const hRR = second(outer, r / h, h, hR)
    const hRZ = -(outer - 1) / h * hR * hZ
    const rxy = -(inner - 1) / r * rx * ry
    this.xx = a * a * (hRR * rx * rx + hR * second(inner, nx / r, r, rx))
    this.yy = b * b * (hRR * ry * ry + hR * second(inner, ny / r, r, ry))
    this.zz = c * c * second(outer, nz / h, h, hZ)
    this.xy = a * b * sx * sy * (hRR * rx * ry + hR * rxy)
    this.xz = a * c * sx * sz * hRZ * rx
    this.yz = b * c * sy * sz * hRZ * ry
  }
}

/** Second derivative of a norm in one of its arguments; `first`: its first derivative, the ratio to the power p − 1. */
function second(power: number, ratio: number, scale: number, first: number): number {
  const least = Math.max(ratio, TINY)
  return (power - 1) / scale * ((ratio > TINY ? first / least : pow(least, power - 2)) - first * first)
}
