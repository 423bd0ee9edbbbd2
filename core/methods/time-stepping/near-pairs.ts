/**
 * Which pairs of primitives a step has to look at. Every body lies in a box with room around it, and gets a new one only where it could leave the one it has:
 * of bodies that hardly move nothing is sorted and nothing compared.
 */

import type { ContactSet, PrimitivePair } from '../../contact/contact-set'
import type { BodyMotions } from './body-motions'
import { GAP_TARGET } from './settings'

/** × bounding radius: room around a body at rest. */
const ROOM = 0.02
/** × the way that a step takes a body freely: how far it is allowed to go in that step, and how much room it gets. */
const WAY = 2
const FAST_ROOM = 2

export class NearPairs {
  pairs: readonly PrimitivePair[] = []
  /** m, by body: how far it may move in this step before it is looked at again. */
  readonly way: Float64Array
  /** m, by body: room around it when it got its box, and how much of that it may have used since. */
  private readonly room: Float64Array
  private readonly used: Float64Array

  constructor(private readonly contacts: ContactSet, private readonly motions: BodyMotions) {
    const { length } = motions.path
    this.way = new Float64Array(length)
    this.room = new Float64Array(length).fill(-1)
    this.used = new Float64Array(length)
  }

  /** Bodies have been placed anew, or boxes been given by others. */
  forget(): void {
    this.room.fill(-1)
  }

  /** A step begins, with the ways that free motion leads. */
  begin(): void {
    this.widen(false)
  }

  /** The step moves bodies otherwise than was foreseen; where one goes farther than it was allowed to, more pairs may be near. */
  follow(): void {
    this.widen(true)
  }

  /** The step was taken. */
  advance(): void {
    const { used, motions: { path } } = this
    for (let i = 0; i < path.length; i++) used[i] = used[i]! + path[i]!
  }

  private widen(following: boolean): void {
    const { way, room, used, motions: { path, snapshot } } = this
    let changed = false
    for (let i = 0; i < path.length; i++) {
      if (following && path[i]! <= way[i]!) continue
      way[i] = WAY * path[i]! + 10 * GAP_TARGET
      if (used[i]! + way[i]! <= room[i]!) continue
      const { boundingRadius } = snapshot.bodies[i]!
      room[i] = Math.max(FAST_ROOM * way[i]!, boundingRadius < Infinity ? ROOM * boundingRadius : 0)
      used[i] = 0
      this.contacts.enclose(snapshot, i, room[i]!)
      changed = true
    }
    if (changed) this.pairs = this.contacts.enclosed()
  }
}
