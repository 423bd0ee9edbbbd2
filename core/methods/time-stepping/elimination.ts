/**
 * Elimination of an island's joint rows E, which may be redundant, by one factorisation. The rows U of drives, limits, friction and contacts remain as a
 * small problem of `core/lcp`:
 *
 *   A_EE p_E + A_EU p_U = b_E          equalities
 *   A_UE p_E + A_UU p_U − b_U = a_U    bounded, or with friction
 *   (A_UU − A_UE A_EE⁺ A_EU) p_U − (b_U − A_UE A_EE⁺ b_E) = a_U
 */

import type { Rows } from '../../contact/rows'
import { ROW_EQUALITY, type ContactProblem, type FrictionRows, type SpinRows } from '../../lcp/problem'
import { rowsWhere, TiedRows } from './tied-rows'
import { DEPENDENT } from './tolerances'

/** Rows of an island with inverse masses, bounds and friction, as a `StepProblem` has them. */
export interface EliminatedRows {
  readonly rows: Rows
  readonly kind: Uint8Array
  readonly lower: Float64Array
  readonly upper: Float64Array
  readonly friction: readonly FrictionRows[]
  readonly spin: readonly SpinRows[]
}

export class Elimination {
  /** Rows E and U. */
  readonly tied: Int32Array
  readonly bounded: Int32Array
  readonly joints: TiedRows
  /** Of all rows, n × n. */
  private readonly A: Float64Array
  /** The indices in E that each row of U is coupled to. */
  private readonly coupled: readonly Int32Array[]
  /** The remaining problem; its right-hand side is that of the last `reduce`. */
  readonly remaining: ContactProblem

  /** @param idle inactive rows: limits that are not reached */
  constructor({ rows, kind, lower, upper, friction, spin }: EliminatedRows, idle: ReadonlySet<number> = new Set()) {
    const n = rows.count
    const tied = this.tied = rowsWhere(n, row => kind[row] === ROW_EQUALITY)
    const bounded = this.bounded = rowsWhere(n, row => kind[row] !== ROW_EQUALITY && !idle.has(row))
    const A = this.A = new Float64Array(n * n)
    rows.delassus(A)
    const { length: t } = tied
    const equal = new Float64Array(t * t)
    for (let i = 0; i < t; i++) {
      const row = tied[i]! * n
      for (let j = 0; j < t; j++) equal[i * t + j] = A[row + tied[j]!]!
    }
    this.joints = new TiedRows(tied, equal)
    this.coupled = Array.from(bounded, row => rowsWhere(t, k => A[row * n + tied[k]!] !== 0))
    const placeOf = new Map(Array.from(bounded, (row, k) => [row, k]))
    const place = (row: number): number => row < 0 ? -1 : placeOf.get(row)!
    this.remaining = {
      size: bounded.length, A: this.schurComplement(), b: new Float64Array(bounded.length), level: 'velocity',
      kind: Uint8Array.from(bounded, row => kind[row]!),
      lower: Float64Array.from(bounded, row => lower[row]!), upper: Float64Array.from(bounded, row => upper[row]!),
      friction: friction.map(own => ({ ...own, normal: place(own.normal), tangent1: place(own.tangent1), tangent2: place(own.tangent2) })),
      spin: spin.map(own => ({ ...own, normal: place(own.normal), rows: own.rows.map(place) })),
    }
  }

  private schurComplement(): Float64Array {
    const { A, tied, bounded, coupled, joints } = this
    const [n, t, m] = [Math.round(Math.sqrt(A.length)), tied.length, bounded.length]
    const reduced = new Float64Array(m * m)
    const right = new Float64Array(t)
    const column = new Float64Array(t)
    for (let c = 0; c < m; c++) {
      const j = bounded[c]!
      right.fill(0)
      for (const k of coupled[c]!) right[k] = A[tied[k]! * n + j]!
      joints.solve(right, column)
      for (let r = 0; r <= c; r++) {
        const i = bounded[r]!
        let sum = A[i * n + j]!
        for (const k of coupled[r]!) sum -= A[i * n + tied[k]!]! * column[k]!
        reduced[r * m + c] = reduced[c * m + r] = sum
      }
    }
    // Rows fully determined by the joints have no mobility left; the remainder of the elimination is rounding.
    for (let r = 0; r < m; r++) {
      if (reduced[r * m + r]! > DEPENDENT * A[bounded[r]! * (n + 1)]!) continue
      for (let c = 0; c < m; c++) reduced[r * m + c] = reduced[c * m + r] = 0
    }
    return reduced
  }

  /** What the rates of all rows lack: b − A p, m/s and rad/s. */
  missing(b: Float64Array, p: Float64Array): Float64Array {
    const { A } = this
    const n = p.length
    const out = b.slice()
    for (let j = 0; j < n; j++) {
      const impulse = p[j]!
      if (impulse !== 0) for (let i = 0; i < n; i++) out[i]! -= A[j * n + i]! * impulse
    }
    return out
  }

  /**
   * Sets the right-hand side of the remaining problem such that the rates of all rows change by `missing`, as far as bounds and friction permit.
   *
   * @param p impulses of all rows
   */
  reduce(missing: Float64Array, p: Float64Array): void {
    const { A, tied, bounded, coupled, remaining: { A: reduced, b } } = this
    const [n, m] = [p.length, bounded.length]
    const change = this.joints.settle(missing)
    for (let r = 0; r < m; r++) {
      const i = bounded[r]!
      let sum = missing[i]!
      for (const k of coupled[r]!) sum -= A[i * n + tied[k]!]! * change[k]!
      for (let c = 0; c < m; c++) sum += reduced[r * m + c]! * p[bounded[c]!]!
      b[r] = sum
    }
  }

  /** Takes over the impulses of the remaining problem, one a row of U, and changes those of E accordingly. @param missing as in `reduce` */
  complete(missing: Float64Array, found: Float64Array, p: Float64Array): void {
    const { A, tied, bounded, coupled } = this
    const n = p.length
    const left = missing.slice()
    bounded.forEach((j, c) => {
      const difference = found[c]! - p[j]!
      p[j] = found[c]!
      if (difference !== 0) for (const k of coupled[c]!) left[tied[k]!]! -= A[tied[k]! * n + j]! * difference
    })
    const change = this.joints.settle(left)
    tied.forEach((row, k) => { p[row]! += change[k]! })
  }
}
