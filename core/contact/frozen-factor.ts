/** C = J_R M⁻¹ Wᵀ over the independent rows R of a frozen index set, and the factor of C Cᵀ. */

import { addScaledRow, dot } from '../math/factor'
import { factorSkyline, solveSkyline } from '../math/skyline'
import type { MovedHalves, RowHalves } from './frozen-shape'
import { dot6 } from './half-row'

/** Pivots of C Cᵀ below this share of their diagonal elements are rounding. */
const SINGULAR = 1e-15

export class FrozenFactor {
  /** r × p, row-major; row i is zero outside from[i] … to[i]. */
  private readonly C: Float64Array
  private readonly from: Int32Array
  private readonly to: Int32Array
  /** The factor, r × r, and the first non-zero column of each row. */
  private readonly G: Float64Array
  private readonly first: Int32Array
  private readonly z: Float64Array

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
    this.C = new Float64Array(r * p)
    this.G = new Float64Array(r * r)
    this.z = new Float64Array(r)
    this.from = new Int32Array(r)
    this.to = new Int32Array(r)
    this.first = new Int32Array(r)
    for (let i = 0; i < r; i++) {
      let low = p
      let high = 0
      for (let k = 0; k < p; k++) {
        if (!this.meet(independent[i]!, k)) continue
        low = Math.min(low, k)
        high = k + 1
      }
      this.from[i] = low
      this.to[i] = high
    }
    for (let i = 0; i < r; i++) {
      let j = 0
      while (j < i && (this.to[j]! <= this.from[i]! || this.from[j]! >= this.to[i]!)) j++
      this.first[i] = j
    }
  }

  /** Whether a holding row acts on a body that row k moves. */
  private meet(i: number, k: number): boolean {
    const { hold, moved } = this
    for (let h = hold.start[i]!; h < hold.start[i + 1]!; h++) {
      for (let g = moved.start[k]!; g < moved.start[k + 1]!; g++) if (hold.place[h] === moved.place[g]) return true
    }
    return false
  }

  /** Computes the factor. @param weighed M⁻¹ Wᵀ, 6 for each half of the moved bodies @returns false if singular */
  factor(weighed: Float64Array): boolean {
    const { C, G, from, to, first, independent: { length: r }, p } = this
    this.fillC(weighed)
    for (let i = 0; i < r; i++) {
      for (let j = first[i]!; j <= i; j++) {
        if (this.square) {
          G[i * r + j] = C[i * p + j]!
          continue
        }
        const start = Math.max(from[i]!, from[j]!)
        G[i * r + j] = dot(C, i * p + start, C, j * p + start, Math.max(Math.min(to[i]!, to[j]!) - start, 0))
      }
    }
    return factorSkyline(G, r, first, SINGULAR)
  }

  private fillC(weighed: Float64Array): void {
    const { C, from, to, moved, hold, independent, p } = this
    for (let i = 0; i < independent.length; i++) {
      const row = independent[i]!
      for (let k = from[i]!; k < to[i]!; k++) {
        let sum = 0
        for (let h = hold.start[row]!; h < hold.start[row + 1]!; h++) {
          for (let g = moved.start[k]!; g < moved.start[k + 1]!; g++) {
            if (hold.place[h] === moved.place[g]) sum += dot6(hold.jacobian[hold.source[h]!]!, hold.offset[h]!, weighed, 6 * g)
          }
        }
        C[i * p + k] = sum
      }
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
