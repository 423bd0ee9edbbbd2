/**
 * Complete orthogonal decomposition: Householder QR with column pivoting, then reflections from the right. It gives the least-norm least-squares
 * solution of any m × n system, over- or underdetermined, of any rank.
 */

/** Squared length below which a column counts as zero: its reciprocal would overflow. */
const UNDERFLOW = 1e-280

/** Remaining fraction of a squared length below which it is recomputed. */
const REMEASURE = 1e-6

export interface LeastNorm {
  readonly x: Float64Array
  readonly rank: number
}

/**
 * Least-norm least-squares solution of `A x = b`.
 *
 * `columns` holds A by columns (column j at j·m, m long) and is overwritten, as is `b` (m). Columns whose remaining length is at most `tolerance` ×
 * the longest of A count as dependent, and so do all beyond `maxRank`.
 */
export function leastNormSolve(
  columns: Float64Array, m: number, n: number, b: Float64Array, tolerance: number, maxRank = Math.min(m, n),
): LeastNorm {
  const order = new Int32Array(n)
  const left = new Float64Array(n)
  const measured = new Float64Array(n)
  let scale = 0
  for (let j = 0; j < n; j++) {
    order[j] = j
    left[j] = measured[j] = squared(columns, j * m, m)
    scale = Math.max(scale, left[j]!)
  }
  const cut = Math.max(tolerance * tolerance * scale, UNDERFLOW)
  const limit = Math.min(m, n, maxRank)
  let rank = 0
  while (rank < limit) {
    const k = rank
    let p = k
    for (let j = k; j < n; j++) {
      // Lengths are updated, and recomputed after cancellation.
      if (k > 0) left[j]! -= columns[order[j]! * m + k - 1]! * columns[order[j]! * m + k - 1]!
      if (left[j]! <= REMEASURE * measured[j]!) left[j] = measured[j] = squared(columns, order[j]! * m + k, m - k)
      if (left[j]! > left[p]!) p = j
    }
    if (!(left[p]! > cut)) break
    left[p] = squared(columns, order[p]! * m + k, m - k)
    const held = order[p]!
    order[p] = order[k]!
    order[k] = held
    const at = held * m + k
    const length = m - k
    const norm = Math.sqrt(left[p]!)
    left[p] = left[k]!
    measured[p] = measured[k]!
    const head = columns[at]!
    const alpha = head > 0 ? -norm : norm
    // v = x − α e₁, H = I − 2 v vᵀ / vᵀv, and vᵀv = 2 α (α − x₁)
    columns[at] = head - alpha
    const beta = 1 / (alpha * (alpha - head))
    for (let j = k + 1; j < n; j++) reflect(columns, at, columns, order[j]! * m + k, length, beta)
    reflect(columns, at, b, k, length, beta)
    columns[at] = alpha
    rank++
  }
  const x = new Float64Array(n)
  if (rank === 0) return { x, rank }

  // [R₁₁ R₁₂] Z = [T 0]: row i from the last up, mixing column i with the columns beyond the rank.
  const tail = n - rank
  const R = new Float64Array(rank * n)
  for (let i = 0; i < rank; i++) for (let j = i; j < n; j++) R[i * n + j] = columns[order[j]! * m + i]!
  const heads = new Float64Array(rank)
  const betas = new Float64Array(rank)
  if (tail > 0) {
    for (let i = rank - 1; i >= 0; i--) {
      const rest = squared(R, i * n + rank, tail)
      if (rest === 0) continue
      const head = R[i * n + i]!
      const norm = Math.sqrt(head * head + rest)
      const alpha = head > 0 ? -norm : norm
      heads[i] = head - alpha
      betas[i] = 1 / (alpha * (alpha - head))
      R[i * n + i] = alpha
      for (let row = 0; row < i; row++) {
        let s = heads[i]! * R[row * n + i]!
        for (let j = rank; j < n; j++) s += R[i * n + j]! * R[row * n + j]!
        s *= betas[i]!
        R[row * n + i]! -= s * heads[i]!
        for (let j = rank; j < n; j++) R[row * n + j]! -= s * R[i * n + j]!
      }
    }
  }
  const z = new Float64Array(n)
  for (let i = rank - 1; i >= 0; i--) {
    let s = b[i]!
    for (let j = i + 1; j < rank; j++) s -= R[i * n + j]! * z[j]!
    z[i] = s / R[i * n + i]!
  }
  for (let i = 0; i < rank; i++) {
    if (betas[i] === 0) continue
    let s = heads[i]! * z[i]!
    for (let j = rank; j < n; j++) s += R[i * n + j]! * z[j]!
    s *= betas[i]!
    z[i]! -= s * heads[i]!
    for (let j = rank; j < n; j++) z[j]! -= s * R[i * n + j]!
  }
  for (let j = 0; j < n; j++) x[order[j]!] = z[j]!
  return { x, rank }
}

function squared(x: Float64Array, at: number, n: number): number {
  let s = 0
  for (let k = 0; k < n; k++) s += x[at + k]! * x[at + k]!
  return s
}

/** y ← (I − β v vᵀ) y. */
function reflect(v: Float64Array, vi: number, y: Float64Array, yi: number, n: number, beta: number): void {
  let s = 0
  for (let k = 0; k < n; k++) s += v[vi + k]! * y[yi + k]!
  s *= beta
  if (s === 0) return
  for (let k = 0; k < n; k++) y[yi + k]! -= s * v[vi + k]!
}
