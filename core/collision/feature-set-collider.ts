/**
 * Any two solids given by feature lists. Every pair of features proposes a direction n̂ and a gap; it is a separating axis of the two solids exactly
 * where no other point of either lies farther along it, which the support functions decide. The separation is the largest such gap; the region are the
 * pairs at that side within the tolerance whose points lie inside both features.
 */

import type { Pose } from '../math/pose'
import { addScaled, dot, length, negate, sub, type Vec3 } from '../math/vector'
import type { ColliderCounts, ContactLocation, FeaturePair, PairCollider, Rim, Separation } from './contact'
import { withoutCollinear, type Corner } from './contact-polygon'
import type { FeatureSet } from './feature-set'
import { featurePairs } from './feature-set-pairs'
import { FlushRim } from './flush'
import { pairKey } from './pairs/key'
import { SwappedPair, swappedRim } from './pairs/swapped'

interface Axis {
  readonly pair: FeaturePair
  readonly at: ContactLocation
}

/** How far a proposed gap may exceed what the support functions say, × size, for rounding in its direction. */
const SUPPORTED = 1e-9
/** Cosine to the best direction from which on a pair belongs to the same region. */
const SAME_SIDE = 0.5

export class FeatureSetCollider implements PairCollider {
  readonly counts: ColliderCounts = { queries: 0, witnessHits: 0, iterations: 0 }
  private pairs: FeaturePair[]
  private flush: readonly Flush[] = []
  private slack = 0
  private witness: FeaturePair | null = null

  constructor(private readonly a: FeatureSet, private readonly b: FeatureSet) {
    this.pairs = featurePairs(a, b, 0)
  }

  separation(a: Pose, b: Pose): number {
    return this.best(a, b).at.gap
  }

  separating(a: Pose, b: Pose): Separation {
    const { gap, normal, point } = this.best(a, b).at
    return { separation: gap, normal, point }
  }

  region(a: Pose, b: Pose, tolerance: number): FeaturePair[] {
    if (tolerance !== this.slack) {
      this.slack = tolerance
      this.pairs = featurePairs(this.a, this.b, tolerance)
      this.flush = this.rimsOf(tolerance)
      this.witness = null
    }
    const best = this.best(a, b)
    if (best.at.gap > tolerance) {
      return []
    }
    const corners = this.touching(a, b, best, tolerance)
    return corners.length === 0 ? [best.pair] : withoutCollinear(corners, best.at.normal, tolerance).map(({ pair }) => pair)
  }

  candidates(a: Pose, b: Pose, held: readonly FeaturePair[]): FeaturePair[] {
    const known = new Set(held.map(pair => pair.key))
    const best = this.best(a, b)
    const landing = this.flush.filter(rim => known.has(pairKey(rim.onto.featureA, rim.onto.featureB)) && rim.faces(a, b))
    return [...this.pairs.filter(pair => {
      if (known.has(pair.key)) {
        return false
      }
      const at = pair.locate(a, b)
      return at.gap > best.at.gap - this.slack && dot(at.normal, best.at.normal) > SAME_SIDE && pair.margin(a, b) >= this.slack
    }), ...landing.map(rim => rim.far)]
  }

  rims(a: Pose, b: Pose, tolerance: number): Rim[] {
    if (this.flush.length === 0) {
      return []
    }
    const { gap, normal } = this.best(a, b).at
    return gap > tolerance ? [] : this.lying(a, b, normal).map(rim => rim.side(a, b))
  }

  private best(a: Pose, b: Pose): Axis {
    this.counts.queries++
    if (this.witness !== null) {
      const at = this.witness.locate(a, b)
      if (at.gap > 0 && this.witness.margin(a, b) >= this.slack && this.supported(at, a, b)) {
        this.counts.witnessHits++
        return { pair: this.witness, at }
      }
    }
    this.counts.iterations++
    let best: Axis | null = null
    for (const pair of this.pairs) {
      const at = pair.locate(a, b)
      if (at.gap > (best?.at.gap ?? -Infinity) && this.supported(at, a, b)) {
        best = { pair, at }
      }
    }
    this.witness = best?.pair ?? null
    return best ?? this.deepOverlap(a, b)
  }

  /** Whether the gap is the separation of the two solids along its own normal. */
  private supported({ normal, gap }: ContactLocation, a: Pose, b: Pose): boolean {
    const apart = dot(normal, sub(this.a.support(a, negate(normal)), this.b.support(b, normal)))
    return apart >= gap - SUPPORTED * (this.a.size + this.b.size)
  }

  /** Overlap so deep that no pair of features bounds it: whatever overlaps least along the features' own directions. */
  private deepOverlap(a: Pose, b: Pose): Axis {
    const depth = ({ normal }: ContactLocation): number => dot(normal, sub(this.a.support(a, negate(normal)), this.b.support(b, normal)))
    return this.pairs.map((pair): Axis => {
      const at = pair.locate(a, b)
      return { pair, at: { ...at, gap: depth(at) } }
    }).filter(({ at }) => Number.isFinite(at.gap)).reduce((best, tried) => tried.at.gap > best.at.gap ? tried : best)
  }

  private touching(a: Pose, b: Pose, best: Axis, tolerance: number): Corner[] {
    const holding = (pairs: readonly FeaturePair[]): Corner[] => pairs.map((pair): Corner => ({ pair, ...pair.locate(a, b) }))
      .filter(({ pair, normal, gap }) => gap <= tolerance && gap >= best.at.gap - tolerance && dot(normal, best.at.normal) > SAME_SIDE
        && pair.margin(a, b) >= 0)
    const lying = holding(this.lying(a, b, best.at.normal).flatMap(rim => rim.points()))
    const onRim = ({ featureA, featureB }: FeaturePair): boolean => featureA.kind === 'rim' || featureB.kind === 'rim'
    const corners = [...holding(this.pairs.filter(pair => lying.length === 0 || !onRim(pair))), ...lying]
    return corners.filter((corner, i) => !corners.slice(0, i).some(other => {
      const d = sub(other.point, corner.point)
      return length(addScaled(d, best.at.normal, -dot(d, best.at.normal))) <= tolerance
    }))
  }

  /** Discs that lie on a flat of the other body, with the world normal from B to A given. */
  private lying(a: Pose, b: Pose, normal: Vec3): Flush[] {
    return this.flush.filter(rim => rim.lies(a, b) && dot(normal, rim.normal(a, b)) >= 1 - SUPPORTED)
  }

  private rimsOf(tolerance: number): Flush[] {
    return [
      ...flushRims(this.a, this.b, tolerance),
      ...flushRims(this.b, this.a, tolerance).map((rim): Flush => ({
        onto: { featureA: rim.onto.featureB, featureB: rim.onto.featureA },
        faces: (a, b) => rim.faces(b, a), lies: (a, b) => rim.lies(b, a), normal: (a, b) => negate(rim.normal(b, a)), far: new SwappedPair(rim.far),
        points: () => rim.points().map(pair => new SwappedPair(pair)), side: (a, b) => swappedRim(rim.side(b, a)),
      })),
    ]
  }
}

/** A disc of either body on a flat of the other, as seen by the pair. */
type Flush = Pick<FlushRim, 'onto' | 'faces' | 'lies' | 'normal' | 'far' | 'points' | 'side'>

function flushRims({ round }: FeatureSet, { flats }: FeatureSet, tolerance: number): FlushRim[] {
  return round === null ? [] : round.discs.flatMap((_, index) => flats.map(flat => new FlushRim(round, index, flat, tolerance)))
}
