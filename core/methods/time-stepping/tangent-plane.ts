/**
 * A contact of curved solids at one instant, between a material point of A and a tangent plane fixed in B. A feature pair of curved solids follows its contact
 * point. If the lowest point of a disc changes sides within a step, the row from the step's start pushes at the wrong place. Therefore planes through the
 * places of overlap are added, round by round, until no overlap remains.
 */

import type { ContactLocation, ContactRates, Feature, FeaturePair } from '../../collision/contact'
import { PointOnPlanePair } from '../../collision/pairs/point-plane'
import type { PrimitivePair } from '../../contact/contact-set'
import type { BodyMotion } from '../../geometry/motion'
import { toInner, type Pose } from '../../math/pose'
import { rotateInverse } from '../../math/quaternion'
import { addScaled, dot, sub } from '../../math/vector'
import type { StepConstraint } from './contact-model'

class TangentPlanePair implements FeaturePair {
  readonly featureA: Feature
  readonly featureB: Feature
  private readonly plane: PointOnPlanePair

  constructor(features: FeaturePair, { point, normal, gap }: ContactLocation, a: Pose, b: Pose, readonly key: string) {
    this.featureA = features.featureA
    this.featureB = features.featureB
    this.plane = new PointOnPlanePair({
      featureA: this.featureA, featureB: this.featureB, point: toInner(a, addScaled(point, normal, gap / 2)), radius: 0,
      normal: rotateInverse(b.orientation, normal), offset: dot(normal, sub(addScaled(point, normal, -gap / 2), b.position)), boundary: [], slack: 0,
    })
  }

  locate(a: Pose, b: Pose): ContactLocation {
    return this.plane.locate(a, b)
  }

  gap(a: Pose, b: Pose): number {
    return this.plane.gap(a, b)
  }

  rates(a: BodyMotion, b: BodyMotion): ContactRates {
    return this.plane.rates(a, b)
  }

  /** It belongs to its step only and is not carried over to later ones. */
  margin(): number {
    return -Infinity
  }
}

/**
 * Tangent planes where constraints of a pair are violated at the given poses.
 *
 * @param number of the planes that the pair has in this step already
 */
export function tangentPlanes(pair: PrimitivePair, violated: readonly StepConstraint[], a: Pose, b: Pose, number: number): StepConstraint[] {
  return violated.flatMap(({ candidates }) => {
    const at = candidates[0]!.locate(a, b)
    return at.gap < 0 ? { features: candidates[0]!, at } : []
  }).map(({ features, at }, k): StepConstraint => {
    const name = `${features.key}#${number + k}`
    return { kind: 'unilateral', pair, key: `${pair.key}/${name}`, candidates: [new TangentPlanePair(features, at, a, b, name)], primaries: 1 }
  })
}
