/** The final check of a step: pairs that overlap at its end, or pass through each other on the way. */

import type { PrimitivePair } from '../../contact/contact-set'
import { length } from '../../math/vector'
import type { BodyMotions } from './body-motions'
import type { LocalScales } from './local-scales'
import type { NearPairs } from './near-pairs'
import type { Passages } from './passage'
import { GAP_ROUNDING } from './tolerances'

export interface MovedPairs {
  readonly motions: BodyMotions
  readonly passages: Passages
  readonly near: NearPairs
  readonly scales: LocalScales
  /** s: length of the step. */
  readonly h: number
}

/**
 * @param unproven by body: whether it has moved since its pairs were last evaluated
 * @returns each pair with the time of its overlap, s from the step's start
 */
export function overlaps({ motions: { path }, passages, near, scales, h }: MovedPairs, unproven: Uint8Array): { pair: PrimitivePair, time: number }[] {
  const deep: { pair: PrimitivePair, time: number }[] = []
  for (const pair of near.pairs) {
    if (path[pair.bodyA]! + path[pair.bodyB]! === 0 || (unproven[pair.bodyA] === 0 && unproven[pair.bodyB] === 0)
      || passages.cannotMeet(pair)) continue
    const time = passages.timeOf(pair, h, -GAP_ROUNDING * (scales.size(pair.bodyA, pair.bodyB) + Math.max(extentOf(pair.a), extentOf(pair.b))))
    if (time !== null) deep.push({ pair, time })
  }
  return deep
}

/** m: extent of a bounded solid; the rounding error of its coordinates is proportional to it. */
function extentOf({ primitive: { radius }, pose }: PrimitivePair['a']): number {
  return Number.isFinite(radius) ? radius + length(pose.position) : 0
}
