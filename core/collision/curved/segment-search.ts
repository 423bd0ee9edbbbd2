/** The nearest points of a straight segment whose ends move freely and a convex solid with a curved surface. */

import { Capsule } from '../../geometry/capsule'
import type { Primitive } from '../../geometry/shape'
import { IDENTITY_POSE, type Pose } from '../../math/pose'
import { CurvedSearch } from './curved-search'
import { FlatConvex, flatConvex } from './flat-convex'

/** One segment, reused for every query. */
const segment = new FlatConvex(new Capsule(1, 1))

export class SegmentSearch {
  /** m, signed: negative where the segment passes through the solid. */
  distance = 0
  /** Unit, out of the solid. */
  nx = 0
  ny = 0
  nz = 0
  /** Share of the way from the first end to the second at which the segment is nearest; exactly 0 or 1 at an end. */
  s = 0
  private readonly search: CurvedSearch

  /** @param pose of the solid in the frame of the segments */
  constructor(primitive: Primitive, pose: Pose) {
    this.search = new CurvedSearch(segment, IDENTITY_POSE, flatConvex(primitive), pose)
  }

  /** Between the points at a and b in P, 3 each. */
  find(P: ArrayLike<number>, a: number, b: number): void {
    const { search } = this
    let [x, y, z] = [P[b]! - P[a]!, P[b + 1]! - P[a + 1]!, P[b + 2]! - P[a + 2]!]
    const length = Math.sqrt(x * x + y * y + z * z)
    // The z axis turns by at most a right angle: the segment is the same either way round.
    const sense = z < 0 ? -1 : 1
    x *= sense / length
    y *= sense / length
    z *= sense / length
    const unit = length > 0 ? Math.sqrt(2 * (1 + z)) : 1
    segment.stretch(length)
    search.find({
      position: [P[a]! + (P[b]! - P[a]!) / 2, P[a + 1]! + (P[b + 1]! - P[a + 1]!) / 2, P[a + 2]! + (P[b + 2]! - P[a + 2]!) / 2],
      orientation: length > 0 ? [-y / unit, x / unit, 0, (1 + z) / unit] : [0, 0, 0, 1],
    }, IDENTITY_POSE)
    this.distance = search.separation
    ;[this.nx, this.ny, this.nz] = search.normal
    const s = length > 0 ? 0.5 + sense * search.heightOnA / length : 0
    this.s = s < ROUNDING ? 0 : s > 1 - ROUNDING ? 1 : s
  }
}

/** Share of a segment's length below which the nearest point is its end. */
const ROUNDING = 1e-12
