/** Colliders with a list of all feature pairs and a direction search for the separation; the list is used only if the solids touch. */

import type { Pose } from '../math/pose'
import type { FeaturePair, Separation } from './contact'
import type { CurvedSearch } from './curved/curved-search'
import { FeatureListCollider } from './feature-list-collider'

export abstract class SearchedListCollider extends FeatureListCollider {
  constructor(protected readonly nearest: CurvedSearch) {
    super(nearest.counts)
  }

  override separation(a: Pose, b: Pose): number {
    this.nearest.find(a, b)
    return this.nearest.separation
  }

  override separating(a: Pose, b: Pose): Separation {
    return this.nearest.separating(a, b)
  }

  override region(a: Pose, b: Pose, tolerance: number): FeaturePair[] {
    return this.separation(a, b) > tolerance ? [] : super.region(a, b, tolerance)
  }
}
