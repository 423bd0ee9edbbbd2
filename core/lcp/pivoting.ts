/**
 * The state of the pivoting method: forces, accelerations, the state of every row, and the factor of the clamped set.
 *
 * A contact with friction slaved to its normal force, f_t = μ f_N d̂, has the single column A_N + μ A_d̂. The clamped matrix is therefore unsymmetric where
 * contacts slide. Friction is coupled to the *changing* normal force, never to a constant one.
 */

import { ClampedFactor } from '../math/clamped-factor'
import { dot } from '../math/factor'
import { PIVOT_ZERO } from '../math/tolerances'
import type { ScaledProblem } from './scaling'

/** Not treated yet: no condition holds. */
export const PENDING = 100
export const CLAMPED = 0
export const FREE = 1
export const LOWER = 2
export const UPPER = 3
export const LIMITED = 4
/** a = 0 although the row is not clamped, because it depends on clamped rows; its force does not change. */
export const REDUNDANT = 5

/** Schur complement below which a row counts as dependent (equilibrated: diagonal elements are near 1). */
const DEPENDENT = 1e-11
/** Smallest admissible pivot of a factor update. */
const UPDATE_PIVOT = 1e-11

export class Pivoting {
  readonly n: number
  /** A copy: tangents are rotated in place. */
  readonly A: Float64Array
  readonly b: Float64Array
  readonly f: Float64Array
  readonly a: Float64Array
  readonly place: Uint8Array
  /** Clamped rows in the order of the factor. */
  readonly clamped: number[] = []
  /** Δf and Δa of the last computed direction. */
  readonly df: Float64Array
  readonly da: Float64Array
  /** Coefficient and direction of each slaved contact: f_t = mu f_N (d1, d2) in the current tangents. */
  readonly slaved: Uint8Array
  readonly mu: Float64Array
  readonly d1: Float64Array
  readonly d2: Float64Array
  /** Current first tangent of each contact in the problem's tangents, (cos, sin). */
  readonly cos: Float64Array
  readonly sin: Float64Array
  pivots = 0
  private slavedCount = 0
  private readonly position: Int32Array
  private readonly factor: ClampedFactor
  private readonly column: Float64Array
  private readonly row: Float64Array

  constructor(readonly problem: ScaledProblem) {
    const n = problem.size
    const contacts = problem.friction.length
    this.n = n
    this.A = problem.A.slice()
    this.b = problem.b.slice()
    this.f = new Float64Array(n)
    this.a = new Float64Array(n)
    this.place = new Uint8Array(n).fill(PENDING)
    this.df = new Float64Array(n)
    this.da = new Float64Array(n)
    this.slaved = new Uint8Array(contacts)
    this.mu = new Float64Array(contacts)
    this.d1 = new Float64Array(contacts)
    this.d2 = new Float64Array(contacts)
    this.cos = new Float64Array(contacts).fill(1)
    this.sin = new Float64Array(contacts)
    this.position = new Int32Array(n).fill(-1)
    this.factor = new ClampedFactor(n)
    this.column = new Float64Array(n)
    this.row = new Float64Array(n)
  }

  /** Element (i, j) of the matrix with slaved friction included in the columns. */
  element(i: number, j: number): number {
    const at = i * this.n
    const c = this.problem.contactOf[j]!
    if (c < 0 || this.slaved[c] === 0) return this.A[at + j]!
    const { tangent1, tangent2, normal } = this.problem.friction[c]!
    if (j !== normal) return this.A[at + j]!
    return this.A[at + j]! + this.mu[c]! * (this.d1[c]! * this.A[at + tangent1]! + this.d2[c]! * this.A[at + tangent2]!)
  }

  /** Whether row i keeps a = 0. */
  holds(i: number): boolean {
    return this.place[i] === CLAMPED || this.place[i] === REDUNDANT
  }

  /** Recomputes a of one row from the forces. */
  refresh(i: number): void {
    this.a[i] = dot(this.A, i * this.n, this.f, 0, this.n) - this.b[i]!
  }

  /** Direction of change for a unit change `sign` of f_d with a = 0 on the clamped rows [Baraff94 §4.2 fdirection]. */
  direction(d: number, sign: number): void {
    const { n, df, da, column, row, clamped } = this
    const k = clamped.length
    for (let p = 0; p < k; p++) column[p] = -sign * this.element(clamped[p]!, d)
    this.factor.solve(column, row)
    df.fill(0)
    let largest = 1
    for (let p = 0; p < k; p++) {
      df[clamped[p]!] = row[p]!
      largest = Math.max(largest, Math.abs(row[p]!))
    }
    df[d] = sign
    const { friction } = this.problem
    for (let c = 0; c < friction.length; c++) {
      if (this.slaved[c] === 0) continue
      const { normal, tangent1, tangent2 } = friction[c]!
      df[tangent1] = this.mu[c]! * df[normal]! * this.d1[c]!
      df[tangent2] = this.mu[c]! * df[normal]! * this.d2[c]!
    }
    const small = PIVOT_ZERO * largest
    for (let i = 0; i < n; i++) {
      if (Math.abs(df[i]!) <= small) df[i] = 0
      da[i] = 0
    }
    for (let j = 0; j < n; j++) {
      const change = df[j]!
      if (change === 0) continue
      const at = j * n // A is symmetric: its row j is its column j
      for (let i = 0; i < n; i++) da[i]! += change * this.A[at + i]!
    }
    for (let i = 0; i < n; i++) if (this.place[i] === CLAMPED || Math.abs(da[i]!) <= small * 10) da[i] = 0
  }

  /** f += s Δf, a += s Δa. */
  advance(s: number): void {
    if (s === 0) return
    for (let i = 0; i < this.n; i++) {
      this.f[i]! += s * this.df[i]!
      this.a[i]! += s * this.da[i]!
    }
  }

  /** Adds row i to the clamped set, or marks it as redundant if it is dependent. */
  clamp(i: number): void {
    const k = this.clamped.length
    for (let p = 0; p < k; p++) {
      this.column[p] = this.element(this.clamped[p]!, i)
      this.row[p] = this.element(i, this.clamped[p]!)
    }
    this.a[i] = 0
    if (this.factor.append(this.column, this.row, this.element(i, i), DEPENDENT, this.slavedCount === 0)) {
      this.position[i] = k
      this.clamped.push(i)
      this.place[i] = CLAMPED
    } else this.place[i] = REDUNDANT
    this.pivots++
  }

  /** Moves row i to the state `place`; removes it from the clamped set if it is there. */
  release(i: number, place: number): void {
    const p = this.position[i]!
    this.place[i] = place
    this.pivots++
    if (p < 0) return
    const last = this.clamped.pop()!
    this.position[i] = -1
    if (last !== i) {
      this.clamped[p] = last
      this.position[last] = p
    }
    if (!this.factor.remove(p, UPDATE_PIVOT)) this.refactor()
  }

  /** Slaves the friction of contact c to its normal force along (d1, d2); its tangents leave the clamped set. */
  slave(c: number, mu: number, d1: number, d2: number): void {
    const { normal, tangent1, tangent2 } = this.problem.friction[c]!
    if (this.slaved[c] === 0) this.slavedCount++
    this.slaved[c] = 1
    this.mu[c] = mu
    this.d1[c] = d1
    this.d2[c] = d2
    for (const t of [tangent1, tangent2]) this.drop(t, LIMITED)
    this.columnChanged(normal)
  }

  /** Ends the slaving of contact c; the tangents keep their forces and become pending. */
  unslave(c: number): void {
    const { normal, tangent1, tangent2 } = this.problem.friction[c]!
    this.letGo(c)
    this.place[tangent1] = PENDING
    this.place[tangent2] = PENDING
    this.columnChanged(normal)
  }

  /** Ends the slaving of contact c, because its normal row is not clamped or is about to change. */
  letGo(c: number): void {
    if (this.slaved[c] !== 0) this.slavedCount--
    this.slaved[c] = 0
  }

  /** Rotates the tangents of contact c so that the first points along the unit vector (x, y) of the current ones; neither tangent may be clamped. */
  rotate(c: number, x: number, y: number): void {
    const { n, A, f, a, b } = this
    const { tangent1: p, tangent2: q } = this.problem.friction[c]!
    for (let i = 0; i < n; i++) {
      const u = A[p * n + i]!
      const v = A[q * n + i]!
      A[p * n + i] = x * u + y * v
      A[q * n + i] = x * v - y * u
    }
    for (let i = 0; i < n; i++) {
      const u = A[i * n + p]!
      const v = A[i * n + q]!
      A[i * n + p] = x * u + y * v
      A[i * n + q] = x * v - y * u
    }
    for (const vector of [f, a, b]) {
      const u = vector[p]!
      const v = vector[q]!
      vector[p] = x * u + y * v
      vector[q] = x * v - y * u
    }
    const d1 = this.d1[c]!
    const d2 = this.d2[c]!
    this.d1[c] = x * d1 + y * d2
    this.d2[c] = x * d2 - y * d1
    const cos = this.cos[c]!
    const sin = this.sin[c]!
    this.cos[c] = cos * x - sin * y
    this.sin[c] = sin * x + cos * y
  }

  /** A vector in the current tangents of contact c, converted to the problem's tangents. */
  original(c: number, x: number, y: number): [number, number] {
    return [this.cos[c]! * x - this.sin[c]! * y, this.sin[c]! * x + this.cos[c]! * y]
  }

  private drop(i: number, place: number): void {
    const p = this.position[i]!
    this.place[i] = place
    if (p < 0) return
    const last = this.clamped.pop()!
    this.position[i] = -1
    if (last !== i) {
      this.clamped[p] = last
      this.position[last] = p
    }
    if (!this.factor.remove(p, UPDATE_PIVOT)) this.refactor()
  }

  private columnChanged(j: number): void {
    this.pivots++
    const p = this.position[j]!
    if (p < 0) return
    for (let q = 0; q < this.clamped.length; q++) this.column[q] = this.element(this.clamped[q]!, j)
    if (!this.factor.replaceColumn(p, this.column, UPDATE_PIVOT)) this.refactor()
  }

  /** Rebuilds the factor; dependent rows become redundant. */
  refactor(): void {
    const rows = this.clamped.slice()
    for (const i of rows) this.position[i] = -1
    this.clamped.length = 0
    this.factor.clear()
    const before = this.pivots
    for (const i of rows) this.clamp(i)
    this.pivots = before
  }

  /** Newton correction of the clamped forces for the rounding error of a; true when every clamped a is within `tolerance` × scale. */
  correct(tolerance: number): boolean {
    for (let pass = 0; pass < 3; pass++) {
      let worst = 0
      let scale = 0
      for (let i = 0; i < this.n; i++) {
        this.refresh(i)
        scale = Math.max(scale, Math.abs(this.b[i]!), Math.abs(this.f[i]!))
      }
      const k = this.clamped.length
      for (let p = 0; p < k; p++) {
        this.column[p] = -this.a[this.clamped[p]!]!
        worst = Math.max(worst, Math.abs(this.column[p]!))
      }
      if (worst <= 4e-16 * scale) return true
      if (pass === 2) return worst <= tolerance * scale
      if (pass === 1 && worst > 1e-9 * scale) this.refactor()
      this.factor.solve(this.column, this.row)
      for (let p = 0; p < k; p++) this.f[this.clamped[p]!]! += this.row[p]!
      this.problem.friction.forEach(({ normal, tangent1, tangent2 }, c) => {
        if (this.slaved[c] === 0) return
        this.f[tangent1] = this.mu[c]! * this.f[normal]! * this.d1[c]!
        this.f[tangent2] = this.mu[c]! * this.f[normal]! * this.d2[c]!
      })
    }
    return false
  }
}
