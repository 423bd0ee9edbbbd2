/**
 * Pairs of primitives to evaluate in a step. Every body has a box with a margin and gets a new one only if it could leave it: slow bodies need no
 * sorting and no comparison.
 */

import type { ContactSet, PrimitivePair } from '../../contact/contact-set'
import type { BodyMotions } from './body-motions'
import { GAP_TARGET } from './tolerances'

/** × bounding radius: margin around a body at rest. */
const MARGIN = 0.02
/** × the free motion of a body in a step: its allowed motion in that step, and its margin. */
const MOTION_BOUND = 2
const FAST_MARGIN = 2

export class NearPairs {
  /** All pairs, and those of the current step: pairs of bodies that take part in it, with each other or with immovable bodies. */
  all: readonly PrimitivePair[] = []
  pairs: readonly PrimitivePair[] = []
  /** m, by body: motion in this step after which it is checked again. */
  readonly way: Float64Array
  /** m, by body: margin of its box, and the part that it may have used since. */
  private readonly margin: Float64Array
  private readonly used: Float64Array
  /** m, by body: displacement since the whole step began, of which the current step may be a part; included in the boxes. */
  private readonly since: Float64Array

  constructor(private readonly contacts: ContactSet, private readonly motions: BodyMotions) {
    const { length } = motions.path
    this.way = new Float64Array(length)
    this.margin = new Float64Array(length).fill(-1)
    this.used = new Float64Array(length)
    this.since = new Float64Array(length)
  }

  /** Call after bodies have been placed, or boxes set, by others. */
  forget(): void {
    this.margin.fill(-1)
  }

  /** A whole step begins. */
  beginWhole(): void {
    this.since.fill(0)
  }

  /** Starts a step of some bodies, with their displacements in free motion. */
  begin(bodies: readonly number[], part: Uint8Array): void {
    this.widen([...bodies, ...this.motions.all.filter(body => this.margin[body]! < 0)], false)
    this.choose(part)
  }

  /** Call after the step has changed the motion of bodies: if one exceeds its margin, pairs are searched again. */
  follow(bodies: readonly number[], part: Uint8Array): void {
    if (this.widen(bodies, true)) this.choose(part)
  }

  /** Selects the pairs whose movable bodies all have `part` set. */
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
      way[i] = MOTION_BOUND * path[i]! + 10 * GAP_TARGET
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
