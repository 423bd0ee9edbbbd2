/** The matrix of bodies without vectors, adding in the order of the WebAssembly kernel: results are equal to the bit. */

import type { BodyPattern } from '../../../../../../core/methods/time-stepping/solvers/body-pattern'
import type { MatrixRows } from '../../../../../../core/methods/time-stepping/solvers/body-matrix'

const SIDE = 6
const BLOCK = SIDE * SIDE
const ROW = 12

export class ScalarBodyMatrix {
  /** By body and by pair of bodies: 36 doubles. */
  private readonly blocks: Float64Array
  private readonly inverse: Float64Array
  private readonly scratch = new Float64Array(SIDE)
  private readonly swaps = new Uint8Array(SIDE)

  constructor(private readonly pattern: BodyPattern, private readonly problem: MatrixRows, private readonly single: Int32Array, readonly slopes: Float64Array) {
    this.blocks = new Float64Array(BLOCK * pattern.count * pattern.count)
    this.inverse = new Float64Array(BLOCK * pattern.count)
  }

  private blockOf(row: number, column: number): number {
    return BLOCK * (row * this.pattern.count + column)
  }

  fill(): void {
    const { pattern: { count }, blocks, slopes, single, problem: { friction } } = this
    blocks.fill(0)
    for (let body = 0; body < count; body++) for (let k = 0; k < SIDE; k++) blocks[this.blockOf(body, body) + (SIDE + 1) * k] = 1
    for (const i of single) if (slopes[9 * i]! !== 0) this.add(i, 1)
    for (const { normal: i } of friction) if (slopes[9 * i]! !== 0 || slopes[9 * i + 4]! !== 0 || slopes[9 * i + 8]! !== 0) this.add(i, 3)
  }

  private add(i: number, size: 1 | 3): void {
    const { slopes, problem: { gradient: J, slotA, slotB, rows: { inverseMassJacobian: W } } } = this
    const columns = new Float64Array(3 * ROW)
    for (let c = 0; c < size; c++) {
      const [x, y, z] = [slopes[9 * i + c]!, slopes[9 * i + 3 + c]!, slopes[9 * i + 6 + c]!]
      for (let k = 0; k < ROW; k++) {
        const at = ROW * i + k
        columns[ROW * c + k] = size === 1 ? W[at]! * x : W[at]! * x + W[at + ROW]! * y + W[at + 2 * ROW]! * z
      }
    }
    const [a, b] = [slotA[i]!, slotB[i]!]
    if (a >= 0) this.addProducts(this.blockOf(a, a), columns, 0, J, ROW * i, size)
    if (b >= 0) this.addProducts(this.blockOf(b, b), columns, SIDE, J, ROW * i + SIDE, size)
    if (a < 0 || b < 0 || a === b) return
    this.addProducts(this.blockOf(a, b), columns, 0, J, ROW * i + SIDE, size)
    this.addProducts(this.blockOf(b, a), columns, SIDE, J, ROW * i, size)
  }

  private addProducts(o: number, columns: Float64Array, from: number, rows: Float64Array, at: number, size: 1 | 3): void {
    const { blocks } = this
    for (let r = 0; r < SIDE; r++) {
      const [x, y, z] = [columns[from + r]!, columns[from + r + ROW]!, columns[from + r + 2 * ROW]!]
      for (let c = 0; c < SIDE; c++) {
        blocks[o + SIDE * r + c]! += size === 1 ? x * rows[at + c]! : x * rows[at + c]! + y * rows[at + c + ROW]! + z * rows[at + c + 2 * ROW]!
      }
    }
  }

  factor(): boolean {
    const { pattern: { order, later }, blocks, inverse, scratch, swaps } = this
    for (const body of order) {
      const own = this.blockOf(body, body)
      for (let j = 0; j < BLOCK; j++) inverse[BLOCK * body + j] = blocks[own + j]!
      if (!invert(inverse, BLOCK * body, swaps)) return false
      for (const row of later[body]!) {
        multiply(blocks, this.blockOf(row, body), inverse, BLOCK * body, scratch)
        for (const column of later[body]!) subtractProduct(blocks, this.blockOf(row, column), this.blockOf(row, body), this.blockOf(body, column))
      }
    }
    return true
  }

  solve(x: Float64Array): void {
    const { pattern: { order, later }, inverse, blocks, scratch } = this
    for (const body of order) for (const other of later[body]!) subtractFrom(x, SIDE * other, blocks, this.blockOf(other, body), x, SIDE * body)
    for (const body of order.toReversed()) {
      for (const other of later[body]!) subtractFrom(x, SIDE * body, blocks, this.blockOf(body, other), x, SIDE * other)
      for (let r = 0; r < SIDE; r++) scratch[r] = product(inverse, BLOCK * body + SIDE * r, x, SIDE * body)
      x.set(scratch, SIDE * body)
    }
  }
}

function product(m: Float64Array, at: number, y: Float64Array, from: number): number {
  return m[at]! * y[from]! + m[at + 1]! * y[from + 1]! + m[at + 2]! * y[from + 2]! + m[at + 3]! * y[from + 3]! + m[at + 4]! * y[from + 4]!
    + m[at + 5]! * y[from + 5]!
}

/** blocks[l] becomes blocks[l] × inverse[i]. */
function multiply(blocks: Float64Array, l: number, inverse: Float64Array, i: number, row: Float64Array): void {
  for (let r = 0; r < SIDE; r++) {
    const o = l + SIDE * r
    for (let c = 0; c < SIDE; c++) {
      row[c] = blocks[o]! * inverse[i + c]! + blocks[o + 1]! * inverse[i + SIDE + c]! + blocks[o + 2]! * inverse[i + 2 * SIDE + c]!
        + blocks[o + 3]! * inverse[i + 3 * SIDE + c]! + blocks[o + 4]! * inverse[i + 4 * SIDE + c]! + blocks[o + 5]! * inverse[i + 5 * SIDE + c]!
    }
    for (let c = 0; c < SIDE; c++) blocks[o + c] = row[c]!
  }
}

function subtractProduct(blocks: Float64Array, to: number, l: number, u: number): void {
  for (let r = 0; r < SIDE; r++) {
    const o = l + SIDE * r
    const [a, b, c, d, e, f] = [blocks[o]!, blocks[o + 1]!, blocks[o + 2]!, blocks[o + 3]!, blocks[o + 4]!, blocks[o + 5]!]
    for (let k = 0; k < SIDE; k++) {
      blocks[to + SIDE * r + k]! -= a * blocks[u + k]! + b * blocks[u + SIDE + k]! + c * blocks[u + 2 * SIDE + k]!
        + d * blocks[u + 3 * SIDE + k]! + e * blocks[u + 4 * SIDE + k]! + f * blocks[u + 5 * SIDE + k]!
    }
  }
}

function subtractFrom(x: Float64Array, to: number, blocks: Float64Array, at: number, y: Float64Array, from: number): void {
  for (let r = 0; r < SIDE; r++) {
    x[to + r]! -= product(blocks, at + SIDE * r, y, from)
  }
}

/** Inverts in place by Gauss–Jordan with partial pivoting. @returns whether the block is regular */
function invert(m: Float64Array, o: number, swaps: Uint8Array): boolean {
  for (let c = 0; c < SIDE; c++) {
    let pivot = c
    for (let r = c + 1; r < SIDE; r++) if (Math.abs(m[o + SIDE * r + c]!) > Math.abs(m[o + SIDE * pivot + c]!)) pivot = r
    const size = m[o + SIDE * pivot + c]!
    if (size === 0 || !Number.isFinite(size)) return false
    swaps[c] = pivot
    const row = o + SIDE * c
    if (pivot !== c) {
      const other = o + SIDE * pivot
      for (let k = 0; k < SIDE; k++) {
        const x = m[other + k]!
        m[other + k] = m[row + k]!
        m[row + k] = x
      }
    }
    m[row + c] = 1
    for (let k = 0; k < SIDE; k++) m[row + k]! /= size
    for (let r = 0; r < SIDE; r++) {
      const at = o + SIDE * r
      const x = m[at + c]!
      if (r === c || x === 0) continue
      m[at + c] = 0
      for (let k = 0; k < SIDE; k++) m[at + k]! -= x * m[row + k]!
    }
  }
  // Row exchanges of the matrix become column exchanges of the inverse, in reverse order.
  for (let c = SIDE - 1; c >= 0; c--) {
    const pivot = swaps[c]!
    if (pivot === c) continue
    for (let r = 0; r < SIDE; r++) {
      const at = o + SIDE * r
      const x = m[at + c]!
      m[at + c] = m[at + pivot]!
      m[at + pivot] = x
    }
  }
  return true
}
