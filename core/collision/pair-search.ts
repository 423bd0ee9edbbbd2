/** All pairs of features of two solids, and which of them separates the solids best. */

import { hypot } from '../math/elementary'
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
    /** Whether the solids are apart along the pair's direction by as much as its points. */
    readonly supported: boolean
  }
}

/** How far a pair's gap may exceed what the support functions say along its direction, × size: rounding. */
const SUPPORTED = 1e-13
/** How much farther apart than they are said to be two points of the solids may be that say so, × size: a rim's corner is off its features by rounding. */
const TIGHT = 1e-10

export class PairSearch {
  readonly pairs: readonly FeaturePair[]
  private supported: Axis[] = []

  /** `slack`: lateral tolerance of the pairs, m. */
  constructor(private readonly a: FeatureSet, private readonly b: FeatureSet, private readonly slack: number) {
    this.pairs = featurePairs(a, b, slack)
  }

  /** How far a unit vector out of B separates the solids, m. */
  separated(a: Pose, b: Pose, normal: Vec3): number {
    const shifted: Pose = { position: sub(a.position, b.position), orientation: a.orientation }
    return dot(normal, sub(this.a.support(shifted, negate(normal)), this.b.support({ ...b, position: ZERO }, normal)))
  }

  /**
   * What a pair's direction separates: its own gap where the support functions say so too, else what they say. The greatest of these is the separation,
   * because the direction in which it lies is that of some pair; in overlap it is that of the features' own directions in which they overlap least.
   */
  axisOf(pair: FeaturePair, a: Pose, b: Pose): Axis['at'] | null {
    const at = pair.locate(a, b)
    if (!Number.isFinite(at.gap)) return null
    const apart = this.separated(a, b, at.normal)
    const supported = apart >= at.gap - this.rounding(a, b)
    return { ...at, gap: supported ? at.gap : apart, supported }
  }

  /** Whether a pair's points lie in both of its features and are as far apart as the solids are along it: then no direction separates better. */
  proves({ pair, at }: Axis, a: Pose, b: Pose): boolean {
    return at.supported && pair.margin(a, b) >= this.slack && hypot(at.gap, missOf(pair, a, b)) <= Math.abs(at.gap) + this.rounding(a, b)
  }

  /** Whether points of some pair of those last looked at are no farther apart than the best of them says. */
  isTight(best: Axis, a: Pose, b: Pose): boolean {
    if (this.proves(best, a, b)) return true
    const most = best.at.gap + TIGHT * (this.a.size + this.b.size)
    return this.supported.some(({ pair, at: { gap } }) =>
      Math.abs(gap) <= most && hypot(gap, missOf(pair, a, b)) + Math.max(0, this.slack - pair.margin(a, b)) <= most)
  }

  greatest(a: Pose, b: Pose): Axis {
    this.supported = []
    let best: Axis | null = null
    let known = false
    const rounding = this.rounding(a, b)
    for (const pair of this.pairs) {
      const at = this.axisOf(pair, a, b)
      if (at === null) continue
      if (at.supported) this.supported.push({ pair, at })
      // Several pairs can have one direction; the one whose features face each other along it knows the point.
      const ahead = best === null ? Infinity : at.gap - best.at.gap
      if (ahead < -rounding) continue
      const faces = at.supported && pair.margin(a, b) > -Infinity
      if (ahead > rounding || (faces && (!known || ahead > 0))) {
        best = { pair, at }
        known = faces
      }
    }
    return best!
  }

  /** Begins the next search of every curve at a world direction; by itself where that is `null`. */
  lookAlong(direction: Vec3 | null): void {
    for (const pair of this.pairs) lookAlong(pair, direction)
  }

  /** The best with every curve looking along the best so far too: touching or overlapping, a curve can have several best directions. */
  again(a: Pose, b: Pose, { at: { normal } }: Axis): Axis {
    for (const pair of this.pairs) {
      const curve = curveOf(pair)
      if (curve === pair) curve.reconsider(a, b, normal)
      else curve?.reconsider(b, a, negate(normal))
    }
    return this.greatest(a, b)
  }

  /** m: of gaps. */
  rounding(a: Pose, b: Pose): number {
    return SUPPORTED * (this.a.size + this.b.size + distance(a.position, b.position))
  }
}

/** Begins a pair's next search at a world direction, where it searches at all; by itself where that is `null`. */
export function lookAlong(pair: FeaturePair, direction: Vec3 | null): void {
  const curve = curveOf(pair)
  curve?.lookAlong(direction === null || pair === curve ? direction : negate(direction))
}

/** m: how far a pair's points are from facing each other along its normal. */
function missOf(pair: FeaturePair, a: Pose, b: Pose): number {
  const curve = curveOf(pair)
  return curve === null ? 0 : pair === curve ? curve.miss(a, b) : curve.miss(b, a)
}

function curveOf(pair: FeaturePair): SurfacePair | null {
  const straight = pair instanceof SwappedPair ? pair.original : pair
  return straight instanceof SurfacePair ? straight : null
}
