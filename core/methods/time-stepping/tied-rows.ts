/** The joint rows of an island by themselves, factored: the impulses with which they change their own rates. */

import type { Rows } from '../../contact/rows'
import { ROW_EQUALITY } from '../../lcp/problem'
import { EqualityRows } from './equality'

export class TiedRows {
  private readonly equalities: EqualityRows

  /**
   * @param tied their numbers
   * @param A of these rows, row-major; scaled in place
   */
  constructor(readonly tied: Int32Array, A: Float64Array) {
    this.equalities = new EqualityRows(A, tied.length)
  }

  /** From the rows of an island. */
  static among({ rows, kind }: { readonly rows: Rows; readonly kind: Uint8Array }): TiedRows {
    const tied = rowsWhere(rows.count, row => kind[row] === ROW_EQUALITY)
    const A = new Float64Array(tied.length * tied.length)
    rows.delassus(A, tied)
    return new TiedRows(tied, A)
  }

  /** A x = b for one value a tied row. */
  solve(b: Float64Array, x: Float64Array): void {
    this.equalities.solve(b, x)
  }

  /** Changes of their impulses by which their rates change by `missing`, which has one value for every row of the island. */
  settle(missing: Float64Array): Float64Array {
    const change = new Float64Array(this.tied.length)
    this.equalities.solve(Float64Array.from(this.tied, row => missing[row]!), change)
    return change
  }
}

/** The indices below n that are chosen. */
export function rowsWhere(n: number, chosen: (row: number) => boolean): Int32Array {
  const found = new Int32Array(n)
  let count = 0
  for (let row = 0; row < n; row++) if (chosen(row)) found[count++] = row
  return found.slice(0, count)
}
