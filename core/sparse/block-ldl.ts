/** The sparse direct solver for symmetric matrices of 3 × 3 blocks: ordered by blocks, factored by numbers. */

import type { BlockMatrix, BlockPattern } from './block-matrix'
import { sparseLDL } from './ldl'
import { graphOf, minimumDegree } from './ordering'

export interface BlockLDL {
  /** Numbers in the factor. */
  readonly fill: number
  readonly negatives: number
  factor(A: BlockMatrix, tolerance: number): boolean
  /** In place of b. */
  solve(b: Float64Array): void
}

export function blockLDL(pattern: BlockPattern): BlockLDL {
  const { n, starts, columns } = pattern
  const blocks = minimumDegree(graphOf(n, starts, columns))
  const order = Int32Array.from({ length: 3 * n }, (_, k) => 3 * blocks[Math.floor(k / 3)]! + (k % 3))
  const rowStarts = new Int32Array(3 * n + 1)
  const numbers = 9 * columns.length - 3 * n
  const scalarColumns = new Int32Array(numbers)
  /** Where each number of the scalar pattern stands among the blocks. */
  const source = new Int32Array(numbers)
  let filled = 0
  for (let i = 0; i < n; i++) {
    for (let r = 0; r < 3; r++) {
      for (let k = starts[i]!; k < starts[i + 1]!; k++) {
        const width = columns[k] === i ? r + 1 : 3
        for (let c = 0; c < width; c++) {
          scalarColumns[filled] = 3 * columns[k]! + c
          source[filled++] = 9 * k + 3 * r + c
        }
      }
      rowStarts[3 * i + r + 1] = filled
    }
  }
  const factorisation = sparseLDL(3 * n, rowStarts, scalarColumns, order)
  const values = new Float64Array(numbers)
  return {
    fill: factorisation.fill,
    get negatives() { return factorisation.negatives },
    factor(A, tolerance) {
      for (let k = 0; k < numbers; k++) values[k] = A.values[source[k]!]!
      return factorisation.factor(values, tolerance)
    },
    solve: b => factorisation.solve(b),
  }
}
