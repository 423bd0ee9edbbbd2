/** Symbolic data of a factor L D Lᵀ of a sparse symmetric matrix: its elimination tree and the number of entries of each column. */

export interface Elimination {
  /** By row: the first row below with an entry in its column of L; −1 for none. */
  readonly parent: Int32Array
  /** By column of L; for use in factoring. */
  readonly counts: Int32Array
  /** Starts of the columns of L; n + 1 entries. */
  readonly columnStarts: Int32Array
  /** Marks, one per row. */
  readonly flag: Int32Array
}

/** @param heads, rows upper triangle by columns, in the order of elimination: the rows of column k are `rows[heads[k]]` to `rows[heads[k + 1] - 1]` */
export function eliminationOf(n: number, heads: Int32Array, rows: Int32Array): Elimination {
  const parent = new Int32Array(n)
  const flag = new Int32Array(n)
  const counts = new Int32Array(n)
  for (let k = 0; k < n; k++) {
    parent[k] = -1
    flag[k] = k
    for (let p = heads[k]!; p < heads[k + 1]!; p++) {
      for (let i = rows[p]!; flag[i] !== k; i = parent[i]!) {
        if (parent[i] === -1) parent[i] = k
        counts[i]!++
        flag[i] = k
      }
    }
  }
  const columnStarts = new Int32Array(n + 1)
  for (let k = 0; k < n; k++) columnStarts[k + 1] = columnStarts[k]! + counts[k]!
  return { parent, counts, columnStarts, flag }
}
