/** Two smooth strictly convex solids: one contact between their extremal points. */

import type { Pose } from '../math/pose'
import type { ColliderCounts, FeaturePair, PairCollider, Separation } from './contact'
import { CurvedSearch } from './curved/curved-search'
import { flatConvex } from './curved/flat-convex'
import type { SmoothSupport } from './support'
import { SurfacePair } from './pairs/surface'

export class SmoothSmoothCollider implements PairCollider {
  private readonly nearest: CurvedSearch
  private readonly pair: SurfacePair

  constructor(a: SmoothSupport, b: SmoothSupport) {
    this.nearest = new CurvedSearch(flatConvex(a.shape), a.pose, flatConvex(b.shape), b.pose)
    this.pair = new SurfacePair({
      featureA: { kind: 'surface', index: 0 }, featureB: { kind: 'surface', index: 0 }, surface: a, other: b,
      middleA: a.pose.position, middle: b.pose.position, ruling: null,
      size: a.shape.radius + b.shape.radius, inside: () => Infinity, slack: 0,
    })
  }

  get counts(): ColliderCounts {
    return this.nearest.counts
  }

  separation(a: Pose, b: Pose): number {
    this.nearest.find(a, b)
    return this.nearest.separation
  }

  separating(a: Pose, b: Pose): Separation {
    return this.nearest.separating(a, b)
  }

  region(a: Pose, b: Pose, tolerance: number): FeaturePair[] {
    return this.separation(a, b) <= tolerance ? [this.looking(a, b)] : []
  }

  candidates(a: Pose, b: Pose, held: readonly FeaturePair[]): FeaturePair[] {
    if (held.length > 0) return []
    this.nearest.find(a, b)
    return [this.looking(a, b)]
  }

  /** The pair, started from the last found direction. */
  private looking(a: Pose, b: Pose): SurfacePair {
    this.pair.follow(a, b, this.nearest.normal)
    return this.pair
  }
}
