/**
 * Pairs of primitives to evaluate in a step. Every body has a box with a margin and gets a new one only if it could leave it: bodies that hardly move need no
 * sorting and no comparison.
 */

import type { ContactSet, PrimitivePair } from '../../contact/contact-set'
import type { BodyMotions } from './body-motions'
import { GAP_TARGET } from './settings'

/** × bounding radius: margin around a body at rest. */
const MARGIN = 0.02
/** × the free motion of a body in a step: its allowed motion in that step, and its margin. */
const WAY = 2
const FAST_MARGIN = 2

export class NearPairs {
  /** Of all bodies, and those of them that the step in hand looks at: pairs of bodies that take part in it, with each other or with what nothing moves. */
  all: readonly PrimitivePair[] = []
  pairs: readonly PrimitivePair[] = []
  /** m, by body: motion in this step after which it is checked again. */
  readonly way: Float64Array
  /** m, by body: margin of its box, and the part that it may have used since. */
  private readonly margin: Float64Array
  private readonly used: Float64Array
  /** m, by body: its way since the whole step began, of which the step in hand may be a part; boxes hold that way too. */
  private readonly since: Float64Array

  constructor(private readonly contacts: ContactSet, private readonly motions: BodyMotions) {
    const { length } = motions.path
    this.way = new Float64Array(length)
    this.margin = new Float64Array(length).fill(-1)
    this.used = new Float64Array(length)
    this.since = new Float64Array(length)
  }

  /** Bodies have been placed anew, or boxes been given by others. */
  forget(): void {
    this.margin.fill(-1)
  }

  /** A whole step begins. */
  beginWhole(): void {
    this.since.fill(0)
  }

  /** A step of some bodies begins, with the ways that free motion leads. */
  begin(bodies: readonly number[], part: Uint8Array): void {
    this.widen([...bodies, ...this.motions.all.filter(body => this.margin[body]! < 0)], false)
    this.choose(part)
  }

  /** The step changes the motion of bodies; if one exceeds its allowed motion, more pairs may be near. */
  follow(bodies: readonly number[], part: Uint8Array): void {
    if (this.widen(bodies, true)) this.choose(part)
  }

  /** Looks at those pairs only that have `part` set for every body that moves. */
  choose(part: Uint8Array): void {
    const { snapshot: { bodies } } = this.motions
    this.pairs = this.all.filter(({ bodyA, bodyB }) => part[bodyA] === 1 && (part[bodyB] === 1 || bodies[bodyB]!.type !== 'dynamic'))
  }

  /** The step was taken. */
  advance(bodies: readonly number[]): void {
    const { used, since, motions: { path } } = this
    for (const i of bodies) {
      used[i] = used[i]! + path[i]!
      since[i] = since[i]! + path[i]!
    }
  }

  private widen(moving: readonly number[], following: boolean): boolean {
    const { way, margin, used, since, motions: { path, snapshot } } = this
    let changed = false
    for (const i of moving) {
      if (following && path[i]! <= way[i]!) continue
      way[i] = WAY * path[i]! + 10 * GAP_TARGET
      if (used[i]! + way[i]! <= margin[i]!) continue
      const { boundingRadius } = snapshot.bodies[i]!
      margin[i] = Math.max(FAST_MARGIN * way[i]!, boundingRadius < Infinity ? MARGIN * boundingRadius : 0)
      used[i] = 0
      this.contacts.enclose(snapshot, i, margin[i]! + since[i]!)
      changed = true
    }
    if (changed) this.all = this.contacts.enclosed()
    return changed
  }
}
