/**
 * A sparse matrix of 6 × 6 blocks, one block row and column a body, with off-diagonal blocks for bodies in contact. It is factored as L U without
 * pivoting between bodies, in the elimination order of its pattern. For chains, stacks and rings the cost is nearly proportional to the number of
 * bodies.
 */

import type { BodyPattern } from './body-pattern'

const SIDE = 6
const BLOCK = SIDE * SIDE

export class BodyMatrix {
  /** Blocks: the diagonal ones, then for each pair of neighbours (first, second) and (second, first) in the order of elimination. */
  private readonly blocks: Float64Array
  private readonly place = new Map<number, number>()
  /**
   * For each body in the order of elimination: offsets of the blocks below and to the right of its diagonal block, one for each later neighbour, and
   * the neighbours.
   */
  private readonly below: readonly Int32Array[]
  private readonly beside: readonly Int32Array[]
  /** Offsets of the blocks that receive the Schur complement updates, row by row. */
  private readonly targets: readonly Int32Array[]
  private readonly inverse: Float64Array
  private readonly scratch = new Float64Array(BLOCK)
  private readonly swaps = new Uint8Array(SIDE)

  constructor(private readonly pattern: BodyPattern) {
    const { count, order, later } = pattern
    let blocks = count
    for (const body of order) {
      for (const other of later[body]!) {
        this.place.set(body * count + other, BLOCK * blocks++)
        this.place.set(other * count + body, BLOCK * blocks++)
      }
    }
    this.blocks = new Float64Array(BLOCK * blocks)
    this.inverse = new Float64Array(BLOCK * count)
    this.below = Array.from(order, body => Int32Array.from(later[body]!, other => this.blockOf(other, body)))
    this.beside = Array.from(order, body => Int32Array.from(later[body]!, other => this.blockOf(body, other)))
    this.targets = Array.from(order, body => Int32Array.from(later[body]!.flatMap(row => later[body]!.map(column => this.blockOf(row, column)))))
  }

  /** Sets the matrix to the identity. */
  reset(): void {
    const { blocks, pattern: { count } } = this
    blocks.fill(0)
    for (let body = 0; body < count; body++) for (let k = 0; k < SIDE; k++) blocks[BLOCK * body + (SIDE + 1) * k] = 1
  }

  /** Offset of the block of two bodies in contact, or of one body. */
  blockOf(body: number, other: number): number {
    return body === other ? BLOCK * body : this.place.get(body * this.pattern.count + other)!
  }

  /**
   * Adds Σ column × row to the block at offset `o`.
   *
   * @param columns, rows twelve doubles each, of which six are used, from offsets `from` and `at`
   * @param size number of products: 1 or 3
   */
  addProducts(o: number, columns: Float64Array, from: number, rows: Float64Array, at: number, size: number): void {
    const { blocks } = this
    if (size === 1) {
      for (let r = 0; r < SIDE; r++) {
        const x = columns[from + r]!
        for (let c = 0; c < SIDE; c++) blocks[o + SIDE * r + c]! += x * rows[at + c]!
      }
      return
    }
    for (let r = 0; r < SIDE; r++) {
      const x = columns[from + r]!
      const y = columns[from + r + 12]!
      const z = columns[from + r + 24]!
      for (let c = 0; c < SIDE; c++) blocks[o + SIDE * r + c]! += x * rows[at + c]! + y * rows[at + c + 12]! + z * rows[at + c + 24]!
    }
  }

  /** @returns whether the factorisation succeeded */
  factor(): boolean {
    const { pattern: { order }, below, beside, targets, blocks, inverse, scratch, swaps } = this
    for (let k = 0; k < order.length; k++) {
      const own = BLOCK * order[k]!
      for (let j = 0; j < BLOCK; j++) inverse[own + j] = blocks[own + j]!
      if (!invert(inverse, own, swaps)) return false
      const [rows, columns, products] = [below[k]!, beside[k]!, targets[k]!]
      for (let r = 0; r < rows.length; r++) {
        multiply(blocks, rows[r]!, inverse, own, scratch)
        for (let c = 0; c < columns.length; c++) subtractProduct(blocks, products[r * columns.length + c]!, rows[r]!, columns[c]!)
      }
    }
    return true
  }

  /** Solves in place: six doubles a body. */
  solve(x: Float64Array): void {
    const { pattern: { order, later }, below, beside, inverse, blocks, scratch } = this
    for (let k = 0; k < order.length; k++) {
      const body = order[k]!
      const others = later[body]!
      for (let r = 0; r < others.length; r++) subtractFrom(x, SIDE * others[r]!, blocks, below[k]![r]!, x, SIDE * body)
    }
    for (let k = order.length - 1; k >= 0; k--) {
      const body = order[k]!
      const others = later[body]!
      for (let c = 0; c < others.length; c++) subtractFrom(x, SIDE * body, blocks, beside[k]![c]!, x, SIDE * others[c]!)
      for (let r = 0; r < SIDE; r++) {
        let sum = 0
        for (let c = 0; c < SIDE; c++) sum += inverse[BLOCK * body + SIDE * r + c]! * x[SIDE * body + c]!
        scratch[r] = sum
      }
      for (let r = 0; r < SIDE; r++) x[SIDE * body + r] = scratch[r]!
    }
  }
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
    let sum = 0
    for (let c = 0; c < SIDE; c++) sum += blocks[at + SIDE * r + c]! * y[from + c]!
    x[to + r]! -= sum
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
