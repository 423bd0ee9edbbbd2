/**
 * Lower bound of the distance of two solids from their last evaluation: the distance then minus the relative motion since. Distant pairs are skipped by this
 * alone, step after step.
 *
 * Only the motion of B's origin relative to A's, and the rotation of each body, count: solids that fall side by side keep their bound.
 */

import type { PrimitivePair } from '../../contact/contact-set'
import type { WorldPrimitive } from '../../contact/world'
import type { Pose } from '../../math/pose'
import { length } from '../../math/vector'

export class Margin {
  /** m: how far each solid reaches from its body's origin. */
  private readonly extentA: number
  private readonly extentB: number
  /** m: distance of the solids, and B's origin relative to A's in world axes; rad: total rotation of each body by then. */
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

/** m: of the farthest point of a rotating solid; an unbounded one does not rotate. */
function way(turn: number, extent: number): number {
  return turn === 0 ? 0 : turn * extent
}
