/**
 * Dense factorisations: LU with partial pivoting, and Cholesky with complete (diagonal) pivoting for semidefinite matrices whose rank is
 * not known beforehand, with the least-norm least-squares solve that goes with it. Matrices are row-major `Float64Array`s.
 */

/** Σ x[xi + k] y[yi + k], k < n, in four running sums (the order is fixed, so the result is the same everywhere). */
export function dot(x: Float64Array, xi: number, y: Float64Array, yi: number, n: number): number {
  let s0 = 0
  let s1 = 0
  let s2 = 0
  let s3 = 0
  let k = 0
  for (; k + 3 < n; k += 4) {
    s0 += x[xi + k]! * y[yi + k]!
    s1 += x[xi + k + 1]! * y[yi + k + 1]!
    s2 += x[xi + k + 2]! * y[yi + k + 2]!
    s3 += x[xi + k + 3]! * y[yi + k + 3]!
  }
  for (; k < n; k++) s0 += x[xi + k]! * y[yi + k]!
  return (s0 + s1) + (s2 + s3)
}

/** x[xi + k] += s y[yi + k], k < n. */
export function addScaledRow(x: Float64Array, xi: number, y: Float64Array, yi: number, s: number, n: number): void {
  for (let k = 0; k < n; k++) x[xi + k]! += s * y[yi + k]!
}

export interface LU {
  readonly n: number
  /** L below the diagonal (unit diagonal implied), U on and above it; rows already exchanged. */
  readonly lu: Float64Array
  /** Row of the original matrix that stands in each row of `lu`. */
  readonly rows: Int32Array
  /** Smallest ÷ largest |U_ii|; 0 where the matrix is singular to working precision. */
  readonly pivotRatio: number
}

/** `P A = L U` of an n × n matrix; `A` is left alone. A zero pivot leaves `pivotRatio` 0 and a factor that must not be solved with. */
export function luFactor(A: Float64Array, n: number): LU {
  const lu = A.slice(0, n * n)
  const rows = new Int32Array(n)
  for (let i = 0; i < n; i++) rows[i] = i
  let smallest = Infinity
  let largest = 0
  for (let k = 0; k < n; k++) {
    let p = k
    let best = Math.abs(lu[k * n + k]!)
    for (let i = k + 1; i < n; i++) {
      const size = Math.abs(lu[i * n + k]!)
      if (size > best) {
        best = size
        p = i
      }
    }
    smallest = Math.min(smallest, best)
    largest = Math.max(largest, best)
    if (best === 0) continue
    if (p !== k) {
      const row = rows[p]!
      rows[p] = rows[k]!
      rows[k] = row
      for (let j = 0; j < n; j++) {
        const held = lu[p * n + j]!
        lu[p * n + j] = lu[k * n + j]!
        lu[k * n + j] = held
      }
    }
    const pivot = 1 / lu[k * n + k]!
    const kk = k * n
    for (let i = k + 1; i < n; i++) {
      const ii = i * n
      if (lu[ii + k] === 0) continue
      const factor = lu[ii + k]! * pivot
      lu[ii + k] = factor
      for (let j = k + 1; j < n; j++) lu[ii + j]! -= factor * lu[kk + j]!
    }
  }
  return { n, lu, rows, pivotRatio: n === 0 ? 1 : largest > 0 ? smallest / largest : 0 }
}

/** `A x = b` with a factor of A; `b` is left alone. */
export function luSolve(factor: LU, b: Float64Array): Float64Array {
  const { n, lu, rows } = factor
  const x = new Float64Array(n)
  for (let i = 0; i < n; i++) x[i] = b[rows[i]!]! - dot(lu, i * n, x, 0, i)
  for (let i = n - 1; i >= 0; i--) x[i] = (x[i]! - dot(lu, i * n + i + 1, x, i + 1, n - i - 1)) / lu[i * n + i]!
  return x
}

export interface PivotedCholesky {
  readonly n: number
  readonly rank: number
  /** n × rank, row-major: rows in the order of the *original* matrix, so that A ≈ L Lᵀ as it stands. */
  readonly L: Float64Array
  /** Rows taken as pivots, in their order; `L` restricted to them is lower triangular. Length `rank`. */
  readonly pivots: Int32Array
}

/**
 * Cholesky with diagonal pivoting of a symmetric positive semidefinite n × n matrix, to rank: stops when the largest remaining diagonal
 * element is at most `tolerance` × the largest of A, or at `maxRank`. What is dropped is a semidefinite matrix of that size.
 */
export function pivotedCholesky(A: Float64Array, n: number, tolerance: number, maxRank = n): PivotedCholesky {
  const order = new Int32Array(n)
  const left = new Float64Array(n)
  let scale = 0
  for (let i = 0; i < n; i++) {
    order[i] = i
    left[i] = A[i * n + i]!
    scale = Math.max(scale, left[i]!)
  }
  const W = new Float64Array(n * n) // rows in the order of `order`
  let rank = 0
  while (rank < Math.min(n, maxRank)) {
    const k = rank
    let p = k
    for (let i = k + 1; i < n; i++) if (left[order[i]!]! > left[order[p]!]!) p = i
    const largest = left[order[p]!]!
    if (!(largest > tolerance * scale)) break
    if (p !== k) {
      const row = order[p]!
      order[p] = order[k]!
      order[k] = row
      for (let j = 0; j < k; j++) {
        const held = W[p * n + j]!
        W[p * n + j] = W[k * n + j]!
        W[k * n + j] = held
      }
    }
    const pivot = Math.sqrt(largest)
    W[k * n + k] = pivot
    const column = order[k]! * n
    for (let i = k + 1; i < n; i++) {
      const row = order[i]!
      const value = (A[column + row]! - dot(W, i * n, W, k * n, k)) / pivot
      W[i * n + k] = value
      left[row]! -= value * value
    }
    rank++
  }
  const L = new Float64Array(n * rank)
  for (let i = 0; i < n; i++) {
    const row = order[i]! * rank
    for (let j = 0; j < rank; j++) L[row + j] = W[i * n + j]!
  }
  return { n, rank, L, pivots: order.slice(0, rank) }
}

/** Lower Cholesky factor of a positive definite n × n matrix; pivots below `floor` are raised to it (0: the caller vouches for A). */
export function cholesky(A: Float64Array, n: number, floor = 0): Float64Array {
  const L = new Float64Array(n * n)
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) L[i * n + j] = (A[i * n + j]! - dot(L, i * n, L, j * n, j)) / L[j * n + j]!
    L[i * n + i] = Math.sqrt(Math.max(A[i * n + i]! - dot(L, i * n, L, i * n, i), floor))
  }
  return L
}

/** `L Lᵀ x = b`, in place of `b`. */
export function choleskySolve(L: Float64Array, n: number, b: Float64Array): void {
  for (let i = 0; i < n; i++) b[i] = (b[i]! - dot(L, i * n, b, 0, i)) / L[i * n + i]!
  for (let i = n - 1; i >= 0; i--) {
    const x = b[i]! / L[i * n + i]!
    b[i] = x
    for (let j = 0; j < i; j++) b[j]! -= L[i * n + j]! * x
  }
}

/** `Lᵀ L` (rank × rank) of an n × rank factor. */
export function gram(L: Float64Array, n: number, rank: number): Float64Array {
  const G = new Float64Array(rank * rank)
  for (let k = 0; k < n; k++) {
    const row = k * rank
    for (let i = 0; i < rank; i++) {
      const value = L[row + i]!
      if (value === 0) continue
      for (let j = 0; j <= i; j++) G[i * rank + j]! += value * L[row + j]!
    }
  }
  for (let i = 0; i < rank; i++) for (let j = i + 1; j < rank; j++) G[i * rank + j] = G[j * rank + i]!
  return G
}

/**
 * Makes the columns of an n × rank matrix orthonormal in place, by Cholesky QR in two passes; returns the lower triangular R with
 * B before = B after · Rᵀ. For columns of condition up to about 1e7.
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

/**
 * The least-squares solution of `A x = b` that minimises Σ (wᵢ xᵢ)², for a symmetric positive semidefinite A of unknown rank
 * (w = 1 without `weights`). It depends on A and b smoothly while the rank stays the same, whatever the order of pivots: with A = L Lᵀ,
 * L = Q Rᵀ and W⁻¹ L = P Sᵀ it is x = W⁻¹ P S⁻¹ R⁻ᵀ Qᵀ b, refined twice.
 */
export function semidefiniteLeastNorm(
  A: Float64Array, n: number, b: Float64Array, tolerance: number, maxRank = n, weights?: Float64Array,
): { x: Float64Array; rank: number } {
  const { L: Q, rank } = pivotedCholesky(A, n, tolerance, maxRank)
  const x = new Float64Array(n)
  if (rank === 0) return { x, rank }
  let P = Q
  let S: Float64Array | undefined
  if (weights) {
    P = Q.slice()
    for (let i = 0; i < n; i++) for (let j = 0; j < rank; j++) P[i * rank + j]! /= weights[i]!
    S = orthonormalize(P, n, rank)
  }
  const R = orthonormalize(Q, n, rank)
  S ??= R
  const rest = b.slice(0, n)
  const w = new Float64Array(rank)
  for (let pass = 0; pass < 3; pass++) {
    w.fill(0)
    for (let i = 0; i < n; i++) addScaledRow(w, 0, Q, i * rank, rest[i]!, rank)
    for (let i = rank - 1; i >= 0; i--) {
      w[i]! /= R[i * rank + i]!
      addScaledRow(w, 0, R, i * rank, -w[i]!, i)
    }
    for (let i = 0; i < rank; i++) w[i] = (w[i]! - dot(S, i * rank, w, 0, i)) / S[i * rank + i]!
    for (let i = 0; i < n; i++) x[i]! += dot(P, i * rank, w, 0, rank) / (weights ? weights[i]! : 1)
    if (pass === 2) break
    for (let i = 0; i < n; i++) rest[i] = b[i]! - dot(A, i * n, x, 0, n)
  }
  return { x, rank }
}
