/**
 * Sparse factorisation P A Pᵀ = L D Lᵀ of symmetric matrices of 3 × 3 blocks, block row by block row along the elimination tree [Davis 2005,
 * *Algorithm 849*]. Ordering and elimination are by blocks: each block is read once for 27 products. Within a block of D elimination is scalar, so
 * pivots and their signs are those of the scalar factorisation in the same order. The symbolic part is computed once for a pattern; rows are eliminated by the
 * kernel kernels/block-elimination.ts.
 */

import { eliminationOf } from './elimination'
import { eliminateRow, FactorMemory, type FactorArrays } from './factor-memory'
import type { BlockMatrix, BlockPattern } from './block-matrix'
import { graphOf, minimumDegree } from './ordering'

export interface BlockLDL {
  /** Number of elements in the factor. */
  readonly fill: number
  /** Negative pivots of the last factorisation: negative eigenvalues of the matrix. */
  readonly negatives: number
  /**
   * @param indefinite false: the factorisation ends at the first negative pivot
   * @returns whether it is complete, and no pivot was smaller than `tolerance` × its diagonal element
   */
  factor(A: BlockMatrix, tolerance: number, indefinite?: boolean): boolean
  /** In place of b. */
  solve(b: Float64Array): void
}

/** Places of the elements of a row-major 3 × 3 block in a block of the working row. */
const PLACES = [0, 1, 6, 2, 3, 7, 4, 5, 8] as const

/** @param eliminate eliminates row k by the columns from `stack[top]` on: the kernel, or its equivalent in a test */
export function blockLDL(pattern: BlockPattern, eliminate = eliminateRow): BlockLDL {
  const { n } = pattern
  const order = minimumDegree(graphOf(n, pattern.starts, pattern.columns))
  const { heads, rows, from } = permuted(pattern, order)
  const { parent, columnStarts, flag } = eliminationOf(n, heads, rows)
  const blocks = columnStarts[n]!
  const memory = new FactorMemory(n, columnStarts)
  const path = new Int32Array(n)
  let negatives = 0

  /** Copies row k of the matrix to y, and pushes the required columns to the end of the stack, in order. @returns index of the first of them */
  function gather(k: number, values: Float64Array, { y, stack }: FactorArrays): number {
    let top = n
    flag[k] = k
    for (let p = heads[k]!; p < heads[k + 1]!; p++) {
      let i = rows[p]!
      const to = 9 * i
      const source = from[p]!
      if (source >= 0) {
        const v = 9 * source
        for (let e = 0; e < 9; e++) y[to + PLACES[e]!] = values[v + e]!
      } else {
        const v = 9 * ~source
        for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) y[to + PLACES[3 * r + c]!] = values[v + 3 * c + r]!
      }
      let length = 0
      for (; flag[i] !== k; i = parent[i]!) {
        path[length++] = i
        flag[i] = k
      }
      while (length > 0) stack[--top] = path[--length]!
    }
    return top
  }

  return {
    fill: 9 * blocks + 3 * n,
    get negatives() { return negatives },
    factor({ values }, tolerance, indefinite = true) {
      const arrays = memory.claim()
      const { D, y, pivot, counts } = arrays
      counts.fill(0)
      flag.fill(-1)
      y.fill(0)
      negatives = 0
      for (let k = 0; k < n; k++) {
        const top = gather(k, values, arrays)
        const at = 9 * k
        const [a00, a11, a22] = [y[at]!, y[at + 3]!, y[at + 8]!]
        pivot[0] = a00
        pivot[1] = y[at + 2]!
        pivot[2] = a11
        pivot[3] = y[at + 4]!
        pivot[4] = y[at + 5]!
        pivot[5] = a22
        y.fill(0, at, at + 9)
        eliminate(arrays, top, k)
        const p00 = pivot[0]
        const p10 = pivot[1]
        const l10 = p10 / p00
        const d1 = pivot[2] - l10 * p10
        const l20 = pivot[3] / p00
        const r21 = pivot[4] - l20 * p10
        const l21 = r21 / d1
        const d2 = pivot[5] - l20 * pivot[3] - l21 * r21
        if (!(Math.abs(p00) > tolerance * Math.abs(a00) && Math.abs(d1) > tolerance * Math.abs(a11) && Math.abs(d2) > tolerance * Math.abs(a22))) return false
        negatives += (p00 < 0 ? 1 : 0) + (d1 < 0 ? 1 : 0) + (d2 < 0 ? 1 : 0)
        if (negatives > 0 && !indefinite) return false
        const d = 6 * k
        D[d] = l10
        D[d + 1] = l20
        D[d + 2] = l21
        D[d + 3] = p00
        D[d + 4] = d1
        D[d + 5] = d2
      }
      return true
    },
    solve(b) {
      const { L, D, y, rows: Li } = memory.claim()
      for (let k = 0; k < n; k++) for (let c = 0; c < 3; c++) y[3 * k + c] = b[3 * order[k]! + c]!
      for (let k = 0; k < n; k++) {
        const y0 = y[3 * k]!, y1 = y[3 * k + 1]!, y2 = y[3 * k + 2]!
        for (let p = columnStarts[k]!; p < columnStarts[k + 1]!; p++) {
          const to = 3 * Li[p]!
          const v = 9 * p
          y[to]! -= L[v]! * y0 + L[v + 2]! * y1 + L[v + 4]! * y2
          y[to + 1]! -= L[v + 1]! * y0 + L[v + 3]! * y1 + L[v + 5]! * y2
          y[to + 2]! -= L[v + 6]! * y0 + L[v + 7]! * y1 + L[v + 8]! * y2
        }
      }
      for (let k = n - 1; k >= 0; k--) {
        const d = 6 * k
        const z0 = y[3 * k]!
        const z1 = y[3 * k + 1]! - D[d]! * z0
        const z2 = y[3 * k + 2]! - D[d + 1]! * z0 - D[d + 2]! * z1
        let s2 = z2 / D[d + 5]!
        let s1 = z1 / D[d + 4]! - D[d + 2]! * s2
        let s0 = z0 / D[d + 3]! - D[d]! * s1 - D[d + 1]! * s2
        for (let p = columnStarts[k]!; p < columnStarts[k + 1]!; p++) {
          const to = 3 * Li[p]!
          const v = 9 * p
          const t0 = y[to]!, t1 = y[to + 1]!, t2 = y[to + 2]!
          s0 -= L[v]! * t0 + L[v + 1]! * t1 + L[v + 6]! * t2
          s1 -= L[v + 2]! * t0 + L[v + 3]! * t1 + L[v + 7]! * t2
          s2 -= L[v + 4]! * t0 + L[v + 5]! * t1 + L[v + 8]! * t2
        }
        y[3 * k] = s0
        y[3 * k + 1] = s1
        y[3 * k + 2] = s2
      }
      for (let k = 0; k < n; k++) for (let c = 0; c < 3; c++) b[3 * order[k]! + c] = y[3 * k + c]!
    },
  }
}

/**
 * The lower triangle of P A Pᵀ by rows, including the diagonal: the column of each block, and its number in the pattern, or ~number if it is
 * transposed there.
 */
function permuted({ n, starts, columns }: BlockPattern, order: Int32Array): { heads: Int32Array; rows: Int32Array; from: Int32Array } {
  const places = new Int32Array(n)
  for (let k = 0; k < n; k++) places[order[k]!] = k
  const heads = new Int32Array(n + 1)
  for (let i = 0; i < n; i++) for (let k = starts[i]!; k < starts[i + 1]!; k++) heads[Math.max(places[i]!, places[columns[k]!]!) + 1]!++
  for (let k = 0; k < n; k++) heads[k + 1]! += heads[k]!
  const next = heads.slice(0, n)
  const rows = new Int32Array(heads[n]!)
  const from = new Int32Array(heads[n]!)
  for (let i = 0; i < n; i++) {
    for (let k = starts[i]!; k < starts[i + 1]!; k++) {
      const a = places[i]!
      const b = places[columns[k]!]!
      const to = next[Math.max(a, b)]!++
      rows[to] = Math.min(a, b)
      from[to] = a >= b ? k : ~k
    }
  }
  return { heads, rows, from }
}
