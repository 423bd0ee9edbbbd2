/**
 * Cholesky with diagonal pivoting of semidefinite matrices of unknown rank. The factor is stored by columns, each with its range of nonzero rows,
 * which is small for matrices of stacks, chains and piles.
 */

import { addScaledRow, cholesky, dot } from './factor'

export interface PivotedCholesky {
  readonly n: number
  readonly rank: number
  /** n × rank, row-major: rows in the order of the *original* matrix, so that A ≈ L Lᵀ without permutation. */
  readonly L: Float64Array
  /** Pivot rows in their order; `L` restricted to them is lower triangular. Length `rank`. */
  readonly pivots: Int32Array
}

/** Vectors of n elements one after another, each zero outside [from, to). */
export interface Banded {
  readonly n: number
  readonly count: number
  /** count × n. */
  readonly values: Float64Array
  readonly from: Int32Array
  readonly to: Int32Array
}

/** A ≈ L Lᵀ by the columns of L. */
export interface CholeskyColumns extends Banded {
  readonly pivots: Int32Array
}

/** Smallest pivot, as a fraction of the largest remaining diagonal element: the first such row is chosen, which preserves locality. */
const NEAR_LARGEST = 0.05

/**
 * Elements of L below this are rounding errors, × the square root of the largest diagonal element; they accumulate in rows that depend on earlier
 * pivots.
 */
const NEGLIGIBLE = 1e-14

/**
 * Rank-revealing Cholesky with diagonal pivoting of a symmetric positive semidefinite n × n matrix: stops when the largest remaining diagonal element
 * is at most `tolerance` × the largest of A, or at `maxRank`. The neglected remainder is a semidefinite matrix of that size.
 */
export function choleskyColumns(A: Float64Array, n: number, tolerance: number, maxRank = n): CholeskyColumns {
  const left = new Float64Array(n)
  let scale = 0
  for (let i = 0; i < n; i++) {
    left[i] = A[i * n + i]!
    scale = Math.max(scale, left[i]!)
  }
  const negligible = NEGLIGIBLE * Math.sqrt(scale)
  const most = Math.min(n, maxRank)
  const values = new Float64Array(most * n)
  const from = new Int32Array(most)
  const to = new Int32Array(most)
  const pivots = new Int32Array(most)
  const taken = new Uint8Array(n)
  let rank = 0
  while (rank < most) {
    let largest = 0
    for (let i = 0; i < n; i++) if (taken[i] === 0 && left[i]! > largest) largest = left[i]!
    if (!(largest > tolerance * scale)) break
    let p = 0
    while (taken[p] !== 0 || left[p]! < NEAR_LARGEST * largest) p++
    const at = rank * n
    values.set(A.subarray(p * n, p * n + n), at)
    let low = 0
    let high = n
    while (low < p && values[at + low] === 0) low++
    while (high > p + 1 && values[at + high - 1] === 0) high--
    for (let j = 0; j < rank; j++) {
      const factor = values[j * n + p]!
      if (factor === 0) continue
      const start = from[j]!
      const end = to[j]!
      addScaledRow(values, at + start, values, j * n + start, -factor, end - start)
      if (start < low) low = start
      if (end > high) high = end
    }
    const pivot = Math.sqrt(left[p]!)
    taken[p] = 1
    for (let i = low; i < high; i++) {
      if (taken[i] !== 0) {
        values[at + i] = 0
        continue
      }
      const value = values[at + i]! / pivot
      if (value <= negligible && value >= -negligible) {
        values[at + i] = 0
        continue
      }
      values[at + i] = value
      left[i]! -= value * value
    }
    values[at + p] = pivot
    while (low < p && values[at + low] === 0) low++
    while (high > p + 1 && values[at + high - 1] === 0) high--
    from[rank] = low
    to[rank] = high
    pivots[rank++] = p
  }
  return { n, count: rank, values: values.subarray(0, rank * n), from, to, pivots: pivots.subarray(0, rank) }
}

/** The same with L by rows. */
export function pivotedCholesky(A: Float64Array, n: number, tolerance: number, maxRank = n): PivotedCholesky {
  const columns = choleskyColumns(A, n, tolerance, maxRank)
  return { n, rank: columns.count, L: byRows(columns), pivots: columns.pivots }
}

/** The vectors as the columns of a row-major n × count matrix. */
export function byRows({ n, count, values, from, to }: Banded): Float64Array {
  const L = new Float64Array(n * count)
  for (let j = 0; j < count; j++) for (let i = from[j]!; i < to[j]!; i++) L[i * count + j] = values[j * n + i]!
  return L
}

/** Products of the vectors with one another, count × count. */
export function bandedGram({ n, count, values, from, to }: Banded): Float64Array {
  const G = new Float64Array(count * count)
  for (let i = 0; i < count; i++) {
    for (let j = 0; j <= i; j++) {
      const start = Math.max(from[i]!, from[j]!)
      const length = Math.min(to[i]!, to[j]!) - start
      if (length <= 0) continue
      const product = dot(values, i * n + start, values, j * n + start, length)
      G[i * count + j] = product
      G[j * count + i] = product
    }
  }
  return G
}

/** out[j] = product of vector j with x. */
export function bandedProducts({ n, count, values, from, to }: Banded, x: Float64Array, out: Float64Array): void {
  for (let j = 0; j < count; j++) out[j] = dot(values, j * n + from[j]!, x, from[j]!, to[j]! - from[j]!)
}

/** x += Σ w[j] · vector j. */
export function addBanded({ n, count, values, from, to }: Banded, w: Float64Array, x: Float64Array): void {
  for (let j = 0; j < count; j++) {
    if (w[j] !== 0) addScaledRow(x, from[j]!, values, j * n + from[j]!, w[j]!, to[j]! - from[j]!)
  }
}

/** `Lᵀ L` (rank × rank) of an n × rank factor. */
export function gram(L: Float64Array, n: number, rank: number): Float64Array {
  const G = new Float64Array(rank * rank)
  const filled = new Int32Array(rank)
  for (let k = 0; k < n; k++) {
    const row = k * rank
    let count = 0
    for (let j = 0; j < rank; j++) if (L[row + j] !== 0) filled[count++] = j
    for (let p = 0; p < count; p++) {
      const i = filled[p]!
      const value = L[row + i]!
      if (2 * count > rank) for (let j = 0; j <= i; j++) G[i * rank + j]! += value * L[row + j]!
      else for (let q = 0; q <= p; q++) G[i * rank + filled[q]!]! += value * L[row + filled[q]!]!
    }
  }
  for (let i = 0; i < rank; i++) for (let j = i + 1; j < rank; j++) G[i * rank + j] = G[j * rank + i]!
  return G
}

/**
 * Makes the columns of an n × rank matrix orthonormal in place, by Cholesky QR in two passes; returns the lower triangular R with B before = B after
 * · Rᵀ. For columns of condition up to about 1e7.
 */
export function orthonormalize(B: Float64Array, n: number, rank: number): Float64Array {
  let R: Float64Array = B
  for (let pass = 0; pass < 2; pass++) {
    const S = cholesky(gram(B, n, rank), rank, Number.MIN_VALUE)
    for (let i = 0; i < n; i++) {
      const at = i * rank
      for (let j = 0; j < rank; j++) B[at + j] = (B[at + j]! - dot(S, j * rank, B, at, j)) / S[j * rank + j]!
    }
    if (pass === 0) R = S
    else {
      const product = new Float64Array(rank * rank)
      for (let i = 0; i < rank; i++) {
        for (let k = 0; k <= i; k++) addScaledRow(product, i * rank, S, k * rank, R[i * rank + k]!, k + 1)
      }
      R = product
    }
  }
  return R
}

