/**
 * Any two solids given by feature lists. The separation is found by direction (`curved/curved-search.ts`). The region consists of the feature pairs on that
 * side within the tolerance with points inside both features.
 */

import type { Pose } from '../math/pose'
import { addScaled, dot, length, negate, sub, type Vec3 } from '../math/vector'
import type { ColliderCounts, ContactLocation, FeaturePair, Landing, PairCollider, Rim, Separation } from './contact'
import { withoutCollinear, type Corner } from './contact-polygon'
import { CurvedSearch } from './curved/curved-search'
import { FeatureOutlines } from './feature-outlines'
import type { FeatureSet } from './feature-set'
import { chords, type Chord } from './feature-set-pairs'
import { FlushRim, withPointsAround } from './flush'
import { lookAlong, PairSearch } from './pair-search'
import { pairKey } from './pairs/key'
import { SwappedPair, swappedLanding, swappedRim } from './pairs/swapped'

/** Largest difference from 1 of the cosine of two equal normals. */
const SAME_NORMAL = 1e-9
/** Least cosine to the best direction for a pair of the same region. */
const SAME_SIDE = 0.5

export class FeatureSetCollider implements PairCollider {
  private readonly nearest: CurvedSearch
  private readonly outlines: FeatureOutlines
  private search: PairSearch
  private chords: readonly Chord[] = []
  private flush: readonly Flush[] = []
  private slack = 0

  constructor(private readonly a: FeatureSet, private readonly b: FeatureSet) {
    this.nearest = new CurvedSearch(a.flat, a.pose, b.flat, b.pose)
    this.outlines = new FeatureOutlines(a, b)
    this.search = new PairSearch(a, b, 0)
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
    if (tolerance !== this.slack) {
      this.slack = tolerance
      this.search = new PairSearch(this.a, this.b, tolerance)
      this.chords = chords(this.a, this.b, tolerance)
      this.flush = this.rimsOf(tolerance)
    }
    const best = this.nearest.separating(a, b)
    if (best.separation > tolerance) {
      return []
    }
    this.outlines.keepNear(a, b, best, tolerance)
    const near = this.search.pairs.filter(pair => this.outlines.isNear(pair))
    const corners = this.touching(a, b, best, tolerance, near)
    if (corners.length > 0) return withoutCollinear(corners, best.normal, tolerance).map(({ pair }) => pair)
    for (const pair of near) lookAlong(pair, best.normal)
    const alone = this.search.greatest(near, a, b) ?? this.search.greatest(this.search.pairs, a, b)
    return alone === null ? [] : [alone.pair]
  }

  candidates(a: Pose, b: Pose, held: readonly FeaturePair[]): FeaturePair[] {
    const known = new Set(held.map(pair => pair.key))
    const { separation, normal } = this.nearest.separating(a, b)
    // If a disc lies flat, the lowest point of its rim is undefined.
    const lying = new Set(this.lying(a, b, normal).map(keyOf))
    this.outlines.keepFacing(a, b, normal, SAME_SIDE)
    return [...this.search.pairs.filter(pair => {
      if (!this.outlines.isNear(pair) || known.has(pair.key) || lying.has(pair.key)) {
        return false
      }
      const at = locatedAlong(pair, a, b, normal)
      return at.gap > separation - this.slack && dot(at.normal, normal) > SAME_SIDE && pair.margin(a, b) >= this.slack
    }), ...this.tilted(a, b, known).map(rim => rim.far)]
  }

  inStep(a: Pose, b: Pose, watched: readonly FeaturePair[], reach: number): FeaturePair[] {
    const found = withPointsAround(watched, this.flush, a, b, reach)
    return this.chords.length === 0 ? found : this.withBothEnds(a, b, found, reach)
  }

  /** Lines nearly flat across a disc, which touch its rim at one end of a chord or at the other, are replaced by both ends. */
  private withBothEnds(a: Pose, b: Pose, watched: FeaturePair[], reach: number): FeaturePair[] {
    const known = new Map(watched.map(pair => [pair.key, pair]))
    for (const chord of this.chords) {
      const touching = known.get(chord.key)
      if (touching === undefined) continue
      const { normal } = touching.locate(a, b)
      if (!chord.ends.every((end, k) => isWithin(end.locate(a, b), normal, reach) && chord.isInside(k, a, b))) continue
      known.delete(chord.key)
      for (const end of chord.ends) known.set(end.key, end)
    }
    return [...known.values()]
  }

  landings(a: Pose, b: Pose, held: readonly FeaturePair[]): Landing[] {
    return this.tilted(a, b, new Set(held.map(pair => pair.key))).map(rim => rim.landing(a, b))
  }

  rims(a: Pose, b: Pose, tolerance: number): Rim[] {
    if (this.flush.length === 0) {
      return []
    }
    const { separation, normal } = this.nearest.separating(a, b)
    return separation > tolerance ? [] : this.lying(a, b, normal).map(rim => rim.side(a, b))
  }

  /** The rims that touch at their lowest points. */
  private tilted(a: Pose, b: Pose, known: ReadonlySet<string>): Flush[] {
    return this.flush.filter(rim => known.has(keyOf(rim)) && rim.faces(a, b))
  }

  private touching(a: Pose, b: Pose, best: Separation, tolerance: number, near: readonly FeaturePair[]): Corner[] {
    const holding = (pairs: readonly FeaturePair[]): Corner[] => pairs.map((pair): Corner => ({ pair, ...locatedAlong(pair, a, b, best.normal) }))
      .filter(({ pair, normal, gap }) => gap <= tolerance && gap >= best.separation - tolerance && dot(normal, best.normal) > SAME_SIDE
        && pair.margin(a, b) >= 0)
    const lying = holding(this.lying(a, b, best.normal).flatMap(rim => rim.points()))
    const onRim = ({ featureA, featureB }: FeaturePair): boolean => featureA.kind === 'rim' || featureB.kind === 'rim'
    const corners = [...holding([...near, ...this.chords.flatMap(({ ends }) => ends)].filter(pair => lying.length === 0 || !onRim(pair))), ...lying]
    return corners.filter((corner, i) => !corners.slice(0, i).some(other => {
      const d = sub(other.point, corner.point)
      return length(addScaled(d, best.normal, -dot(d, best.normal))) <= tolerance
    }))
  }

  /** Discs that lie on a flat of the other body, for the world normal from B to A. */
  private lying(a: Pose, b: Pose, normal: Vec3): Flush[] {
    return this.flush.filter(rim => rim.lies(a, b) && dot(normal, rim.normal(a, b)) >= 1 - SAME_NORMAL)
  }

  private rimsOf(tolerance: number): Flush[] {
    return [
      ...flushRims(this.a, this.b, tolerance),
      ...flushRims(this.b, this.a, tolerance).map((rim): Flush => ({
        onto: { featureA: rim.onto.featureB, featureB: rim.onto.featureA },
        landing: (a, b) => swappedLanding(rim.landing(b, a)), faces: (a, b) => rim.faces(b, a),
        lies: (a, b) => rim.lies(b, a), normal: (a, b) => negate(rim.normal(b, a)), far: new SwappedPair(rim.far),
        isNearlyFlat: (a, b, reach) => rim.isNearlyFlat(b, a, reach), around: (a, b) => rim.around(b, a).map(pair => new SwappedPair(pair)),
        points: () => rim.points().map(pair => new SwappedPair(pair)), side: (a, b) => swappedRim(rim.side(b, a)),
      })),
    ]
  }
}

function isWithin({ gap, normal }: ContactLocation, direction: Vec3, reach: number): boolean {
  return gap <= reach && dot(normal, direction) > SAME_SIDE
}

/** Location of two facing features; a curve whose search has moved to the other side of its solid restarts from a direction. */
function locatedAlong(pair: FeaturePair, a: Pose, b: Pose, direction: Vec3): ContactLocation {
  const at = pair.locate(a, b)
  return dot(at.normal, direction) > SAME_SIDE || !lookAlong(pair, direction) ? at : pair.locate(a, b)
}

/** A disc of either body on a flat of the other, as seen from the pair. */
type Flush = Pick<FlushRim, 'onto' | 'landing' | 'faces' | 'lies' | 'normal' | 'far' | 'points' | 'side' | 'isNearlyFlat' | 'around'>

function keyOf({ onto }: Flush): string {
  return pairKey(onto.featureA, onto.featureB)
}

function flushRims({ round }: FeatureSet, { flats }: FeatureSet, tolerance: number): FlushRim[] {
  return round === null ? [] : round.discs.flatMap((_, index) => flats.map(flat => new FlushRim(round, index, flat, tolerance)))
}
