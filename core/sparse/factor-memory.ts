/**
 * The arrays of a factor in the memory of their WebAssembly kernel, which holds one factor at a time: a factor that is used after another one is copied back.
 */

/// <reference path="./block-elimination-kernel.d.ts" />
import { eliminate, memory } from 'kernel:block-elimination'
import { kernelArrays } from '../math/kernel-arrays'

/** Bytes. */
const INTEGER = 4

/** Blocks of L and y have nine doubles, of D six, in the kernel's order. */
export interface FactorArrays {
  readonly L: Float64Array
  readonly D: Float64Array
  readonly y: Float64Array
  /** Lower triangle of a diagonal block, 6. */
  readonly pivot: Float64Array
  /** Row of each block of L. */
  readonly rows: Int32Array
  readonly columnStarts: Int32Array
  readonly counts: Int32Array
  /** Columns to eliminate from a row. */
  readonly stack: Int32Array
}

/** Subtracts from row k what the columns from `stack[top]` on eliminate, and appends its blocks to them [kernels/block-elimination.ts]. */
export function eliminateRow({ L, D, y, pivot, rows, columnStarts, counts, stack }: FactorArrays, top: number, k: number): void {
  eliminate(stack.byteOffset + INTEGER * top, stack.length - top, k, columnStarts.byteOffset, counts.byteOffset, rows.byteOffset, L.byteOffset, D.byteOffset,
    y.byteOffset, pivot.byteOffset)
}

/** Which factor is in the memory. */
let present: FactorMemory | null = null

export class FactorMemory {
  /** Valid between `claim` and the next claim of another factor. */
  arrays: FactorArrays | null = null
  /** Copies of L, D and rows while another factor is in the memory. */
  private kept: { readonly L: Float64Array; readonly D: Float64Array; readonly rows: Int32Array } | null = null

  /** @param columnStarts first block of each of the n columns of L, and their number */
  constructor(private readonly n: number, private readonly columnStarts: Int32Array) {}

  /** Brings the factor into the memory. */
  claim(): FactorArrays {
    if (present === this) return this.arrays!
    present?.leave()
    present = this
    const { n, columnStarts, kept } = this
    const blocks = columnStarts[n]!
    const arrays = kernelArrays(memory, { L: 9 * blocks, D: 6 * n, y: 9 * n, pivot: 6 }, { rows: blocks, columnStarts: n + 1, counts: n, stack: n })
    arrays.columnStarts.set(columnStarts)
    if (kept !== null) {
      arrays.L.set(kept.L)
      arrays.D.set(kept.D)
      arrays.rows.set(kept.rows)
    }
    this.arrays = arrays
    this.kept = null
    return arrays
  }

  private leave(): void {
    const { L, D, rows } = this.arrays!
    this.kept = { L: L.slice(), D: D.slice(), rows: rows.slice() }
    this.arrays = null
  }
}
