/** The same contact with A and B exchanged: points stay, normals are reversed. */

import type { BodyMotion } from '../../geometry/motion'
import type { Pose } from '../../math/pose'
import { negate } from '../../math/vector'
import {
  gapOf, KINEMATICS, kinematicsOf,
  type ContactLocation, type ContactRates, type Feature, type FeaturePair, type Landing, type PairCollider, type Rim, type Separation,
} from '../contact'
import { pairKey } from './key'

export class SwappedPair implements FeaturePair {
  readonly key: string
  readonly featureA: Feature
  readonly featureB: Feature

  constructor(readonly original: FeaturePair) {
    this.featureA = original.featureB
    this.featureB = original.featureA
    this.key = pairKey(this.featureA, this.featureB)
  }

  locate(a: Pose, b: Pose): ContactLocation {
    const { point, normal, gap } = this.original.locate(b, a)
    return { point, normal: negate(normal), gap }
  }

  gap(a: Pose, b: Pose): number {
    return gapOf(this.original, b, a)
  }

  rates(a: BodyMotion, b: BodyMotion): ContactRates {
    const { pointRate, normalRate } = this.original.rates(b, a)
    return { pointRate, normalRate: negate(normalRate) }
  }

  kinematics(a: BodyMotion, b: BodyMotion, out: Float64Array): void {
    kinematicsOf(this.original, b, a, out)
    for (let k = 0; k < 3; k++) {
      out[KINEMATICS.normal + k] = -out[KINEMATICS.normal + k]!
      out[KINEMATICS.normalRate + k] = -out[KINEMATICS.normalRate + k]!
    }
  }

  curvature(a: Pose, b: Pose): number {
    return this.original.curvature?.(b, a) ?? Infinity
  }

  margin(a: Pose, b: Pose): number {
    return this.original.margin(b, a)
  }
}

export class SwappedCollider implements PairCollider {
  constructor(private readonly original: PairCollider) {}

  get counts(): PairCollider['counts'] {
    return this.original.counts
  }

  separation(a: Pose, b: Pose): number {
    return this.original.separation(b, a)
  }

  separating(a: Pose, b: Pose): Separation {
    const { separation, normal, point } = this.original.separating(b, a)
    return { separation, normal: negate(normal), point }
  }

  region(a: Pose, b: Pose, tolerance: number): FeaturePair[] {
    return this.original.region(b, a, tolerance).map(pair => new SwappedPair(pair))
  }

  candidates(a: Pose, b: Pose, held: readonly FeaturePair[]): FeaturePair[] {
    return this.original.candidates(b, a, held.map(original)).map(pair => new SwappedPair(pair))
  }

  inStep(a: Pose, b: Pose, watched: readonly FeaturePair[], reach: number): FeaturePair[] {
    return this.original.inStep?.(b, a, watched.map(original), reach).map(pair => new SwappedPair(pair)) ?? [...watched]
  }

  rims(a: Pose, b: Pose, tolerance: number): Rim[] {
    return (this.original.rims?.(b, a, tolerance) ?? []).map(swappedRim)
  }

  landings(a: Pose, b: Pose, held: readonly FeaturePair[]): Landing[] {
    return (this.original.landings?.(b, a, held.map(original)) ?? []).map(swappedLanding)
  }
}

function original(pair: FeaturePair): FeaturePair {
  return pair instanceof SwappedPair ? pair.original : new SwappedPair(pair)
}

export function swappedLanding(landing: Landing): Landing {
  return (a, b) => landing(b, a)
}

export function swappedRim(rim: Rim): Rim {
  return {
    at: angle => new SwappedPair(rim.at(angle)), lowest: value => rim.lowest(pair => value(new SwappedPair(pair))), towards: point => rim.towards(point),
  }
}
