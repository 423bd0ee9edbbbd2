/** Three-vectors and 3 × 3 blocks inside flat arrays, for the element functions. */

/** Adds `s` (u vᵀ) to the 3 × 3 block at row `r`, column `c` of a row-major matrix of the given width. */
export function addOuter(
  H: Float64Array, width: number, r: number, c: number, s: number,
  u0: number, u1: number, u2: number, v0: number, v1: number, v2: number,
): void {
  let at = r * width + c
  H[at]! += s * u0 * v0
  H[at + 1]! += s * u0 * v1
  H[at + 2]! += s * u0 * v2
  at += width
  H[at]! += s * u1 * v0
  H[at + 1]! += s * u1 * v1
  H[at + 2]! += s * u1 * v2
  at += width
  H[at]! += s * u2 * v0
  H[at + 1]! += s * u2 * v1
  H[at + 2]! += s * u2 * v2
}

/** Adds `s` times the unit matrix to the block at row `r`, column `c`. */
export function addUnit(H: Float64Array, width: number, r: number, c: number, s: number): void {
  const at = r * width + c
  H[at]! += s
  H[at + width + 1]! += s
  H[at + 2 * width + 2]! += s
}

/** Adds `s` [w]×, the matrix of v ↦ w × v. */
export function addCross(H: Float64Array, width: number, r: number, c: number, s: number, w0: number, w1: number, w2: number): void {
  const at = r * width + c
  H[at + 1]! -= s * w2
  H[at + 2]! += s * w1
  H[at + width]! += s * w2
  H[at + width + 2]! -= s * w0
  H[at + 2 * width]! -= s * w1
  H[at + 2 * width + 1]! += s * w0
}

/** Adds the 3 × 3 block at `from` of `B` (row-major, width 3) times `s` to the block at (r, c), or its transpose. */
export function addBlock(H: Float64Array, width: number, r: number, c: number, s: number, B: Float64Array, from = 0, transposed = false): void {
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) H[(r + i) * width + c + j]! += s * (transposed ? B[from + 3 * j + i]! : B[from + 3 * i + j]!)
  }
}
