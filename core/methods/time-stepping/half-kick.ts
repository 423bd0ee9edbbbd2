/**
 * Impulses of an island's joints, drives, limits and joint friction in half a step. The joints, which may be redundant, are eliminated by one
 * factorisation; drives, limits and friction remain as a small problem of `core/lcp`:
 *
 *   A_EE p_E + A_EU p_U = b_E        joints E: equalities
 *   A_UE p_E + A_UU p_U − b_U = a_U    the rest U: bounded
 *   (A_UU − A_UE A_EE⁺ A_EU) p_U − (b_U − A_UE A_EE⁺ b_E) = a_U
 */

import { dantzig, type ContactProblem } from '../../lcp'
import { ROW_EQUALITY } from '../../lcp/problem'
import { EqualityRows } from './equality'
import { DEPENDENT } from './tolerances'
import { NEARLY_SOLVED } from './solvers/exact'
import type { StepProblem } from './step-problem'

/** Rows of an island without contacts, with inverse masses and bounds. */
export type HalfKickRows = Pick<StepProblem, 'rows' | 'kind' | 'lower' | 'upper' | 'spin'>

export class HalfKick {
  private readonly equalities: EqualityRows
  /** Rows of joints, and bounded rows. */
  private readonly tied: readonly number[]
  readonly bounded: readonly number[]
  /** Of all rows. */
  private readonly A: Float64Array
  private readonly reduced: Float64Array
  private readonly b: Float64Array
  private start: { readonly basis: Uint8Array; readonly slip: Float64Array } | null = null
  /** Normalised, of the last solution. */
  residual = 0

  /** @param idle inactive rows: limits that are not reached */
  constructor(private readonly of: HalfKickRows, idle: ReadonlySet<number> = new Set()) {
    const { rows, kind } = of
    const n = rows.count
    const all = Array.from({ length: n }, (_, row) => row)
    this.tied = all.filter(row => kind[row] === ROW_EQUALITY)
    this.bounded = all.filter(row => kind[row] !== ROW_EQUALITY && !idle.has(row))
    this.A = new Float64Array(n * n)
    rows.delassus(this.A)
    const { A, tied, bounded } = this
    this.equalities = new EqualityRows(Float64Array.from({ length: tied.length * tied.length },
      (_, k) => A[tied[Math.floor(k / tied.length)]! * n + tied[k % tied.length]!]!), tied.length)
    this.reduced = this.reduce()
    this.b = new Float64Array(bounded.length)
  }

  private reduce(): Float64Array {
    const { A, tied, bounded, equalities, of: { rows: { count: n } } } = this
    const m = bounded.length
    const reduced = new Float64Array(m * m)
    const column = new Float64Array(tied.length)
    bounded.forEach((j, c) => {
      equalities.solve(Float64Array.from(tied, i => A[i * n + j]!), column)
      for (let r = 0; r <= c; r++) {
        const i = bounded[r]!
        let sum = A[i * n + j]!
        tied.forEach((t, k) => { sum -= A[i * n + t]! * column[k]! })
        reduced[r * m + c] = reduced[c * m + r] = sum
      }
    })
    // Rows fully determined by the joints have no mobility left; the remainder of the elimination is rounding.
    for (let r = 0; r < m; r++) {
      if (reduced[r * m + r]! > DEPENDENT * A[bounded[r]! * (n + 1)]!) continue
      for (let c = 0; c < m; c++) reduced[r * m + c] = reduced[c * m + r] = 0
    }
    return reduced
  }

  /**
   * Changes the impulses so that the rates of the rows change by `missing`, as far as their bounds permit.
   *
   * @param missing m/s and rad/s, one a row
   * @param p N s and N m s, one a row
   * @returns the reason of a failure, or null
   */
  solve(missing: Float64Array, p: Float64Array): string | null {
    const { A, tied, bounded, equalities, reduced, b, of: { rows: { count: n } } } = this
    const m = bounded.length
    const asked = Float64Array.from(tied, row => missing[row]!)
    const change = new Float64Array(tied.length)
    if (m > 0) {
      equalities.solve(asked, change)
      for (let r = 0; r < m; r++) {
        const i = bounded[r]!
        let sum = missing[i]!
        tied.forEach((t, k) => { sum -= A[i * n + t]! * change[k]! })
        for (let c = 0; c < m; c++) sum += reduced[r * m + c]! * p[bounded[c]!]!
        b[r] = sum
      }
      const found = dantzig.solve(this.problem(), this.start === null ? {} : { start: this.start })
      this.residual = found.residual
      if (found.status !== 'solved' && !(found.status === 'limit' && found.residual <= NEARLY_SOLVED)) {
        return `drives, limits and friction of joints left a residual of ${found.residual}`
      }
      this.start = { basis: found.basis, slip: found.slip }
      bounded.forEach((j, c) => {
        const difference = found.f[c]! - p[j]!
        p[j] = found.f[c]!
        if (difference !== 0) tied.forEach((t, k) => { asked[k]! -= A[t * n + j]! * difference })
      })
    }
    equalities.solve(asked, change)
    tied.forEach((row, k) => { p[row]! += change[k]! })
    return null
  }

  private problem(): ContactProblem {
    const { bounded, reduced, b, of: { kind, lower, upper, spin } } = this
    const placeOf = new Map(bounded.map((row, k) => [row, k]))
    return {
      size: bounded.length, A: reduced, b, kind: Uint8Array.from(bounded, row => kind[row]!), lower: Float64Array.from(bounded, row => lower[row]!),
      upper: Float64Array.from(bounded, row => upper[row]!), friction: [], level: 'velocity',
      spin: spin.map(own => ({ ...own, rows: own.rows.map(row => placeOf.get(row)!) })),
    }
  }
}
