/**
 * Colliders of shapes with few features, with a list of all feature pairs. A pair is valid if its point lies inside both features. The region consists of
 * the valid pairs within the tolerance; the separation is their least gap.
 */

import type { Pose } from '../math/pose'
import type { ColliderCounts, FeaturePair, PairCollider, Separation } from './contact'

export interface Valid {
  readonly pair: FeaturePair
  readonly gap: number
}

export abstract class FeatureListCollider implements PairCollider {
  constructor(readonly counts: ColliderCounts = { queries: 0, witnessHits: 0, iterations: 0 }) {}

  /** Feature pairs with points inside both features, never empty; `slack`: lateral tolerance, m. */
  protected abstract valid(a: Pose, b: Pose, slack: number): Valid[]

  /** Selects the pairs that constrain the region from those within the tolerance. */
  protected abstract outline(pairs: readonly Valid[], a: Pose, b: Pose, tolerance: number): FeaturePair[]

  separation(a: Pose, b: Pose): number {
    return this.least(a, b).gap
  }

  separating(a: Pose, b: Pose): Separation {
    const { gap, normal, point } = this.least(a, b).pair.locate(a, b)
    return { separation: gap, normal, point }
  }

  region(a: Pose, b: Pose, tolerance: number): FeaturePair[] {
    this.counts.queries++
    return this.outline(this.valid(a, b, tolerance).filter(({ gap }) => gap <= tolerance), a, b, tolerance)
  }

  candidates(a: Pose, b: Pose, held: readonly FeaturePair[]): FeaturePair[] {
    const known = new Set(held.map(pair => pair.key))
    return this.valid(a, b, 0).map(({ pair }) => pair).filter(pair => !known.has(pair.key))
  }

  private least(a: Pose, b: Pose): Valid {
    this.counts.queries++
    return this.valid(a, b, 0).reduce((best, tried) => tried.gap < best.gap ? tried : best)
  }
}

/** Pairs along one straight line: the two farthest apart along a world direction. */
export function outermost(pairs: readonly Valid[], a: Pose, b: Pose, along: readonly [number, number, number], slack: number): FeaturePair[] {
  if (pairs.length < 2) {
    return pairs.map(({ pair }) => pair)
  }
  const at = pairs.map(({ pair }) => {
    const [x, y, z] = pair.locate(a, b).point
    return x * along[0] + y * along[1] + z * along[2]
  })
  const low = at.reduce((best, value, i) => value < at[best]! ? i : best, 0)
  const high = at.reduce((best, value, i) => value > at[best]! ? i : best, 0)
  if (at[high]! - at[low]! <= slack) {
    return [pairs.reduce((best, tried) => tried.gap < best.gap ? tried : best).pair]
  }
  return [low, high].sort((i, j) => i - j).map(i => pairs[i]!.pair)
}
