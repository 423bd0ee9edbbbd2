/**
 * Points of carriers as further particles of conditions (`held-conditions.ts`). They are numbered after the blocks of a stage. A point p = c + r of a
 * dynamic carrier depends on its two blocks: ∂p/∂c = 1, and a force F at p is F on the first block and L⁻¹ (r × F) on the second [carriers.ts].
 */

import type { Vec3 } from '../../math/vector'
import { outward, type Carriers } from './carriers'

export interface BodyPoint {
  /** Number of the carrier; 0 is the world. */
  readonly carrier: number
  /** m, in its frame. */
  readonly point: Vec3
}

export class BodyPoints {
  /** m: of the blocks and then of the points, as last placed. */
  readonly positions: Float64Array
  /** m, 3 a point: from the centre of mass of its carrier. */
  readonly arms: Float64Array
  private readonly at = new Float64Array(3)

  /** @param first number of the first point: that of the blocks of all carriers and particles */
  constructor(readonly first: number, readonly all: Carriers, readonly points: readonly BodyPoint[]) {
    this.positions = new Float64Array(3 * (first + points.length))
    this.arms = new Float64Array(3 * points.length)
  }

  /** Places the points at the current poses of their carriers, or at those at the start of the stage. @param X of particles and blocks */
  place(X: Float64Array, start: boolean): Float64Array {
    const { positions, arms, at, first, points, all } = this
    positions.set(X)
    const [rotations, origins, centers] = start ? [all.startRotations, all.startOrigins, all.startCenters] : [all.rotations, all.origins, all.centers]
    points.forEach(({ carrier, point: [x, y, z] }, k) => {
      outward(rotations, origins, carrier, x, y, z, at)
      positions.set(at, 3 * (first + k))
      for (let c = 0; c < 3; c++) arms[3 * k + c] = at[c]! - centers[3 * carrier + c]!
    })
    return positions
  }

  /** The carrier of a vertex of a condition; −1 for particles. */
  carrierOf(vertex: number): number {
    return vertex < this.first ? -1 : this.points[vertex - this.first]!.carrier
  }

  /** Blocks on which a vertex of a condition depends. */
  blocksOf(vertex: number): readonly number[] {
    if (vertex < this.first) return [vertex]
    const block = this.all.blocks[this.carrierOf(vertex)]!
    return block < 0 ? [] : [block, block + 1]
  }

  /** Writes the matrix L⁻¹ [r]×, which makes a force at a point that on the second block of its carrier; 9, row-major. */
  writeTurn(vertex: number, out: Float64Array): void {
    const { arms, all: { inverseRoots: B } } = this
    const k = 3 * (vertex - this.first)
    const b = 9 * this.carrierOf(vertex)
    const [x, y, z] = [arms[k]!, arms[k + 1]!, arms[k + 2]!]
    for (let r = 0; r < 3; r++) {
      const [u, v, w] = [B[b + 3 * r]!, B[b + 3 * r + 1]!, B[b + 3 * r + 2]!]
      out[3 * r] = v * z - w * y
      out[3 * r + 1] = w * x - u * z
      out[3 * r + 2] = u * y - v * x
    }
  }
}
