/** A smooth solid on a half-space: one contact, at the point whose normal is opposite to the plane's. */

import type { HalfSpace } from '../geometry/half-space'
import type { Pose } from '../math/pose'
import type { ColliderCounts, FeaturePair, PairCollider, Separation } from './contact'
import type { SmoothSupport } from './support'
import { SurfaceOnPlanePair } from './pairs/surface-plane'

export class SmoothHalfSpaceCollider implements PairCollider {
  readonly counts: ColliderCounts = { queries: 0, witnessHits: 0, iterations: 0 }
  private readonly pair: FeaturePair

  constructor(surface: SmoothSupport, ground: HalfSpace) {
    this.pair = new SurfaceOnPlanePair({
      featureA: { kind: 'surface', index: 0 }, featureB: { kind: 'face', index: 0 }, surface,
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
