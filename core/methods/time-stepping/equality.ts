/** Joint rows alone: equality constraints of a small, possibly rank-deficient system, factored once for many right-hand sides. */

import { pivotedCholesky, type PivotedCholesky } from '../../math/semidefinite'
import { DEPENDENT } from './tolerances'

export class EqualityRows {
  private readonly factor: PivotedCholesky
  private readonly scale: Float64Array

  /** @param A n × n, row-major, semidefinite; scaled in place */
  constructor(A: Float64Array, n: number) {
    this.scale = Float64Array.from({ length: n }, (_, i) => A[i * n + i]! > 0 ? 1 / Math.sqrt(A[i * n + i]!) : 0)
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) A[i * n + j]! *= this.scale[i]! * this.scale[j]!
    this.factor = pivotedCholesky(A, n, DEPENDENT)
  }

  /** A x = b on independent rows; the multipliers of redundant ones are 0. */
  solve(b: Float64Array, x: Float64Array): void {
    const { factor: { L, rank, pivots }, scale } = this
    const y = new Float64Array(rank)
    x.fill(0)
    for (let k = 0; k < rank; k++) {
      const row = pivots[k]!
      let sum = b[row]! * scale[row]!
      for (let j = 0; j < k; j++) sum -= L[row * rank + j]! * y[j]!
      y[k] = sum / L[row * rank + k]!
    }
    for (let k = rank - 1; k >= 0; k--) {
      const row = pivots[k]!
      const value = y[k]! / L[row * rank + k]!
      x[row] = value * scale[row]!
      for (let j = 0; j < k; j++) y[j]! -= L[row * rank + j]! * value
    }
  }
}
