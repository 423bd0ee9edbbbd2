/** All feature pairs of two solids, and the pair that separates the solids best. */

import type { Pose } from '../math/pose'
import { distance, dot, negate, sub, ZERO, type Vec3 } from '../math/vector'
import type { ContactLocation, FeaturePair } from './contact'
import type { FeatureSet } from './feature-set'
import { featurePairs } from './feature-set-pairs'
import { SurfacePair } from './pairs/surface'
import { SwappedPair } from './pairs/swapped'

export interface Axis {
  readonly pair: FeaturePair
  readonly at: ContactLocation & {
    /** Whether the separation along the pair's direction equals the distance of its points. */
    readonly supported: boolean
  }
}

/** Largest excess of a pair's gap over the support functions along its direction, × size: rounding. */
const SUPPORTED = 1e-13

export class PairSearch {
  readonly pairs: readonly FeaturePair[]

  /** `slack`: lateral tolerance of the pairs, m. */
  constructor(private readonly a: FeatureSet, private readonly b: FeatureSet, slack: number) {
    this.pairs = featurePairs(a, b, slack)
  }

  /** Separation of the solids along a unit vector out of B, m. */
  separated(a: Pose, b: Pose, normal: Vec3): number {
    const shifted: Pose = { position: sub(a.position, b.position), orientation: a.orientation }
    return dot(normal, sub(this.a.support(shifted, negate(normal)), this.b.support({ ...b, position: ZERO }, normal)))
  }

  /**
   * The separation along a pair's direction: its gap if the support functions confirm it, otherwise their value. The maximum is the separation, because its
   * direction belongs to some pair; in overlap it belongs to the feature direction of least overlap.
   */
  axisOf(pair: FeaturePair, a: Pose, b: Pose): Axis['at'] | null {
    const at = pair.locate(a, b)
    if (!Number.isFinite(at.gap)) return null
    const apart = this.separated(a, b, at.normal)
    const supported = apart >= at.gap - this.rounding(a, b)
    return { ...at, gap: supported ? at.gap : apart, supported }
  }

  /** The best of some pairs; among those with the greatest gap the one with facing features. */
  greatest(pairs: readonly FeaturePair[], a: Pose, b: Pose): Axis | null {
    let best: Axis | null = null
    let known = false
    const rounding = this.rounding(a, b)
    for (const pair of pairs) {
      const at = this.axisOf(pair, a, b)
      if (at === null) continue
      // Several pairs can have one direction; the pair with facing features gives the point.
      const ahead = best === null ? Infinity : at.gap - best.at.gap
      if (ahead < -rounding) continue
      const faces = at.supported && pair.margin(a, b) > -Infinity
      if (ahead > rounding || (faces && (!known || ahead > 0))) {
        best = { pair, at }
        known = faces
      }
    }
    return best
  }

  /** Rounding of gaps, m. */
  rounding(a: Pose, b: Pose): number {
    return SUPPORTED * (this.a.size + this.b.size + distance(a.position, b.position))
  }
}

/** Sets a world direction as the start of a pair's next search. @returns whether the pair has such a search */
export function lookAlong(pair: FeaturePair, direction: Vec3): boolean {
  const curve = curveOf(pair)
  curve?.lookAlong(pair === curve ? direction : negate(direction))
  return curve !== null
}

function curveOf(pair: FeaturePair): SurfacePair | null {
  const straight = pair instanceof SwappedPair ? pair.original : pair
  return straight instanceof SurfacePair ? straight : null
}
