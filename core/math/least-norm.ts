/**
 * Least-norm solutions of systems of unknown rank, from a Cholesky factorisation with diagonal pivoting. The cost is about that of one factorisation;
 * a complete orthogonal decomposition (`orthogonal.ts`) costs ten times as much.
 */

import { addScaledRow, cholesky, choleskySolve, dot } from './factor'
import {
  addBanded, bandedGram, bandedProducts, byRows, choleskyColumns, orthonormalize, type Banded, type CholeskyColumns,
} from './semidefinite'

/**
 * The least-squares solution of `A x = b` that minimises Σ (wᵢ xᵢ)², for a symmetric positive semidefinite A of unknown rank (w = 1 without
 * `weights`). It depends smoothly on A and b while the rank is constant, for any order of pivots: with A = L Lᵀ,
 *
 *   x = W⁻² L (Lᵀ W⁻² L)⁻¹ (Lᵀ L)⁻¹ Lᵀ b
 *
 * with iterative refinement; x stays in the range of W⁻² L, where the solution is unique. The Gram matrices square the condition of L, so refinement
 * may not converge for badly scaled systems: these are solved again with orthonormal columns.
 */
export function semidefiniteLeastNorm(
  A: Float64Array, n: number, b: Float64Array, tolerance: number, maxRank = n, weights?: Float64Array,
): { x: Float64Array; rank: number } {
  const L = choleskyColumns(A, n, tolerance, maxRank)
  const rank = L.count
  if (rank === 0) return { x: new Float64Array(n), rank }
  const B = weights ? weighted(L, weights) : L
  const S = cholesky(bandedGram(B), rank, Number.MIN_VALUE)
  if (weights) {
    // If b is in the range of A, which is the case unless rows contradict each other, Lᵀ L is not needed: (Lᵀ L)⁻¹ Lᵀ b = L_B⁻¹ b_B, B the pivots.
    const left = new Float64Array(n)
    const direct = refined(A, n, b, rank, (rest, w) => {
      left.set(rest)
      forwardSolve(L, left, w)
      choleskySolve(S, rank, w)
    }, w => spread(B, w, weights))
    if (direct.error <= SETTLED) return { x: direct.x, rank }
  }
  const R = weights ? cholesky(bandedGram(L), rank, Number.MIN_VALUE) : S
  const quick = refined(A, n, b, rank, (rest, w) => {
    bandedProducts(L, rest, w)
    choleskySolve(R, rank, w)
    choleskySolve(S, rank, w)
  }, w => spread(B, w, weights))
  if (quick.error <= SETTLED) return { x: quick.x, rank }
  const P = byRows(B)
  const Q = weights ? byRows(L) : P.slice()
  const T = orthonormalize(P, n, rank)
  const V = orthonormalize(Q, n, rank)
  const careful = refined(A, n, b, rank, (rest, w) => {
    w.fill(0)
    for (let i = 0; i < n; i++) addScaledRow(w, 0, Q, i * rank, rest[i]!, rank)
    for (let i = rank - 1; i >= 0; i--) {
      w[i]! /= V[i * rank + i]!
      addScaledRow(w, 0, V, i * rank, -w[i]!, i)
    }
    for (let i = 0; i < rank; i++) w[i] = (w[i]! - dot(T, i * rank, w, 0, i)) / T[i * rank + i]!
  }, w => {
    const x = new Float64Array(n)
    for (let i = 0; i < n; i++) x[i] = dot(P, i * rank, w, 0, rank) / (weights ? weights[i]! : 1)
    return x
  })
  return { x: careful.error <= quick.error ? careful.x : quick.x, rank }
}

/**
 * The same for `M x = b` with an n × k matrix M (row-major) whose columns are in the range of A: the columns of A itself, some of them combined with
 * other vectors in its range, as for friction that is a function of a normal force. With A = L Lᵀ and M = L G,
 *
 *   x = Gᵀ (G Gᵀ)⁻¹ (Lᵀ L)⁻¹ Lᵀ b
 *
 * or, if `consistent` states that b is in the range of A, x = Gᵀ (G Gᵀ)⁻¹ L_B⁻¹ b_B with B the pivots, which costs less.
 *
 * @returns null if refinement does not converge: M has less rank than A, or nearly
 */
export function rangeLeastNorm(
  A: Float64Array, n: number, M: Float64Array, k: number, b: Float64Array, tolerance: number, maxRank = n, consistent = false,
): { x: Float64Array; rank: number } | null {
  const L = choleskyColumns(A, n, tolerance, maxRank)
  const rank = L.count
  const x = new Float64Array(k)
  if (rank === 0) return { x, rank }
  const G = forwardRows(L, M, k)
  const R = consistent ? null : cholesky(bandedGram(L), rank, Number.MIN_VALUE)
  const S = cholesky(bandedGram(G), rank, Number.MIN_VALUE)
  const rest = b.slice(0, n)
  const w = new Float64Array(rank)
  let reference = 0
  let last = Infinity
  for (let pass = 0; pass <= MAX_REFINEMENTS; pass++) {
    if (R === null) forwardSolve(L, rest, w)
    else bandedProducts(L, rest, w)
    let left = 0
    for (let j = 0; j < rank; j++) left = Math.max(left, Math.abs(w[j]!))
    let size = 0
    for (let j = 0; j < k; j++) size = Math.max(size, Math.abs(x[j]!))
    reference = Math.max(reference, left, size)
    if (left <= CONVERGED * reference) return { x, rank }
    if (!(left < 0.1 * last)) return left <= MAX_RESIDUAL * reference ? { x, rank } : null
    last = left
    if (R !== null) choleskySolve(R, rank, w)
    choleskySolve(S, rank, w)
    addBanded(G, w, x)
    for (let i = 0; i < n; i++) rest[i] = b[i]! - dot(M, i * k, x, 0, k)
  }
  return null
}

/** Acceptable residual of refinement in L⁺ (b − M x), × the largest of L⁺ b and x: converged, and limited by rounding. */
const CONVERGED = 1e-15
const MAX_RESIDUAL = 1e-11

/** w = L_B⁻¹ rest_B, B the pivots of L; `rest` is overwritten by the residual. */
function forwardSolve({ n, count, values, from, to, pivots }: CholeskyColumns, rest: Float64Array, w: Float64Array): void {
  for (let j = 0; j < count; j++) {
    const value = rest[pivots[j]!]! / values[j * n + pivots[j]!]!
    w[j] = value
    if (value !== 0) addScaledRow(rest, from[j]!, values, j * n + from[j]!, -value, to[j]! - from[j]!)
  }
}

/** Rows of G = L_B⁻¹ M_B, B the pivots of L. */
function forwardRows(L: CholeskyColumns, M: Float64Array, k: number): Banded {
  const { n, count, values: columns, from: start, to: end, pivots } = L
  const values = new Float64Array(count * k)
  const from = new Int32Array(count)
  const to = new Int32Array(count)
  for (let i = 0; i < count; i++) {
    const p = pivots[i]!
    const at = i * k
    values.set(M.subarray(p * k, p * k + k), at)
    let low = 0
    let high = k
    while (low < high && values[at + low] === 0) low++
    while (high > low && values[at + high - 1] === 0) high--
    for (let j = 0; j < i; j++) {
      if (p < start[j]! || p >= end[j]!) continue
      const factor = columns[j * n + p]!
      if (factor === 0 || to[j]! <= from[j]!) continue
      addScaledRow(values, at + from[j]!, values, j * k + from[j]!, -factor, to[j]! - from[j]!)
      low = Math.min(low, from[j]!)
      high = Math.max(high, to[j]!)
    }
    const scale = 1 / columns[i * n + p]!
    for (let c = low; c < high; c++) values[at + c]! *= scale
    from[i] = low
    to[i] = high
  }
  return { n: k, count, values, from, to }
}

function weighted(L: Banded, weights: Float64Array): Banded {
  const { n, count, from, to } = L
  const values = new Float64Array(count * n)
  for (let j = 0; j < count; j++) for (let i = from[j]!; i < to[j]!; i++) values[j * n + i] = L.values[j * n + i]! / weights[i]!
  return { n, count, values, from, to }
}

function spread(B: Banded, w: Float64Array, weights: Float64Array | undefined): Float64Array {
  const x = new Float64Array(B.n)
  addBanded(B, w, x)
  if (weights) for (let i = 0; i < B.n; i++) x[i]! /= weights[i]!
  return x
}

/** Residual at which refinement has converged, × the largest |b| or |A x|. */
const SETTLED = 1e-14
const MAX_REFINEMENTS = 6

/** x ← x + expand(solve(b − A x)) until the residual no longer decreases; `error` is the smallest residual ÷ the largest |b| or |A| |x|. */
function refined(
  A: Float64Array, n: number, b: Float64Array, rank: number, solve: (rest: Float64Array, w: Float64Array) => void,
  expand: (w: Float64Array) => Float64Array,
): { x: Float64Array; error: number } {
  let load = 0
  let diagonal = 0
  for (let i = 0; i < n; i++) {
    load = Math.max(load, Math.abs(b[i]!))
    diagonal = Math.max(diagonal, A[i * n + i]!)
  }
  let scale = load
  const x = new Float64Array(n)
  const best = new Float64Array(n)
  const rest = b.slice(0, n)
  const w = new Float64Array(rank)
  let error = Infinity
  for (let pass = 0; pass < MAX_REFINEMENTS; pass++) {
    solve(rest, w)
    const change = expand(w)
    for (let i = 0; i < n; i++) x[i]! += change[i]!
    let worst = 0
    let size = 0
    for (let i = 0; i < n; i++) {
      rest[i] = b[i]! - dot(A, i * n, x, 0, n)
      worst = Math.max(worst, Math.abs(rest[i]!))
      size = Math.max(size, Math.abs(x[i]!))
    }
    scale = Math.max(load, diagonal * size)
    if (!(worst < error)) break
    const slow = worst > 0.1 * error
    error = worst
    best.set(x)
    if (slow || worst <= 0.02 * SETTLED * scale) break
  }
  return { x: best, error: scale > 0 ? error / scale : 0 }
}
