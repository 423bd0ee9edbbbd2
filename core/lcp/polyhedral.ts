/**
 * A contact problem as a linear complementarity problem. Free variables (equality rows) are eliminated, box rows are split, sliding friction is slaved to
 * its normal force, and the friction cone of static contacts is replaced by a pyramid with an even number of edges d_k,
 *
 *   f_t = Σ β_k d_k,   0 ≤ β_k ⟂ d_k·a_t + λ ≥ 0,   0 ≤ λ ⟂ μ f_N − Σ β_k ≥ 0                               [PEG17 eq. 8–9]
 *
 * A normal row with alternatives adds one slack variable c_s for each of them. From max(x, y) = x + max(y − x, 0), applied repeatedly, the largest of all is
 * a_N + Σ c, with
 *
 *   0 ≤ c_s ⟂ c_s + Σ_{r<s} c_r + a_N − a_s ≥ 0,   0 ≤ f_N ⟂ a_N + Σ c ≥ 0                                   [PEG17 eq. 39–42, 48–49]
 */

import { cholesky, choleskySolve } from '../math/factor'
import { pivotedCholesky } from '../math/semidefinite'
import { cos, sin } from '../math/elementary'
import { PIVOT_ZERO } from '../math/tolerances'
import { ROW_BOX, ROW_EQUALITY, ROW_UNILATERAL, type Alternatives } from './problem'
import type { ScaledProblem } from './scaling'

export interface PolyhedralProblem {
  readonly M: Float64Array
  readonly q: Float64Array
  /** f (equilibrated) of an LCP solution z. */
  forces(z: Float64Array): Float64Array
  /** Change of f along a ray of the LCP. */
  direction(ray: Float64Array): Float64Array
}

/** One LCP variable: its contribution to f, and the complementary row of a (or bound). */
interface Column {
  /** Rows of f, each with the factor of this variable. */
  readonly enters: readonly (readonly [number, number])[]
  /** w of the variable = Σ factor · a_row + Σ others. */
  readonly watches: readonly (readonly [number, number])[]
  /** Other variables in w of this variable, each with its factor. */
  readonly others: (readonly [number, number])[]
  readonly constant: number
}

/** @param friction coefficient of each contact; @param edges of the pyramid; @param alternatives of normal rows, each with a slack variable */
export function polyhedralProblem(
  problem: ScaledProblem, friction: Float64Array, edges: number, alternatives: readonly Alternatives[] = [],
): PolyhedralProblem {
  const { size: n, A, b, kind, lower, upper, contactOf, scale } = problem
  const columns: Column[] = []
  const fixed = new Float64Array(n)
  const free: number[] = []
  const push = (column: Column): number => columns.push(column) - 1
  const frictional = new Set(problem.friction.map(contact => contact.normal))
  for (let i = 0; i < n; i++) {
    const low = lower[i]!
    const high = upper[i]!
    if (kind[i] === ROW_EQUALITY || (kind[i] === ROW_BOX && low === -Infinity && high === Infinity)) free.push(i)
    else if (kind[i] === ROW_UNILATERAL && !frictional.has(i)) push({ enters: [[i, 1]], watches: [[i, 1]], others: [], constant: 0 })
    else if (kind[i] === ROW_BOX && low > -Infinity) {
      fixed[i] = low
      const p = columns.length
      if (high === Infinity) push({ enters: [[i, 1]], watches: [[i, 1]], others: [], constant: 0 })
      else {
        push({ enters: [[i, 1]], watches: [[i, 1]], others: [[p + 1, 1]], constant: 0 })
        push({ enters: [], watches: [], others: [[p, -1]], constant: high - low })
      }
    } else if (kind[i] === ROW_BOX) {
      fixed[i] = high
      push({ enters: [[i, -1]], watches: [[i, -1]], others: [], constant: 0 })
    }
  }
  problem.friction.forEach((contact, c) => {
    const { normal, tangent1, tangent2 } = contact
    const mu = friction[c]!
    if (contact.state === 'sliding') {
      push({
        enters: [[normal, 1], [tangent1, -mu * contact.slip1], [tangent2, -mu * contact.slip2]], watches: [[normal, 1]], others: [],
        constant: 0,
      })
      return
    }
    const fn = push({ enters: [[normal, 1]], watches: [[normal, 1]], others: [], constant: 0 })
    const lambda = fn + edges + 1
    for (let k = 0; k < edges; k++) {
      const angle = 2 * Math.PI * k / edges
      const x = cos(angle)
      const y = sin(angle)
      push({ enters: [[tangent1, x], [tangent2, y]], watches: [[tangent1, x], [tangent2, y]], others: [[lambda, 1]], constant: 0 })
    }
    const edgesOf = Array.from({ length: edges }, (_, k) => [fn + 1 + k, -1] as const)
    push({ enters: [], watches: [], others: [[fn, mu], ...edgesOf], constant: 0 })
  })
  for (const { normal, rows } of alternatives) {
    const { others } = columns.find(({ enters: [first] }) => first?.[0] === normal)!
    const before: (readonly [number, number])[] = []
    for (const row of rows) {
      // Of the same unit as the normal row.
      const factor = scale[normal]! / scale[row]!
      const own = [push({ enters: [], watches: [[normal, 1], [row, -factor]], others: before.slice(), constant: 0 }), 1] as const
      columns[own[0]]!.others.push(own)
      before.push(own)
    }
    others.push(...before)
  }
  const dependent = contactOf.length // Rows of f without a column stay at `fixed`

  // Free rows: an independent subset E with f_E = A_EE⁻¹ (b_E − A_EO f_O).
  const k = free.length
  const sub = new Float64Array(k * k)
  for (let r = 0; r < k; r++) for (let s = 0; s < k; s++) sub[r * k + s] = A[free[r]! * n + free[s]!]!
  const E = Array.from(pivotedCholesky(sub, k, PIVOT_ZERO).pivots, p => free[p]!).sort((i, j) => i - j)
  const m = E.length
  const AEE = new Float64Array(m * m)
  for (let r = 0; r < m; r++) for (let s = 0; s < m; s++) AEE[r * m + s] = A[E[r]! * n + E[s]!]!
  const R = cholesky(AEE, m)
  /** Completes f from f_O by f_E; `weight` 0 for a change of f. */
  const complete = (f: Float64Array, weight: number): Float64Array => {
    const rhs = new Float64Array(m)
    for (let r = 0; r < m; r++) {
      let s = weight * b[E[r]!]!
      for (let j = 0; j < dependent; j++) if (f[j] !== 0) s -= A[E[r]! * n + j]! * f[j]!
      rhs[r] = s
    }
    choleskySolve(R, m, rhs)
    for (let r = 0; r < m; r++) f[E[r]!] = rhs[r]!
    return f
  }
  const rates = (f: Float64Array, weight: number): Float64Array => {
    const a = new Float64Array(n)
    for (let j = 0; j < n; j++) {
      const force = f[j]!
      if (force !== 0) for (let i = 0; i < n; i++) a[i]! += force * A[j * n + i]!
    }
    for (let i = 0; i < n; i++) a[i]! -= weight * b[i]!
    return a
  }
  const size = columns.length
  const M = new Float64Array(size * size)
  const q = new Float64Array(size)
  const start = rates(complete(fixed.slice(), 1), 1)
  columns.forEach((row, i) => {
    q[i] = row.constant
    for (const [at, factor] of row.watches) q[i]! += factor * start[at]!
    for (const [j, factor] of row.others) M[i * size + j]! += factor
  })
  columns.forEach((column, j) => {
    if (column.enters.length === 0) return
    const f = new Float64Array(n)
    for (const [at, factor] of column.enters) f[at]! += factor
    const a = rates(complete(f, 0), 0)
    columns.forEach((row, i) => {
      for (const [at, factor] of row.watches) M[i * size + j]! += factor * a[at]!
    })
  })
  const outer = (z: Float64Array, f: Float64Array): Float64Array => {
    columns.forEach((column, j) => {
      for (const [at, factor] of column.enters) f[at]! += factor * z[j]!
    })
    return f
  }
  return {
    M, q,
    forces: z => complete(outer(z, fixed.slice()), 1),
    direction: ray => complete(outer(ray, new Float64Array(n)), 0),
  }
}
