/**
 * How far apart two solids are at least, from when they were looked at last: since then they have come closer by no more than one has moved against the
 * other. What is far apart is passed over with this alone, step after step.
 *
 * Only how far B's origin has moved from A's, and how far each body has turned, counts: solids that fall side by side stay as far apart as they were.
 */

import type { PrimitivePair } from '../../contact/contact-set'
import type { WorldPrimitive } from '../../contact/world'
import type { Pose } from '../../math/pose'
import { length } from '../../math/vector'

export class Margin {
  /** m: how far each solid reaches from its body's origin. */
  private readonly extentA: number
  private readonly extentB: number
  /** m: how far apart the solids were, and B's origin from A's in world axes; rad: how far each body had turned in all by then. */
  private gap = -Infinity
  private readonly place = new Float64Array(5)
  /** Whose count of turns that is. */
  private turned: Float64Array | null = null

  constructor(private readonly pair: PrimitivePair) {
    this.extentA = extentOf(pair.a)
    this.extentB = extentOf(pair.b)
  }

  /**
   * The solids are `gap` apart or more, m.
   *
   * @param turned by body: by how much it has turned in all, one way or the other, since whoever counts this began, rad
   */
  mark(gap: number, { position: p }: Pose, { position: q }: Pose, turned: Float64Array): void {
    const { place, pair: { bodyA, bodyB } } = this
    this.gap = gap
    this.turned = turned
    place[0] = q[0] - p[0]
    place[1] = q[1] - p[1]
    place[2] = q[2] - p[2]
    place[3] = turned[bodyA]!
    place[4] = turned[bodyB]!
  }

  /** m: a lower bound of the distance; −Infinity where nothing is known by the same count of turns. */
  least({ position: p }: Pose, { position: q }: Pose, turned: Float64Array): number {
    const { place, pair: { bodyA, bodyB } } = this
    if (this.turned !== turned) return -Infinity
    const x = q[0] - p[0] - place[0]!
    const y = q[1] - p[1] - place[1]!
    const z = q[2] - p[2] - place[2]!
    return this.gap - Math.sqrt(x * x + y * y + z * z) - way(turned[bodyA]! - place[3]!, this.extentA) - way(turned[bodyB]! - place[4]!, this.extentB)
  }

  /** m: what lies between the balls about the bodies' origins that hold the solids. */
  between({ position: p }: Pose, { position: q }: Pose): number {
    const x = q[0] - p[0]
    const y = q[1] - p[1]
    const z = q[2] - p[2]
    return Math.sqrt(x * x + y * y + z * z) - this.extentA - this.extentB
  }
}

function extentOf({ primitive: { radius }, pose }: WorldPrimitive): number {
  return length(pose.position) + radius
}

/** m: of the farthest point of a solid whose body turns; one without end need not turn. */
function way(turn: number, extent: number): number {
  return turn === 0 ? 0 : turn * extent
}
