/** Inverse of symmetric positive definite 3 × 3 blocks, row-major, in flat arrays. */

/** Pivots below this fraction of the largest diagonal element count as zero: they are the rounding errors of a singular block. */
const SINGULAR = 1e-14

/** Writes the inverse of the block at `from` in `A` to `to` in `out`. @returns whether the block is positive definite; if not, nothing is written */
export function invertBlock(A: Float64Array, from: number, out: Float64Array, to: number): boolean {
  const a = A[from]!
  const b = A[from + 3]!
  const c = A[from + 6]!
  const d = A[from + 4]!
  const e = A[from + 7]!
  const f = A[from + 8]!
  const limit = SINGULAR * Math.max(a, d, f)
  if (!(a > limit)) return false
  const second = d - (b * b) / a
  if (!(second > limit)) return false
  const m = e - (b * c) / a
  if (!(f - (c * c) / a - (m * m) / second > limit)) return false
  const A00 = d * f - e * e
  const A01 = c * e - b * f
  const A02 = b * e - c * d
  const over = 1 / (a * A00 + b * A01 + c * A02)
  out[to] = A00 * over
  out[to + 1] = out[to + 3] = A01 * over
  out[to + 2] = out[to + 6] = A02 * over
  out[to + 4] = (a * f - c * c) * over
  out[to + 5] = out[to + 7] = (b * c - a * e) * over
  out[to + 8] = (a * d - b * b) * over
  return true
}

/** C −= A Bᵀ for blocks that begin at `c`, `a` and `b`. */
export function subtractOuter(C: Float64Array, c: number, A: Float64Array, a: number, B: Float64Array, b: number): void {
  const b0 = B[b]!
  const b1 = B[b + 1]!
  const b2 = B[b + 2]!
  const b3 = B[b + 3]!
  const b4 = B[b + 4]!
  const b5 = B[b + 5]!
  const b6 = B[b + 6]!
  const b7 = B[b + 7]!
  const b8 = B[b + 8]!
  for (let r = 0; r < 9; r += 3) {
    const x = A[a + r]!
    const y = A[a + r + 1]!
    const z = A[a + r + 2]!
    C[c + r]! -= x * b0 + y * b1 + z * b2
    C[c + r + 1]! -= x * b3 + y * b4 + z * b5
    C[c + r + 2]! -= x * b6 + y * b7 + z * b8
  }
}

/** C = A B, with A at the start of its array; C must not overlap A. */
export function timesBlock(A: Float64Array, B: Float64Array, b: number, C: Float64Array, c: number): void {
  for (let r = 0; r < 9; r += 3) {
    const x = A[r]!
    const y = A[r + 1]!
    const z = A[r + 2]!
    C[c + r] = x * B[b]! + y * B[b + 3]! + z * B[b + 6]!
    C[c + r + 1] = x * B[b + 1]! + y * B[b + 4]! + z * B[b + 7]!
    C[c + r + 2] = x * B[b + 2]! + y * B[b + 5]! + z * B[b + 8]!
  }
}
