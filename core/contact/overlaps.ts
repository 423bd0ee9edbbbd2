/** Overlapping bodies at one instant. */

import { INITIAL_OVERLAP } from '../math/tolerances'
import type { ContactSet } from './contact-set'
import type { Snapshot } from './snapshot'
import type { World } from './world'

export interface Overlap {
  readonly bodyA: number
  readonly bodyB: number
  /** m: depth of the deepest overlap of their primitives. */
  readonly depth: number
}

/** × scene size: smaller overlaps are rounding. */
const ROUNDING = 1e-9

/**
 * The pairs of bodies with overlaps above rounding, in document order.
 *
 * @param most largest number of pairs: the number of coincident pairs grows with the square of the number of bodies
 */
export function overlapsAt({ scales }: Pick<World, 'scales'>, contacts: ContactSet, snapshot: Snapshot, most = Infinity): Overlap[] {
  const found: Overlap[] = []
  contacts.visitAt(snapshot, 0, ({ bodyA, bodyB, collider }) => {
    const depth = -collider.separation(snapshot.motions[bodyA]!.pose, snapshot.motions[bodyB]!.pose)
    if (!(depth > ROUNDING * scales.size)) return true
    // Pairs of primitives of the same bodies are consecutive.
    const last = found.at(-1)
    if (last === undefined || last.bodyA !== bodyA || last.bodyB !== bodyB) {
      if (found.length === most) return false
      found.push({ bodyA, bodyB, depth })
    } else if (depth > last.depth) {
      found[found.length - 1] = { bodyA, bodyB, depth }
    }
    return true
  })
  return found
}

/** m: overlaps up to this are projected out, deeper ones rejected. */
export function allowedOverlap({ scales }: Pick<World, 'scales'>): number {
  return INITIAL_OVERLAP * scales.size
}
