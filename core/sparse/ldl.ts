/**
 * Sparse factorisation P A Pᵀ = L D Lᵀ of symmetric matrices, row by row along the elimination tree [Davis 2005, *Algorithm 849*]. The symbolic part
 * is computed once for a pattern, so that a matrix of the same pattern is factored again without allocation.
 *
 * D may have negative elements; their number is the matrix's number of negative eigenvalues, which shows whether a Hessian is positive definite.
 */

import { eliminationOf } from './elimination'

export interface SparseLDL {
  readonly n: number
  /** Elements of L below the diagonal. */
  readonly fill: number
  /**
   * Factors the matrix with the given lower triangle, in the order of the pattern.
   *
   * @returns whether no pivot was smaller than `tolerance` × its diagonal element
   */
  factor(values: Float64Array, tolerance: number): boolean
  /** Of the last factorisation. */
  readonly negatives: number
  /** Solves A x = b, in place of b. */
  solve(b: Float64Array): void
}

/**
 * @param starts, columns lower triangle of the n × n pattern by rows, including the diagonal
 * @param order rows in the order of elimination
 */
export function sparseLDL(n: number, starts: Int32Array, columns: Int32Array, order: Int32Array): SparseLDL {
  const places = new Int32Array(n)
  for (let k = 0; k < n; k++) places[order[k]!] = k
  const { heads, from, rows } = permuted(n, starts, columns, places)
  const { parent, counts, columnStarts, flag } = eliminationOf(n, heads, rows)
  const fill = columnStarts[n]!
  const Li = new Int32Array(fill)
  const L = new Float64Array(fill)
  const D = new Float64Array(n)
  const y = new Float64Array(n)
  const stack = new Int32Array(n)
  const path = new Int32Array(n)
  let negatives = 0
  return {
    n, fill,
    get negatives() { return negatives },
    factor(values, tolerance) {
      counts.fill(0)
      flag.fill(-1)
      y.fill(0)
      negatives = 0
      for (let k = 0; k < n; k++) {
        let top = n
        flag[k] = k
        for (let p = heads[k]!; p < heads[k + 1]!; p++) {
          let i = rows[p]!
          y[i]! += values[from[p]!]!
          let length = 0
          for (; flag[i] !== k; i = parent[i]!) {
            path[length++] = i
            flag[i] = k
          }
          while (length > 0) stack[--top] = path[--length]!
        }
        const diagonal = y[k]!
        let pivot = diagonal
        y[k] = 0
        for (; top < n; top++) {
          const i = stack[top]!
          const yi = y[i]!
          y[i] = 0
          const end = columnStarts[i]! + counts[i]!
          for (let p = columnStarts[i]!; p < end; p++) y[Li[p]!]! -= L[p]! * yi
          const l = yi / D[i]!
          pivot -= l * yi
          Li[end] = k
          L[end] = l
          counts[i]!++
        }
        if (!(Math.abs(pivot) > tolerance * Math.abs(diagonal))) return false
        if (pivot < 0) negatives++
        D[k] = pivot
      }
      return true
    },
    solve(b) {
      for (let k = 0; k < n; k++) y[k] = b[order[k]!]!
      for (let k = 0; k < n; k++) {
        const yk = y[k]!
        for (let p = columnStarts[k]!; p < columnStarts[k + 1]!; p++) y[Li[p]!]! -= L[p]! * yk
      }
      for (let k = n - 1; k >= 0; k--) {
        let sum = y[k]! / D[k]!
        for (let p = columnStarts[k]!; p < columnStarts[k + 1]!; p++) sum -= L[p]! * y[Li[p]!]!
        y[k] = sum
      }
      for (let k = 0; k < n; k++) b[order[k]!] = y[k]!
      y.fill(0)
    },
  }
}

/** The upper triangle of P A Pᵀ by columns, including the diagonal: the row of each element, and its index in the given pattern. */
function permuted(n: number, starts: Int32Array, columns: Int32Array, places: Int32Array): { heads: Int32Array; rows: Int32Array; from: Int32Array } {
  const heads = new Int32Array(n + 1)
  const each = (visit: (row: number, column: number, at: number) => void): void => {
    for (let i = 0; i < n; i++) {
      for (let k = starts[i]!; k < starts[i + 1]!; k++) {
        const a = places[i]!
        const b = places[columns[k]!]!
        visit(Math.min(a, b), Math.max(a, b), k)
      }
    }
  }
  each((_row, column) => { heads[column + 1]!++ })
  for (let k = 0; k < n; k++) heads[k + 1]! += heads[k]!
  const next = heads.slice(0, n)
  const rows = new Int32Array(heads[n]!)
  const from = new Int32Array(heads[n]!)
  each((row, column, at) => {
    const to = next[column]!++
    rows[to] = row
    from[to] = at
  })
  return { heads, rows, from }
}
