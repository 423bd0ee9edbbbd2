/** A capsule on a half-space: one end or both touch. */

import type { HalfSpace } from '../geometry/half-space'
import type { Pose } from '../math/pose'
import type { FeaturePair } from './contact'
import { FeatureListCollider, type Valid } from './feature-list-collider'
import { PointOnPlanePair } from './pairs/point-plane'
import { END, endOf, type Rod } from './rod'

export class RodHalfSpaceCollider extends FeatureListCollider {
  private readonly pairs: readonly FeaturePair[]

  constructor(rod: Rod, ground: HalfSpace) {
    super()
    this.pairs = ([0, 1] as const).map(end => new PointOnPlanePair({
      featureA: END[end], featureB: { kind: 'face', index: 0 }, point: endOf(rod, end), radius: rod.radius,
      normal: ground.normal, offset: ground.offset, boundary: [], slack: 0,
    }))
  }

  protected valid(a: Pose, b: Pose): Valid[] {
    return this.pairs.map(pair => ({ pair, gap: pair.locate(a, b).gap }))
  }

  protected outline(pairs: readonly Valid[]): FeaturePair[] {
    return pairs.map(({ pair }) => pair)
  }
}
