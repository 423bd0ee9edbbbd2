/**
 * Symmetric matrices of 3 × 3 blocks with a fixed pattern, for the implicit integration of n particles. Only the lower triangle is stored, by block
 * rows, so that a product reads half the memory.
 *
 * Blocks are row-major, nine numbers each. In a block row the columns ascend, and the diagonal block is the last.
 */

export interface BlockPattern {
  /** Block rows. */
  readonly n: number
  /** First block of each row; length n + 1. */
  readonly starts: Int32Array
  /** Block column of each block. */
  readonly columns: Int32Array
}

export interface BlockMatrix extends BlockPattern {
  /** 9 × blocks. */
  readonly values: Float64Array
}

/** Elements that couple vertices: `vertices` holds `arity` of them for each element. */
export interface Stencils {
  readonly arity: number
  readonly vertices: Int32Array
}

/** The pattern that couples all vertices of one element, and every vertex with itself. */
export function blockPattern(n: number, stencils: readonly Stencils[]): BlockPattern {
  let most = n
  for (const { arity, vertices } of stencils) most += (vertices.length / arity) * ((arity * (arity - 1)) / 2)
  const keys = new Float64Array(most)
  let filled = 0
  for (let i = 0; i < n; i++) keys[filled++] = i * n + i
  for (const { arity, vertices } of stencils) {
    for (let at = 0; at < vertices.length; at += arity) {
      for (let a = 1; a < arity; a++) {
        for (let b = 0; b < a; b++) {
          const i = vertices[at + a]!
          const j = vertices[at + b]!
          keys[filled++] = i > j ? i * n + j : j * n + i
        }
      }
    }
  }
  keys.sort()
  const starts = new Int32Array(n + 1)
  const columns = new Int32Array(filled)
  let blocks = 0
  let row = 0
  for (let k = 0; k < filled; k++) {
    if (k > 0 && keys[k] === keys[k - 1]) continue
    const i = Math.floor(keys[k]! / n)
    while (row < i) starts[++row] = blocks
    columns[blocks++] = keys[k]! - i * n
  }
  while (row < n) starts[++row] = blocks
  return { n, starts, columns: columns.slice(0, blocks) }
}

export function blockMatrix(pattern: BlockPattern): BlockMatrix {
  return { ...pattern, values: new Float64Array(9 * pattern.columns.length) }
}

/** The block in row i and column j ≤ i; −1 if it is not in the pattern. */
export function blockAt({ starts, columns }: BlockPattern, i: number, j: number): number {
  let low = starts[i]!
  let high = starts[i + 1]! - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const column = columns[middle]!
    if (column === j) return middle
    if (column < j) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/**
 * Positions of the blocks of each element's matrix: for vertices a ≥ b of an element, in the order (0,0), (1,0), (1,1), (2,0) …, the block's number,
 * or ~number if the pattern stores the transposed block.
 */
export function elementSlots(pattern: BlockPattern, { arity, vertices }: Stencils): Int32Array {
  const pairs = (arity * (arity + 1)) / 2
  const slots = new Int32Array((vertices.length / arity) * pairs)
  let k = 0
  for (let at = 0; at < vertices.length; at += arity) {
    for (let a = 0; a < arity; a++) {
      for (let b = 0; b <= a; b++) {
        const i = vertices[at + a]!
        const j = vertices[at + b]!
        slots[k++] = i >= j ? blockAt(pattern, i, j) : ~blockAt(pattern, j, i)
      }
    }
  }
  return slots
}

/** Adds a symmetric 3k × 3k element matrix `H`, row-major, of k vertices to the blocks in `slots`, starting at `from`. */
export function addElement(values: Float64Array, slots: Int32Array, from: number, k: number, H: Float64Array): void {
  const width = 3 * k
  let at = from
  for (let a = 0; a < k; a++) {
    for (let b = 0; b <= a; b++) {
      const slot = slots[at++]!
      if (slot >= 0) {
        let to = 9 * slot
        let source = 3 * a * width + 3 * b
        for (let r = 0; r < 3; r++, to += 3, source += width) {
          values[to]! += H[source]!
          values[to + 1]! += H[source + 1]!
          values[to + 2]! += H[source + 2]!
        }
      } else {
        let to = 9 * ~slot
        let source = 3 * b * width + 3 * a
        for (let r = 0; r < 3; r++, to += 3, source += width) {
          values[to]! += H[source]!
          values[to + 1]! += H[source + 1]!
          values[to + 2]! += H[source + 2]!
        }
      }
    }
  }
}

/** y = A x. */
export function multiply({ n, starts, columns, values }: BlockMatrix, x: Float64Array, y: Float64Array): void {
  y.fill(0, 0, 3 * n)
  for (let i = 0; i < n; i++) {
    const last = starts[i + 1]! - 1
    const x0 = x[3 * i]!
    const x1 = x[3 * i + 1]!
    const x2 = x[3 * i + 2]!
    let v = 9 * last
    let y0 = values[v]! * x0 + values[v + 1]! * x1 + values[v + 2]! * x2
    let y1 = values[v + 3]! * x0 + values[v + 4]! * x1 + values[v + 5]! * x2
    let y2 = values[v + 6]! * x0 + values[v + 7]! * x1 + values[v + 8]! * x2
    for (let k = starts[i]!; k < last; k++) {
      const j = 3 * columns[k]!
      v = 9 * k
      const a = values[v]!
      const b = values[v + 1]!
      const c = values[v + 2]!
      const d = values[v + 3]!
      const e = values[v + 4]!
      const f = values[v + 5]!
      const g = values[v + 6]!
      const h = values[v + 7]!
      const l = values[v + 8]!
      const u0 = x[j]!
      const u1 = x[j + 1]!
      const u2 = x[j + 2]!
      y0 += a * u0 + b * u1 + c * u2
      y1 += d * u0 + e * u1 + f * u2
      y2 += g * u0 + h * u1 + l * u2
      y[j]! += a * x0 + d * x1 + g * x2
      y[j + 1]! += b * x0 + e * x1 + h * x2
      y[j + 2]! += c * x0 + f * x1 + l * x2
    }
    y[3 * i]! += y0
    y[3 * i + 1]! += y1
    y[3 * i + 2]! += y2
  }
}

/**
 * Replaces rows and columns of the vertices with `held[i]` ≠ 0 by those of the unit matrix, so that a direct solve keeps their components of the
 * right-hand side.
 */
export function holdRows({ n, starts, columns, values }: BlockMatrix, held: Uint8Array): void {
  for (let i = 0; i < n; i++) {
    for (let k = starts[i]!; k < starts[i + 1]!; k++) {
      if (!held[i] && !held[columns[k]!]) continue
      values.fill(0, 9 * k, 9 * k + 9)
      if (columns[k] === i) values[9 * k] = values[9 * k + 4] = values[9 * k + 8] = 1
    }
  }
}
