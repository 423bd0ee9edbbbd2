/**
 * Lower bound on the distance of two solids since their last evaluation: the distance then minus the relative motion since. Distant pairs are skipped
 * by this bound alone.
 *
 * Only the motion of B's origin relative to A's and the rotation of each body count: solids that fall side by side keep their bound.
 */

import type { PrimitivePair } from '../../contact/contact-set'
import type { WorldPrimitive } from '../../contact/world'
import type { Pose } from '../../math/pose'
import { length } from '../../math/vector'

export class Margin {
  /** m: distance of each solid's farthest point from its body's origin. */
  private readonly extentA: number
  private readonly extentB: number
  /** m: distance of the solids, and B's origin relative to A's in world axes; rad: total rotation of each body by then. */
  private gap = -Infinity
  private readonly place = new Float64Array(5)
  /** The array of accumulated rotations that the bound refers to. */
  private turned: Float64Array | null = null

  constructor(private readonly pair: PrimitivePair) {
    this.extentA = extentOf(pair.a)
    this.extentB = extentOf(pair.b)
  }

  /**
   * Stores that the solids are at least `gap` apart, m.
   *
   * @param turned by body: accumulated rotation angle, rad, in any direction
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

  /** m: a lower bound on the distance; −Infinity if it refers to other accumulated rotations. */
  least({ position: p }: Pose, { position: q }: Pose, turned: Float64Array): number {
    const { place, pair: { bodyA, bodyB } } = this
    if (this.turned !== turned) return -Infinity
    const x = q[0] - p[0] - place[0]!
    const y = q[1] - p[1] - place[1]!
    const z = q[2] - p[2] - place[2]!
    return this.gap - Math.sqrt(x * x + y * y + z * z) - way(turned[bodyA]! - place[3]!, this.extentA) - way(turned[bodyB]! - place[4]!, this.extentB)
  }

  /** m: distance between the bounding spheres of the solids about their body origins. */
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

/** m: displacement of the farthest point of a rotating solid; unbounded solids do not rotate. */
function way(turn: number, extent: number): number {
  return turn === 0 ? 0 : turn * extent
}
