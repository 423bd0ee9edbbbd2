/**
 * Sparse factorisation P A Pᵀ = L D Lᵀ of symmetric matrices of 3 × 3 blocks, block row by block row along the elimination tree [Davis 2005,
 * *Algorithm 849*]. Ordering and elimination are by blocks: each block is read once for 27 products. Within a block of D elimination is scalar, so
 * pivots and their signs are those of the scalar factorisation in the same order. The symbolic part is computed once for a pattern.
 */

import { eliminationOf } from './elimination'
import type { BlockMatrix, BlockPattern } from './block-matrix'
import { graphOf, minimumDegree } from './ordering'

export interface BlockLDL {
  /** Number of elements in the factor. */
  readonly fill: number
  /** Negative pivots of the last factorisation: negative eigenvalues of the matrix. */
  readonly negatives: number
  /** @returns whether no pivot was smaller than `tolerance` × its diagonal element */
  factor(A: BlockMatrix, tolerance: number): boolean
  /** In place of b. */
  solve(b: Float64Array): void
}

export function blockLDL(pattern: BlockPattern): BlockLDL {
  const { n } = pattern
  const order = minimumDegree(graphOf(n, pattern.starts, pattern.columns))
  const { heads, rows, from } = permuted(pattern, order)
  const { parent, counts, columnStarts, flag } = eliminationOf(n, heads, rows)
  const blocks = columnStarts[n]!
  const Li = new Int32Array(blocks)
  const L = new Float64Array(9 * blocks)
  /** For each block of D: l₁₀, l₂₀, l₂₁ of its own factor, and its pivots. */
  const D = new Float64Array(6 * n)
  const y = new Float64Array(9 * n)
  const stack = new Int32Array(n)
  const path = new Int32Array(n)
  let negatives = 0

  /** Copies row k of the matrix to y, and pushes the required columns to the end of the stack, in order. @returns index of the first of them */
  function gather(k: number, values: Float64Array): number {
    let top = n
    flag[k] = k
    for (let p = heads[k]!; p < heads[k + 1]!; p++) {
      let i = rows[p]!
      const to = 9 * i
      const source = from[p]!
      if (source >= 0) {
        for (let e = 0; e < 9; e++) y[to + e] = values[9 * source + e]!
      } else {
        const v = 9 * ~source
        for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) y[to + 3 * r + c] = values[v + 3 * c + r]!
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
    factor({ values }, tolerance) {
      counts.fill(0)
      flag.fill(-1)
      y.fill(0)
      negatives = 0
      for (let k = 0; k < n; k++) {
        let top = gather(k, values)
        const at = 9 * k
        const [a00, a11, a22] = [y[at]!, y[at + 4]!, y[at + 8]!]
        let p00 = a00
        let p10 = y[at + 3]!
        let p11 = a11
        let p20 = y[at + 6]!
        let p21 = y[at + 7]!
        let p22 = a22
        y.fill(0, at, at + 9)
        for (; top < n; top++) {
          const i = stack[top]!
          const o = 9 * i
          const y0 = y[o]!, y1 = y[o + 1]!, y2 = y[o + 2]!
          const y3 = y[o + 3]!, y4 = y[o + 4]!, y5 = y[o + 5]!
          const y6 = y[o + 6]!, y7 = y[o + 7]!, y8 = y[o + 8]!
          y.fill(0, o, o + 9)
          const end = columnStarts[i]! + counts[i]!
          for (let p = columnStarts[i]!; p < end; p++) {
            const to = 9 * Li[p]!
            const v = 9 * p
            const l0 = L[v]!, l1 = L[v + 1]!, l2 = L[v + 2]!
            y[to]! -= y0 * l0 + y1 * l1 + y2 * l2
            y[to + 3]! -= y3 * l0 + y4 * l1 + y5 * l2
            y[to + 6]! -= y6 * l0 + y7 * l1 + y8 * l2
            const l3 = L[v + 3]!, l4 = L[v + 4]!, l5 = L[v + 5]!
            y[to + 1]! -= y0 * l3 + y1 * l4 + y2 * l5
            y[to + 4]! -= y3 * l3 + y4 * l4 + y5 * l5
            y[to + 7]! -= y6 * l3 + y7 * l4 + y8 * l5
            const l6 = L[v + 6]!, l7 = L[v + 7]!, l8 = L[v + 8]!
            y[to + 2]! -= y0 * l6 + y1 * l7 + y2 * l8
            y[to + 5]! -= y3 * l6 + y4 * l7 + y5 * l8
            y[to + 8]! -= y6 * l6 + y7 * l7 + y8 * l8
          }
          const v = 9 * end
          divided(i, y0, y1, y2, v)
          divided(i, y3, y4, y5, v + 3)
          divided(i, y6, y7, y8, v + 6)
          p00 -= L[v]! * y0 + L[v + 1]! * y1 + L[v + 2]! * y2
          p10 -= L[v + 3]! * y0 + L[v + 4]! * y1 + L[v + 5]! * y2
          p20 -= L[v + 6]! * y0 + L[v + 7]! * y1 + L[v + 8]! * y2
          p11 -= L[v + 3]! * y3 + L[v + 4]! * y4 + L[v + 5]! * y5
          p21 -= L[v + 6]! * y3 + L[v + 7]! * y4 + L[v + 8]! * y5
          p22 -= L[v + 6]! * y6 + L[v + 7]! * y7 + L[v + 8]! * y8
          Li[end] = k
          counts[i]!++
        }
        const l10 = p10 / p00
        const d1 = p11 - l10 * p10
        const l20 = p20 / p00
        const r21 = p21 - l20 * p10
        const l21 = r21 / d1
        const d2 = p22 - l20 * p20 - l21 * r21
        if (!(Math.abs(p00) > tolerance * Math.abs(a00) && Math.abs(d1) > tolerance * Math.abs(a11) && Math.abs(d2) > tolerance * Math.abs(a22))) return false
        negatives += (p00 < 0 ? 1 : 0) + (d1 < 0 ? 1 : 0) + (d2 < 0 ? 1 : 0)
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
      for (let k = 0; k < n; k++) for (let c = 0; c < 3; c++) y[3 * k + c] = b[3 * order[k]! + c]!
      for (let k = 0; k < n; k++) {
        const y0 = y[3 * k]!, y1 = y[3 * k + 1]!, y2 = y[3 * k + 2]!
        for (let p = columnStarts[k]!; p < columnStarts[k + 1]!; p++) {
          const to = 3 * Li[p]!
          const v = 9 * p
          y[to]! -= L[v]! * y0 + L[v + 1]! * y1 + L[v + 2]! * y2
          y[to + 1]! -= L[v + 3]! * y0 + L[v + 4]! * y1 + L[v + 5]! * y2
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
          s0 -= L[v]! * t0 + L[v + 3]! * t1 + L[v + 6]! * t2
          s1 -= L[v + 1]! * t0 + L[v + 4]! * t1 + L[v + 7]! * t2
          s2 -= L[v + 2]! * t0 + L[v + 5]! * t1 + L[v + 8]! * t2
        }
        y[3 * k] = s0
        y[3 * k + 1] = s1
        y[3 * k + 2] = s2
      }
      for (let k = 0; k < n; k++) for (let c = 0; c < 3; c++) b[3 * order[k]! + c] = y[3 * k + c]!
    },
  }

  /** Writes a row of y times the inverse of D's block i to L. */
  function divided(i: number, y0: number, y1: number, y2: number, v: number): void {
    const d = 6 * i
    const z1 = y1 - D[d]! * y0
    const z2 = y2 - D[d + 1]! * y0 - D[d + 2]! * z1
    const x2 = z2 / D[d + 5]!
    const x1 = z1 / D[d + 4]! - D[d + 2]! * x2
    L[v + 2] = x2
    L[v + 1] = x1
    L[v] = y0 / D[d + 3]! - D[d]! * x1 - D[d + 1]! * x2
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
