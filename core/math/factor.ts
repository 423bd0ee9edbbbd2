/** Dense factorisations of regular matrices: LU with partial pivoting and Cholesky. Matrices are row-major `Float64Array`s. */

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
  /** Row of the original matrix in each row of `lu`. */
  readonly rows: Int32Array
  /** Smallest ÷ largest |U_ii|; 0 if the matrix is singular to working precision. */
  readonly pivotRatio: number
}

/** `P A = L U` of an n × n matrix; `A` is unchanged. A zero pivot sets `pivotRatio` to 0; this factor must not be used for solving. */
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

/** `A x = b` with a factor of A; `b` is unchanged. */
export function luSolve(factor: LU, b: Float64Array): Float64Array {
  const { n, lu, rows } = factor
  const x = new Float64Array(n)
  for (let i = 0; i < n; i++) x[i] = b[rows[i]!]! - dot(lu, i * n, x, 0, i)
  for (let i = n - 1; i >= 0; i--) x[i] = (x[i]! - dot(lu, i * n + i + 1, x, i + 1, n - i - 1)) / lu[i * n + i]!
  return x
}

/**
 * Lower Cholesky factor of a positive definite n × n matrix; pivots below `floor` are raised to it (0: the caller guarantees that A is positive
 * definite).
 */
export function cholesky(A: Float64Array, n: number, floor = 0): Float64Array {
  const U = new Float64Array(n * n) // Lᵀ, so that the inner loop runs along rows and skips zeros
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
