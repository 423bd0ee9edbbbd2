/**
 * A feature pair that separates only beyond rounding.
 *
 * For flush bodies a corner lies in the plane of a side that it does not face: beyond it by 1e-17 m on one side of a body, short of it on the other.
 * Such a plane, which cannot contain the contact, counts as passed only beyond a distance, so that both sides use the same features.
 */

import type { Pose } from '../../../math/pose'
import type { BodyMotion } from '../../../geometry/motion'
import { gapOf, type ContactLocation, type ContactRates, type Feature, type FeaturePair } from '../../../collision/contact'

export class Beyond implements FeaturePair {
  readonly key: string
  readonly featureA: Feature
  readonly featureB: Feature

  /** @param distance m: smaller distances do not count as separated */
  constructor(private readonly pair: FeaturePair, private readonly distance: number) {
    this.key = pair.key
    this.featureA = pair.featureA
    this.featureB = pair.featureB
  }

  locate(a: Pose, b: Pose): ContactLocation {
    const located = this.pair.locate(a, b)
    return { ...located, gap: located.gap - this.distance }
  }

  gap(a: Pose, b: Pose): number {
    return gapOf(this.pair, a, b) - this.distance
  }

  rates(a: BodyMotion, b: BodyMotion): ContactRates {
    return this.pair.rates(a, b)
  }

  margin(a: Pose, b: Pose): number {
    return this.pair.margin(a, b)
  }
}
