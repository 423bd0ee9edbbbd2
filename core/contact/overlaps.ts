/** Bodies that overlap at one instant. */

import { INITIAL_OVERLAP } from '../math/tolerances'
import type { ContactSet } from './contact-set'
import type { Snapshot } from './snapshot'
import type { World } from './world'

export interface Overlap {
  readonly bodyA: number
  readonly bodyB: number
  /** m: of the two primitives that overlap most. */
  readonly depth: number
}

/** Overlap that is rounding, × scene size. */
const ROUNDING = 1e-9

/** The pairs of bodies that overlap by more than rounding, in the order in which the contact set has them. */
export function overlapsAt({ scales }: Pick<World, 'scales'>, contacts: ContactSet, snapshot: Snapshot): Overlap[] {
  const deepest = new Map<string, Overlap>()
  for (const { bodyA, bodyB, collider } of contacts.nearAt(snapshot, 0)) {
    const depth = -collider.separation(snapshot.motions[bodyA]!.pose, snapshot.motions[bodyB]!.pose)
    const key = `${bodyA}/${bodyB}`
    if (depth > Math.max(ROUNDING * scales.size, deepest.get(key)?.depth ?? 0)) deepest.set(key, { bodyA, bodyB, depth })
  }
  return [...deepest.values()]
}

/** m: overlaps up to this are projected out, deeper ones refused [physics.md §0]. */
export function allowedOverlap({ scales }: Pick<World, 'scales'>): number {
  return INITIAL_OVERLAP * scales.size
}
