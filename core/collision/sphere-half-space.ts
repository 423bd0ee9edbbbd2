/** A sphere on a half-space: one contact under its centre. */

import type { HalfSpace } from '../geometry/half-space'
import type { Pose } from '../math/pose'
import type { Ball } from './ball'
import type { ColliderCounts, FeaturePair, PairCollider, Separation } from './contact'
import { PointOnPlanePair } from './pairs/point-plane'

export class SphereHalfSpaceCollider implements PairCollider {
  readonly counts: ColliderCounts = { queries: 0, witnessHits: 0, iterations: 0 }
  private readonly pair: FeaturePair

  constructor(ball: Ball, ground: HalfSpace) {
    this.pair = new PointOnPlanePair({
      featureA: { kind: 'surface', index: 0 }, featureB: { kind: 'face', index: 0 }, point: ball.center, radius: ball.radius,
      normal: ground.normal, offset: ground.offset, boundary: [], slack: 0,
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
