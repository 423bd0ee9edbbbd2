/** Two smooth strictly convex solids: one contact between their extremal points. */

import type { Pose } from '../math/pose'
import type { ColliderCounts, ContactLocation, FeaturePair, PairCollider, Separation } from './contact'
import type { SmoothSupport } from './support'
import { SurfacePair } from './pairs/surface'

const FEW_STEPS = 3

export class SmoothSmoothCollider implements PairCollider {
  readonly counts: ColliderCounts = { queries: 0, witnessHits: 0, iterations: 0 }
  private readonly pair: SurfacePair

  constructor(a: SmoothSupport, b: SmoothSupport) {
    this.pair = new SurfacePair({
      featureA: { kind: 'surface', index: 0 }, featureB: { kind: 'surface', index: 0 }, surface: a, other: b,
      middleA: a.pose.position, middle: b.pose.position, ruling: null,
      size: a.shape.radius + b.shape.radius, inside: () => Infinity, slack: 0,
    })
  }

  separation(a: Pose, b: Pose): number {
    return this.look(a, b).gap
  }

  separating(a: Pose, b: Pose): Separation {
    const { gap, normal, point } = this.look(a, b)
    return { separation: gap, normal, point }
  }

  /** The direction of the query before is the witness: it answers where Newton's method needs no more than a few steps from it. */
  private look(a: Pose, b: Pose): ContactLocation {
    const before = this.pair.iterations
    const found = this.pair.locate(a, b)
    const steps = this.pair.iterations - before
    if (this.counts.queries++ > 0 && steps <= FEW_STEPS) {
      this.counts.witnessHits++
    }
    this.counts.iterations += steps
    return found
  }

  region(a: Pose, b: Pose, tolerance: number): FeaturePair[] {
    return this.separation(a, b) <= tolerance ? [this.pair] : []
  }

  candidates(_a: Pose, _b: Pose, held: readonly FeaturePair[]): FeaturePair[] {
    return held.length > 0 ? [] : [this.pair]
  }
}
