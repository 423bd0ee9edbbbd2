/**
 * A matrix of 6 × 6 blocks, one row and column of them a body, with blocks where two bodies push each other: factored as L U without exchanging bodies, in an
 * order that fills few further blocks (least degree first), so that chains, stacks and rings cost little more than their bodies.
 */

const SIDE = 6
const BLOCK = SIDE * SIDE

export class BodyMatrix {
  /** Of blocks, to factor it; where that is more than allowed, so many were counted. */
  readonly products: number
  /** Whether factoring it takes no more products of blocks than allowed; otherwise it is not to be used. */
  readonly sparse: boolean
  /** Bodies in the order in which they are eliminated, and of each its neighbours that come later. */
  private readonly order: Int32Array
  private readonly later: readonly Int32Array[]
  /** Blocks: of each body its own, then those of each pair of neighbours, (first, second) and (second, first) in the order of elimination. */
  private readonly blocks: Float64Array
  private readonly place = new Map<number, number>()
  private readonly inverse: Float64Array
  private readonly scratch = new Float64Array(2 * BLOCK)

  /**
   * @param slotA of each row its two bodies, −1 for one that nothing moves
   * @param most products of blocks
   */
  constructor(private readonly count: number, slotA: Int32Array, slotB: Int32Array, most: number) {
    const near = Array.from({ length: count }, () => new Set<number>())
    slotA.forEach((a, row) => {
      const b = slotB[row]!
      if (a < 0 || b < 0 || a === b) return
      near[a]!.add(b)
      near[b]!.add(a)
    })
    this.order = new Int32Array(count)
    const later: Int32Array[] = Array.from({ length: count }, () => new Int32Array(0))
    const left = new Set(near.keys())
    let products = 0
    for (let k = 0; k < count && products <= most; k++) {
      let next = -1
      for (const body of left) if (next < 0 || near[body]!.size < near[next]!.size) next = body
      left.delete(next)
      this.order[k] = next
      const others = [...near[next]!]
      later[next] = Int32Array.from(others)
      products += 1 + others.length * (others.length + 1)
      for (const a of others) {
        near[a]!.delete(next)
        for (const b of others) if (a !== b) near[a]!.add(b)
      }
    }
    this.later = later
    this.sparse = products <= most
    this.products = products
    let blocks = count
    if (this.sparse) for (const body of this.order) {
      for (const other of later[body]!) {
        this.place.set(body * count + other, BLOCK * blocks++)
        this.place.set(other * count + body, BLOCK * blocks++)
      }
    }
    this.blocks = new Float64Array(BLOCK * blocks)
    this.inverse = new Float64Array(BLOCK * count)
  }

  /** Makes it the identity. */
  reset(): void {
    const { blocks, count } = this
    blocks.fill(0)
    for (let body = 0; body < count; body++) for (let k = 0; k < SIDE; k++) blocks[BLOCK * body + (SIDE + 1) * k] = 1
  }

  /** Where the block of two bodies that push each other, or of one, begins. */
  blockOf(body: number, other: number): number {
    return body === other ? BLOCK * body : this.place.get(body * this.count + other)!
  }

  /** Adds column × row to the block that begins at `o`: six doubles each, from where they begin. */
  addProduct(o: number, column: Float64Array, from: number, row: Float64Array, at: number): void {
    const { blocks } = this
    for (let r = 0; r < SIDE; r++) {
      const x = column[from + r]!
      if (x === 0) continue
      for (let c = 0; c < SIDE; c++) blocks[o + SIDE * r + c]! += x * row[at + c]!
    }
  }

  /** @returns whether it could be factored */
  factor(): boolean {
    const { order, later, blocks, place, count, inverse, scratch } = this
    for (const body of order) {
      if (!invert(blocks, BLOCK * body, inverse, BLOCK * body, scratch)) return false
      for (const row of later[body]!) {
        const l = place.get(row * count + body)!
        multiply(blocks, l, inverse, BLOCK * body, scratch)
        blocks.set(scratch.subarray(0, BLOCK), l)
        for (const column of later[body]!) {
          subtractProduct(blocks, row === column ? BLOCK * row : place.get(row * count + column)!, l, place.get(body * count + column)!)
        }
      }
    }
    return true
  }

  /** Solves in place: six doubles a body. */
  solve(x: Float64Array): void {
    const { order, later, place, count, inverse, blocks, scratch } = this
    for (const body of order) for (const row of later[body]!) subtractFrom(x, SIDE * row, blocks, place.get(row * count + body)!, x, SIDE * body)
    for (let k = count - 1; k >= 0; k--) {
      const body = order[k]!
      for (const column of later[body]!) subtractFrom(x, SIDE * body, blocks, place.get(body * count + column)!, x, SIDE * column)
      for (let r = 0; r < SIDE; r++) {
        let sum = 0
        for (let c = 0; c < SIDE; c++) sum += inverse[BLOCK * body + SIDE * r + c]! * x[SIDE * body + c]!
        scratch[r] = sum
      }
      for (let r = 0; r < SIDE; r++) x[SIDE * body + r] = scratch[r]!
    }
  }
}

/** out = blocks[l] × inverse[i]. */
function multiply(blocks: Float64Array, l: number, inverse: Float64Array, i: number, out: Float64Array): void {
  for (let r = 0; r < SIDE; r++) {
    for (let c = 0; c < SIDE; c++) {
      let sum = 0
      for (let k = 0; k < SIDE; k++) sum += blocks[l + SIDE * r + k]! * inverse[i + SIDE * k + c]!
      out[SIDE * r + c] = sum
    }
  }
}

function subtractProduct(blocks: Float64Array, to: number, l: number, u: number): void {
  for (let r = 0; r < SIDE; r++) {
    for (let k = 0; k < SIDE; k++) {
      const x = blocks[l + SIDE * r + k]!
      if (x === 0) continue
      for (let c = 0; c < SIDE; c++) blocks[to + SIDE * r + c]! -= x * blocks[u + SIDE * k + c]!
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

/** By Gauss–Jordan with partial pivoting. @returns whether there is one */
function invert(from: Float64Array, at: number, to: Float64Array, out: number, work: Float64Array): boolean {
  for (let k = 0; k < BLOCK; k++) {
    work[k] = from[at + k]!
    to[out + k] = k % (SIDE + 1) === 0 ? 1 : 0
  }
  for (let c = 0; c < SIDE; c++) {
    let pivot = c
    for (let r = c + 1; r < SIDE; r++) if (Math.abs(work[SIDE * r + c]!) > Math.abs(work[SIDE * pivot + c]!)) pivot = r
    const size = work[SIDE * pivot + c]!
    if (size === 0 || !Number.isFinite(size)) return false
    for (let k = 0; k < SIDE; k++) {
      const a = work[SIDE * pivot + k]!
      const b = to[out + SIDE * pivot + k]!
      work[SIDE * pivot + k] = work[SIDE * c + k]!
      to[out + SIDE * pivot + k] = to[out + SIDE * c + k]!
      work[SIDE * c + k] = a / size
      to[out + SIDE * c + k] = b / size
    }
    for (let r = 0; r < SIDE; r++) {
      const x = work[SIDE * r + c]!
      if (r === c || x === 0) continue
      for (let k = 0; k < SIDE; k++) {
        work[SIDE * r + k]! -= x * work[SIDE * c + k]!
        to[out + SIDE * r + k]! -= x * to[out + SIDE * c + k]!
      }
    }
  }
  return true
}
