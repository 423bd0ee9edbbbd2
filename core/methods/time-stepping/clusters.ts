/**
 * Clusters of bodies that are near each other, directly or through others, and so may interact. The effort for a body's contacts depends on the size
 * of its cluster, not on the rest of the scene.
 */

import { BodyGroups } from '../../contact/body-groups'
import type { PrimitivePair } from '../../contact/contact-set'
import type { Snapshot } from '../../contact/snapshot'

/** A cluster of at least this many bodies is a pile: its collisions are solved less accurately, because they amplify rounding anyway. */
const PILE = 64

export class Clusters {
  /** By body: size of its cluster. */
  private readonly count: Int32Array
  /** By body: the first body of its cluster. */
  private readonly home: Int32Array

  constructor(private readonly snapshot: Snapshot) {
    this.count = new Int32Array(snapshot.bodies.length)
    this.home = new Int32Array(snapshot.bodies.length)
  }

  /** @param pairs that may come near each other in the step */
  find(pairs: readonly PrimitivePair[]): void {
    const { snapshot: { bodies }, count } = this
    const groups = new BodyGroups(this.snapshot)
    for (let k = 0; k < pairs.length; k++) groups.join(pairs[k]!.bodyA, pairs[k]!.bodyB)
    count.fill(0)
    for (let body = 0; body < bodies.length; body++) if (groups.dynamic(body)) count[this.home[body] = groups.find(body)]!++
    for (let body = 0; body < bodies.length; body++) if (groups.dynamic(body)) count[body] = count[this.home[body]!]!
  }

  /** Lets some bodies count as a pile until the next search. */
  pile(bodies: readonly number[]): void {
    for (const body of bodies) this.count[body] = Math.max(this.count[body]!, PILE)
  }

  /** The first body of a dynamic body's cluster. */
  homeOf(body: number): number {
    return this.home[body]!
  }

  /** Whether a body is in a pile. */
  isPile(body: number): boolean {
    return this.count[body]! >= PILE
  }
}
