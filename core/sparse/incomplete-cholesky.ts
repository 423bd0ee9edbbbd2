/**
 * Incomplete factorisation A ≈ L D Lᵀ by 3 × 3 blocks in the pattern of A, as preconditioner [Meijerink & van der Vorst 77]: L has unit blocks on the
 * diagonal. If a pivot block is not positive definite, the diagonal is shifted and the factorisation repeated [Manteuffel 80].
 */

import { blockMatrix, type BlockMatrix, type BlockPattern } from './block-matrix'
import type { BlockJacobi } from './block-jacobi'
import { invertBlock, subtractOuter, timesBlock } from './small'

/** First shift of the diagonal, × the diagonal; each further shift is four times larger. After the last, the caller uses another preconditioner. */
const FIRST_SHIFT = 1e-3
const LAST_SHIFT = 1

export function incompleteCholesky(pattern: BlockPattern): BlockJacobi {
  const { n, starts, columns } = pattern
  const L = blockMatrix(pattern).values
  const inverses = new Float64Array(9 * n)
  const product = new Float64Array(9)
  /** Block of the current row in each column; −1 for none. */
  const place = new Int32Array(n).fill(-1)

  function factored(values: Float64Array, shift: number): boolean {
    L.set(values)
    for (let i = 0; i < n; i++) {
      const last = starts[i + 1]! - 1
      const raise = 1 + shift
      L[9 * last]! *= raise
      L[9 * last + 4]! *= raise
      L[9 * last + 8]! *= raise
      for (let k = starts[i]!; k <= last; k++) place[columns[k]!] = k
      // In ascending columns j: L_ij still holds A_ij − Σ L_im D_m L_jmᵀ, that is L_ij D_j.
      for (let k = starts[i]!; k < last; k++) {
        const j = columns[k]!
        for (let m = starts[j]!; m < starts[j + 1]! - 1; m++) {
          const other = place[columns[m]!]!
          if (other >= 0) subtractOuter(L, 9 * k, L, 9 * other, L, 9 * m)
        }
      }
      for (let k = starts[i]!; k < last; k++) {
        for (let c = 0; c < 9; c++) product[c] = L[9 * k + c]!
        timesBlock(product, inverses, 9 * columns[k]!, L, 9 * k)
        subtractOuter(L, 9 * last, product, 0, L, 9 * k)
      }
      for (let k = starts[i]!; k <= last; k++) place[columns[k]!] = -1
      if (!invertBlock(L, 9 * last, inverses, 9 * i)) return false
    }
    return true
  }

  return {
    factor(A: BlockMatrix): boolean {
      if (factored(A.values, 0)) return true
      for (let shift = FIRST_SHIFT; shift <= LAST_SHIFT; shift *= 4) if (factored(A.values, shift)) return true
      return false
    },
    apply(x, y) {
      y.set(x)
      for (let i = 0; i < n; i++) {
        const a = 3 * i
        let y0 = y[a]!
        let y1 = y[a + 1]!
        let y2 = y[a + 2]!
        for (let k = starts[i]!; k < starts[i + 1]! - 1; k++) {
          const v = 9 * k
          const j = 3 * columns[k]!
          const u0 = y[j]!
          const u1 = y[j + 1]!
          const u2 = y[j + 2]!
          y0 -= L[v]! * u0 + L[v + 1]! * u1 + L[v + 2]! * u2
          y1 -= L[v + 3]! * u0 + L[v + 4]! * u1 + L[v + 5]! * u2
          y2 -= L[v + 6]! * u0 + L[v + 7]! * u1 + L[v + 8]! * u2
        }
        y[a] = y0
        y[a + 1] = y1
        y[a + 2] = y2
      }
      for (let i = n - 1; i >= 0; i--) {
        const a = 3 * i
        const d = 9 * i
        const u0 = y[a]!
        const u1 = y[a + 1]!
        const u2 = y[a + 2]!
        y[a] = inverses[d]! * u0 + inverses[d + 1]! * u1 + inverses[d + 2]! * u2
        y[a + 1] = inverses[d + 3]! * u0 + inverses[d + 4]! * u1 + inverses[d + 5]! * u2
        y[a + 2] = inverses[d + 6]! * u0 + inverses[d + 7]! * u1 + inverses[d + 8]! * u2
      }
      for (let i = n - 1; i >= 0; i--) {
        const a = 3 * i
        const y0 = y[a]!
        const y1 = y[a + 1]!
        const y2 = y[a + 2]!
        for (let k = starts[i]!; k < starts[i + 1]! - 1; k++) {
          const v = 9 * k
          const j = 3 * columns[k]!
          y[j]! -= L[v]! * y0 + L[v + 3]! * y1 + L[v + 6]! * y2
          y[j + 1]! -= L[v + 1]! * y0 + L[v + 4]! * y1 + L[v + 7]! * y2
          y[j + 2]! -= L[v + 2]! * y0 + L[v + 5]! * y1 + L[v + 8]! * y2
        }
      }
    },
  }
}
