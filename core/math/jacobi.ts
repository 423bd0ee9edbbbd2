/** Eigenvalues and eigenvectors of small symmetric matrices by Jacobi's rotations [Golub & Van Loan, §8.5]. */

/** Largest number of sweeps over all elements. Convergence is quadratic; matrices of four rows need at most five. */
const SWEEPS = 12
/** × the largest diagonal element: smaller off-diagonal elements are rounding errors. */
const ROUNDING = 1e-16

/**
 * @param A n × n, row-major, symmetric; on return its diagonal has the eigenvalues
 * @param V n × n, row-major: eigenvectors, one a column
 */
export function eigenvectors(A: Float64Array, V: Float64Array, n: number): void {
  V.fill(0, 0, n * n)
  for (let i = 0; i < n; i++) V[i * n + i] = 1
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let scale = 0
    for (let i = 0; i < n; i++) scale = Math.max(scale, Math.abs(A[i * n + i]!))
    let largest = 0
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) {
        const off = A[i * n + j]!
        largest = Math.max(largest, Math.abs(off))
        if (off === 0) continue
        const half = (A[j * n + j]! - A[i * n + i]!) / (2 * off)
        const t = (half < 0 ? -1 : 1) / (Math.abs(half) + Math.sqrt(half * half + 1))
        const c = 1 / Math.sqrt(t * t + 1)
        rotate(A, V, n, i, j, c, t * c)
      }
    }
    if (largest <= ROUNDING * scale) return
  }
}

/** A ← Jᵀ A J, V ← V J with the rotation J of rows i and j by cosine c and sine s. */
function rotate(A: Float64Array, V: Float64Array, n: number, i: number, j: number, c: number, s: number): void {
  for (let k = 0; k < n; k++) {
    const [x, y] = [A[k * n + i]!, A[k * n + j]!]
    A[k * n + i] = c * x - s * y
    A[k * n + j] = s * x + c * y
  }
  for (let k = 0; k < n; k++) {
    const [x, y] = [A[i * n + k]!, A[j * n + k]!]
    A[i * n + k] = c * x - s * y
    A[j * n + k] = s * x + c * y
    const [v, w] = [V[k * n + i]!, V[k * n + j]!]
    V[k * n + i] = c * v - s * w
    V[k * n + j] = s * v + c * w
  }
}
