/**
 * Joint rows alone: equality constraints of a possibly rank-deficient system, factored once for many right-hand sides. In the order of a chain or a tree its
 * matrix is banded, and so is its factor.
 */

import { addScaledRow, dot } from '../../math/factor'
import { choleskyColumns, type CholeskyColumns } from '../../math/semidefinite'
import { DEPENDENT } from './tolerances'

export class EqualityRows {
  private readonly factor: CholeskyColumns
  private readonly scale: Float64Array
  /** Scratch: the right-hand side that is left, and by column of the factor. */
  private readonly left: Float64Array
  private readonly y: Float64Array

  /** @param A n × n, row-major, semidefinite; scaled in place */
  constructor(A: Float64Array, n: number) {
    this.scale = Float64Array.from({ length: n }, (_, i) => A[i * n + i]! > 0 ? 1 / Math.sqrt(A[i * n + i]!) : 0)
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) A[i * n + j]! *= this.scale[i]! * this.scale[j]!
    this.factor = choleskyColumns(A, n, DEPENDENT)
    this.left = new Float64Array(n)
    this.y = new Float64Array(this.factor.count)
  }

  /** A x = b on independent rows; the multipliers of redundant ones are 0. */
  solve(b: Float64Array, x: Float64Array): void {
    const { factor: { n, count, values, from, to, pivots }, scale, left, y } = this
    for (let i = 0; i < n; i++) left[i] = b[i]! * scale[i]!
    for (let k = 0; k < count; k++) {
      const p = pivots[k]!
      const start = from[k]!
      y[k] = left[p]! / values[k * n + p]!
      addScaledRow(left, start, values, k * n + start, -y[k]!, to[k]! - start)
    }
    x.fill(0)
    // x is still zero at the column's own pivot, and at redundant rows.
    for (let k = count - 1; k >= 0; k--) {
      const p = pivots[k]!
      const start = from[k]!
      x[p] = (y[k]! - dot(values, k * n + start, x, start, to[k]! - start)) / values[k * n + p]!
    }
    for (let i = 0; i < n; i++) x[i]! *= scale[i]!
  }
}
