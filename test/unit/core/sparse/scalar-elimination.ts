/** Elimination of one block row without vectors, in the order of the WebAssembly kernel: results are equal bit for bit. */

import type { FactorArrays } from '../../../../core/sparse'

export function eliminateScalar({ L, D, y, pivot, rows, columnStarts, counts, stack }: FactorArrays, top: number, k: number): void {
  for (let s = top; s < stack.length; s++) {
    const i = stack[s]!
    const o = 9 * i
    const y00 = y[o]!, y01 = y[o + 1]!, y10 = y[o + 2]!, y11 = y[o + 3]!, y20 = y[o + 4]!, y21 = y[o + 5]!, y02 = y[o + 6]!, y12 = y[o + 7]!, y22 = y[o + 8]!
    y.fill(0, o, o + 9)
    const end = columnStarts[i]! + counts[i]!
    for (let p = columnStarts[i]!; p < end; p++) {
      const to = 9 * rows[p]!
      const v = 9 * p
      const l0 = L[v]!, l1 = L[v + 2]!, l2 = L[v + 4]!
      y[to]! -= y00 * l0 + y01 * l1 + y02 * l2
      y[to + 2]! -= y10 * l0 + y11 * l1 + y12 * l2
      y[to + 4]! -= y20 * l0 + y21 * l1 + y22 * l2
      const l3 = L[v + 1]!, l4 = L[v + 3]!, l5 = L[v + 5]!
      y[to + 1]! -= y00 * l3 + y01 * l4 + y02 * l5
      y[to + 3]! -= y10 * l3 + y11 * l4 + y12 * l5
      y[to + 5]! -= y20 * l3 + y21 * l4 + y22 * l5
      const l6 = L[v + 6]!, l7 = L[v + 7]!, l8 = L[v + 8]!
      y[to + 6]! -= y00 * l6 + y01 * l7 + y02 * l8
      y[to + 7]! -= y10 * l6 + y11 * l7 + y12 * l8
      y[to + 8]! -= y20 * l6 + y21 * l7 + y22 * l8
    }
    const v = 9 * end
    divided(y00, y01, y02, v, v + 2, v + 4)
    divided(y10, y11, y12, v + 1, v + 3, v + 5)
    divided(y20, y21, y22, v + 6, v + 7, v + 8)
    pivot[0]! -= L[v]! * y00 + L[v + 2]! * y01 + L[v + 4]! * y02
    pivot[1]! -= L[v + 1]! * y00 + L[v + 3]! * y01 + L[v + 5]! * y02
    pivot[3]! -= L[v + 6]! * y00 + L[v + 7]! * y01 + L[v + 8]! * y02
    pivot[2]! -= L[v + 1]! * y10 + L[v + 3]! * y11 + L[v + 5]! * y12
    pivot[4]! -= L[v + 6]! * y10 + L[v + 7]! * y11 + L[v + 8]! * y12
    pivot[5]! -= L[v + 6]! * y20 + L[v + 7]! * y21 + L[v + 8]! * y22
    rows[end] = k
    counts[i]!++

    /** Writes a row of y times the inverse of D's block to the three places of L. */
    function divided(y0: number, y1: number, y2: number, to0: number, to1: number, to2: number): void {
      const d = 6 * i
      const z1 = y1 - D[d]! * y0
      const z2 = y2 - D[d + 1]! * y0 - D[d + 2]! * z1
      const x2 = z2 / D[d + 5]!
      const x1 = z1 / D[d + 4]! - D[d + 2]! * x2
      L[to2] = x2
      L[to1] = x1
      L[to0] = y0 / D[d + 3]! - D[d]! * x1 - D[d + 1]! * x2
    }
  }
}
