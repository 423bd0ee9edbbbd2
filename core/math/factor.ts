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

/** Share of the largest remaining diagonal element that a pivot must have: the first such row is taken, which keeps neighbours together. */
const NEAR_LARGEST = 0.2

/**
 * Cholesky with diagonal pivoting of a symmetric positive semidefinite n × n matrix, to rank: stops when the largest remaining diagonal
 * element is at most `tolerance` × the largest of A, or at `maxRank`. What is dropped is a semidefinite matrix of that size.
 */
export function pivotedCholesky(A: Float64Array, n: number, tolerance: number, maxRank = n): PivotedCholesky {
  const left = new Float64Array(n)
  let scale = 0
  for (let i = 0; i < n; i++) {
    left[i] = A[i * n + i]!
    scale = Math.max(scale, left[i]!)
  }
  // Columns of L one after another, each over all rows: multipliers that are zero cost nothing, which on the sparse matrices of stacks and
  // chains is most of them. Rows taken as pivots stay as they are.
  const columns: Float64Array[] = []
  const taken = new Uint8Array(n)
  const pivots: number[] = []
  while (pivots.length < Math.min(n, maxRank)) {
    let most = 0
    for (let i = 0; i < n; i++) if (taken[i] === 0) most = Math.max(most, left[i]!)
    if (!(most > tolerance * scale)) break
    let p = 0
    while (taken[p] !== 0 || left[p]! < NEAR_LARGEST * most) p++
    const largest = left[p]!
    const column = A.slice(p * n, p * n + n)
    for (const earlier of columns) {
      const factor = earlier[p]!
      if (factor !== 0) addScaledRow(column, 0, earlier, 0, -factor, n)
    }
    for (const row of pivots) column[row] = 0
    taken[p] = 1
    pivots.push(p)
    const pivot = Math.sqrt(largest)
    for (let i = 0; i < n; i++) {
      if (taken[i] !== 0 || column[i] === 0) continue
      const value = column[i]! / pivot
      column[i] = value
      left[i]! -= value * value
    }
    column[p] = pivot
    columns.push(column)
  }
  const rank = pivots.length
  const L = new Float64Array(n * rank)
  for (let j = 0; j < rank; j++) {
    const column = columns[j]!
    for (let i = 0; i < n; i++) L[i * rank + j] = column[i]!
  }
  return { n, rank, L, pivots: Int32Array.from(pivots) }
}

/** Lower Cholesky factor of a positive definite n × n matrix; pivots below `floor` are raised to it (0: the caller vouches for A). */
export function cholesky(A: Float64Array, n: number, floor = 0): Float64Array {
  const U = new Float64Array(n * n) // Lᵀ, so that the inner loop runs along rows and skips what is zero
  const x = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) x[j] = A[i * n + j]!
    for (let j = 0; j < i; j++) {
      if (x[j] === 0) continue
      const value = x[j]! / U[j * n + j]!
      U[j * n + i] = value
      for (let k = j + 1; k <= i; k++) x[k]! -= value * U[j * n + k]!
    }
    U[i * n + i] = Math.sqrt(Math.max(x[i]!, floor))
  }
  const L = new Float64Array(n * n)
  for (let i = 0; i < n; i++) for (let j = i; j < n; j++) L[j * n + i] = U[i * n + j]!
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
 *
 *   x = W⁻² L (Lᵀ W⁻² L)⁻¹ (Lᵀ L)⁻¹ Lᵀ b
 *
 * refined; x stays in the range of W⁻² L, where the solution is unique. The Gram matrices square the condition of L, so that refinement
 * may fail to settle on very uneven systems: those are done again with orthonormal columns.
 */
export function semidefiniteLeastNorm(
  A: Float64Array, n: number, b: Float64Array, tolerance: number, maxRank = n, weights?: Float64Array,
): { x: Float64Array; rank: number } {
  const { L, rank } = pivotedCholesky(A, n, tolerance, maxRank)
  if (rank === 0) return { x: new Float64Array(n), rank }
  let B = L
  if (weights) {
    B = L.slice()
    for (let i = 0; i < n; i++) for (let j = 0; j < rank; j++) B[i * rank + j]! /= weights[i]!
  }
  const R = cholesky(gram(L, n, rank), rank, Number.MIN_VALUE)
  const S = weights ? cholesky(gram(B, n, rank), rank, Number.MIN_VALUE) : R
  const quick = refined(A, n, b, rank, L, B, weights, w => {
    choleskySolve(R, rank, w)
    choleskySolve(S, rank, w)
  })
  if (quick.error <= SETTLED) return { x: quick.x, rank }
  const P = weights ? B : L.slice()
  const Q = L
  const T = orthonormalize(P, n, rank)
  const V = orthonormalize(Q, n, rank)
  const careful = refined(A, n, b, rank, Q, P, weights, w => {
    for (let i = rank - 1; i >= 0; i--) {
      w[i]! /= V[i * rank + i]!
      addScaledRow(w, 0, V, i * rank, -w[i]!, i)
    }
    for (let i = 0; i < rank; i++) w[i] = (w[i]! - dot(T, i * rank, w, 0, i)) / T[i * rank + i]!
  })
  return { x: careful.error <= quick.error ? careful.x : quick.x, rank }
}

/** Residual at which refinement has settled, × the largest |b| or |A x|. */
const SETTLED = 1e-14
const MAX_REFINEMENTS = 6

/** x ← x + W⁻¹ B solve(Lᵀ (b − A x)) until the residual settles; `error` is the least residual ÷ the largest |b| or |A| |x|. */
function refined(
  A: Float64Array, n: number, b: Float64Array, rank: number, L: Float64Array, B: Float64Array, weights: Float64Array | undefined,
  solve: (w: Float64Array) => void,
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
    w.fill(0)
    for (let i = 0; i < n; i++) addScaledRow(w, 0, L, i * rank, rest[i]!, rank)
    solve(w)
    for (let i = 0; i < n; i++) x[i]! += dot(B, i * rank, w, 0, rank) / (weights ? weights[i]! : 1)
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
