/** Two spheres: one contact on the line of centres. */

import type { Pose } from '../math/pose'
import type { Ball } from './ball'
import type { ColliderCounts, FeaturePair, PairCollider, Separation } from './contact'
import { PointOnPointPair } from './pairs/point-point'

export class SphereSphereCollider implements PairCollider {
  readonly counts: ColliderCounts = { queries: 0, witnessHits: 0, iterations: 0 }
  private readonly pair: FeaturePair

  constructor(a: Ball, b: Ball) {
    this.pair = new PointOnPointPair({
      featureA: { kind: 'surface', index: 0 }, featureB: { kind: 'surface', index: 0 },
      pointA: a.center, radiusA: a.radius, pointB: b.center, radiusB: b.radius, boundary: [], slack: 0,
    })
  }

  separation(a: Pose, b: Pose): number {
    this.counts.queries++
    return this.pair.locate(a, b).gap
  }

  separating(a: Pose, b: Pose): Separation {
    const { gap, normal, point } = this.pair.locate(a, b)
    return { separation: gap, normal, point }
  }

  region(a: Pose, b: Pose, tolerance: number): FeaturePair[] {
    return this.separation(a, b) <= tolerance ? [this.pair] : []
  }

  candidates(_a: Pose, _b: Pose, held: readonly FeaturePair[]): FeaturePair[] {
    return held.length > 0 ? [] : [this.pair]
  }
}
