/** C = J_R M⁻¹ Wᵀ over the independent rows R of a frozen index set, and the factor of C Cᵀ. */

import { addScaledRow, dot } from '../math/factor'
import { factorSkyline, solveSkyline } from '../math/skyline'
import type { MovedHalves, RowHalves } from './frozen-shape'
import { dot6 } from './half-row'

/** Pivots of C Cᵀ below this share of their diagonal elements are rounding. */
const SINGULAR = 1e-15

export class FrozenFactor {
  /** r × p, row-major; row i is zero outside from[i] … to[i]. Empty if square: its lower triangle is then written into G. */
  private readonly C: Float64Array
  private readonly from: Int32Array
  private readonly to: Int32Array
  /** The factor, r × r, and the first non-zero column of each row. */
  private readonly G: Float64Array
  private readonly first: Int32Array
  private readonly z: Float64Array
  /** The elements that can be non-zero, by their indices in C or G: pairs cellStart[e] … cellStart[e + 1] of halves with a common body. */
  private readonly cells: Int32Array
  private readonly cellStart: Int32Array
  private readonly pairs: Int32Array

  /**
   * @param independent indices in `hold` of the rows R
   * @param p number of rows with a multiplier
   * @param square whether C is square and symmetric: it is then factored itself
   */
  constructor(
    private readonly hold: RowHalves, private readonly moved: MovedHalves, readonly independent: Int32Array, private readonly p: number,
    private readonly square: boolean,
  ) {
    const r = independent.length
    this.C = new Float64Array(square ? 0 : r * p)
    this.G = new Float64Array(r * r)
    this.z = new Float64Array(r)
    this.from = new Int32Array(r)
    this.to = new Int32Array(r)
    this.first = new Int32Array(r)
    const cells: number[] = []
    const cellStart = [0]
    const pairs: number[] = []
    for (let i = 0; i < r; i++) {
      let low = p
      let high = 0
      for (let k = 0; k < p; k++) {
        if (!this.addPairs(independent[i]!, k, pairs)) continue
        low = Math.min(low, k)
        high = k + 1
        if (square && k > i) pairs.length = cellStart.at(-1)!
        else {
          cells.push(i * p + k)
          cellStart.push(pairs.length)
        }
      }
      this.from[i] = low
      this.to[i] = high
    }
    this.cells = Int32Array.from(cells)
    this.cellStart = Int32Array.from(cellStart)
    this.pairs = Int32Array.from(pairs)
    for (let i = 0; i < r; i++) {
      let j = 0
      while (j < i && (this.to[j]! <= this.from[i]! || this.from[j]! >= this.to[i]!)) j++
      this.first[i] = j
    }
  }

  /** Adds the pairs (h, 6 g) of halves of a holding row and of row k with a common body. @returns whether there are any */
  private addPairs(i: number, k: number, pairs: number[]): boolean {
    const { hold, moved } = this
    const before = pairs.length
    for (let h = hold.start[i]!; h < hold.start[i + 1]!; h++) {
      for (let g = moved.start[k]!; g < moved.start[k + 1]!; g++) if (hold.place[h] === moved.place[g]) pairs.push(h, 6 * g)
    }
    return pairs.length > before
  }

  /** Computes the factor. @param weighed M⁻¹ Wᵀ, 6 for each half of the moved bodies @returns false if singular */
  factor(weighed: Float64Array): boolean {
    const { C, G, from, to, first, independent: { length: r }, p } = this
    if (this.square) {
      for (let i = 0; i < r; i++) G.fill(0, i * r + first[i]!, i * r + i + 1)
      this.fill(G, weighed)
      return factorSkyline(G, r, first, SINGULAR)
    }
    this.fill(C, weighed)
    for (let i = 0; i < r; i++) {
      for (let j = first[i]!; j <= i; j++) {
        const start = Math.max(from[i]!, from[j]!)
        G[i * r + j] = dot(C, i * p + start, C, j * p + start, Math.max(Math.min(to[i]!, to[j]!) - start, 0))
      }
    }
    return factorSkyline(G, r, first, SINGULAR)
  }

  /** Writes the elements of C that can be non-zero. */
  private fill(matrix: Float64Array, weighed: Float64Array): void {
    const { cells, cellStart, pairs, hold: { jacobian, source, offset } } = this
    for (let e = 0; e < cells.length; e++) {
      let sum = 0
      for (let at = cellStart[e]!; at < cellStart[e + 1]!; at += 2) {
        const h = pairs[at]!
        sum += dot6(jacobian[source[h]!]!, offset[h]!, weighed, pairs[at + 1]!)
      }
      matrix[cells[e]!] = sum
    }
  }

  /** Adds Cᵀ (C Cᵀ)⁻¹ r_R to the unknowns. @param rest r: the remaining right-hand side of all holding rows */
  correct(rest: Float64Array, unknowns: Float64Array): void {
    const { C, G, from, to, first, z, independent, p } = this
    const { length: r } = independent
    for (let i = 0; i < r; i++) z[i] = rest[independent[i]!]!
    solveSkyline(G, r, first, z)
    if (this.square) for (let i = 0; i < r; i++) unknowns[i] = unknowns[i]! + z[i]!
    else for (let i = 0; i < r; i++) addScaledRow(unknowns, from[i]!, C, i * p + from[i]!, z[i]!, to[i]! - from[i]!)
  }
}
