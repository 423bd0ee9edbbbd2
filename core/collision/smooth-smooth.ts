/** Two smooth strictly convex solids: one contact between their extremal points. */

import type { Pose } from '../math/pose'
import type { ColliderCounts, FeaturePair, PairCollider, Separation } from './contact'
import type { SmoothSupport } from './support'
import { SurfacePair } from './pairs/surface'

export class SmoothSmoothCollider implements PairCollider {
  private queries = 0
  private readonly pair: SurfacePair

  constructor(a: SmoothSupport, b: SmoothSupport) {
    this.pair = new SurfacePair({
      featureA: { kind: 'surface', index: 0 }, featureB: { kind: 'surface', index: 0 }, surface: a, other: b,
      middleA: a.pose.position, middle: b.pose.position, ruling: null,
      size: a.shape.radius + b.shape.radius, inside: () => Infinity, slack: 0,
    })
  }

  get counts(): ColliderCounts {
    return { queries: this.queries, witnessHits: Math.max(0, this.queries - 1), iterations: this.pair.iterations }
  }

  separation(a: Pose, b: Pose): number {
    this.queries++
    return this.pair.locate(a, b).gap
  }

  separating(a: Pose, b: Pose): Separation {
    this.queries++
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
