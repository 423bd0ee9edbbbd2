/**
 * Any two solids given by feature lists. Every pair of features proposes a direction n̂; how far it separates the two solids the support functions say.
 * The separation is the largest such gap; the region are the pairs at that side within the tolerance whose points lie inside both features.
 */

import { toInner, type Pose } from '../math/pose'
import { addScaled, dot, length, negate, sub, UNIT_Z, type Vec3 } from '../math/vector'
import { ascend } from './ascent'
import type { ColliderCounts, FeaturePair, Landing, PairCollider, Rim, Separation } from './contact'
import { withoutCollinear, type Corner } from './contact-polygon'
import type { FeatureSet } from './feature-set'
import { featureDistances, nameOf } from './feature-distance'
import { chords } from './feature-set-pairs'
import { FlushRim } from './flush'
import { nearestGuess, type NearestGuess } from './nearest-guess'
import { lookAlong, PairSearch, type Axis } from './pair-search'
import { pairKey } from './pairs/key'
import { SwappedPair, swappedLanding, swappedRim } from './pairs/swapped'

/** Separation below which curves are looked at twice, × size. */
const NEAR = 1e-3
/** Pairs that are tried before all are, where solids are well apart. */
const TRIED = 40
/** How far from 1 the cosine of two normals may be that are the same. */
const SAME_NORMAL = 1e-9
/** Cosine to the best direction from which on a pair belongs to the same region. */
const SAME_SIDE = 0.5

export class FeatureSetCollider implements PairCollider {
  readonly counts: ColliderCounts = { queries: 0, witnessHits: 0, iterations: 0 }
  private search: PairSearch
  private fresh: PairSearch | null = null
  private chords: readonly FeaturePair[] = []
  private flush: readonly Flush[] = []
  private slack = 0
  private witness: FeaturePair | null = null

  constructor(private readonly a: FeatureSet, private readonly b: FeatureSet) {
    this.search = new PairSearch(a, b, 0)
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
      this.search = new PairSearch(this.a, this.b, tolerance)
      this.fresh = null
      this.chords = chords(this.a, this.b, tolerance)
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
    // While a disc lies flat, which point of its rim is lowest means nothing.
    const lying = new Set(this.lying(a, b, best.at.normal).map(keyOf))
    return [...this.search.pairs.filter(pair => {
      if (known.has(pair.key) || lying.has(pair.key)) {
        return false
      }
      const at = pair.locate(a, b)
      return at.gap > best.at.gap - this.slack && dot(at.normal, best.at.normal) > SAME_SIDE && pair.margin(a, b) >= this.slack
    }), ...this.tilted(a, b, known).map(rim => rim.far)]
  }

  landings(a: Pose, b: Pose, held: readonly FeaturePair[]): Landing[] {
    return this.tilted(a, b, new Set(held.map(pair => pair.key))).map(rim => rim.landing(a, b))
  }

  rims(a: Pose, b: Pose, tolerance: number): Rim[] {
    if (this.flush.length === 0) {
      return []
    }
    const { gap, normal } = this.best(a, b).at
    return gap > tolerance ? [] : this.lying(a, b, normal).map(rim => rim.side(a, b))
  }

  /** The rims held by their lowest points. */
  private tilted(a: Pose, b: Pose, known: ReadonlySet<string>): Flush[] {
    return this.flush.filter(rim => known.has(keyOf(rim)) && rim.faces(a, b))
  }

  private best(a: Pose, b: Pose): Axis {
    this.counts.queries++
    if (this.witness !== null) {
      const at = this.search.axisOf(this.witness, a, b)
      if (at !== null && at.gap > 0 && this.search.proves({ pair: this.witness, at }, a, b)) {
        this.counts.witnessHits++
        return { pair: this.witness, at }
      }
    }
    this.counts.iterations++
    const guess = nearestGuess(d => this.a.support(a, d), d => this.b.support(b, d), this.a.support(a, UNIT_Z), this.b.support(b, UNIT_Z))
    const found = this.proved(a, b, guess) ?? this.greatest(a, b, guess)
    this.witness = found.pair
    return found
  }

  /**
   * Well apart, a pair whose points lie in both of its features and are as far apart as its direction separates the solids is the only one that counts:
   * those of the features around where the solids seem nearest are tried first. `null` where none of them proves to be it.
   */
  private proved(a: Pose, b: Pose, guess: NearestGuess): Axis | null {
    const direction = sub(guess.onA, guess.onB)
    const near = NEAR * (this.a.size + this.b.size)
    if (!(guess.least > near)) return null
    const fromA = featureDistances(this.a, toInner(a, guess.onA))
    const fromB = featureDistances(this.b, toInner(b, guess.onB))
    const ranked = this.search.pairs.map(pair => ({ pair, away: fromA.get(nameOf(pair.featureA))! + fromB.get(nameOf(pair.featureB))! }))
      .sort((p, q) => p.away - q.away)
    for (let k = 0; k < Math.min(TRIED, ranked.length); k++) {
      const { pair } = ranked[k]!
      lookAlong(pair, direction)
      const at = this.search.axisOf(pair, a, b)
      if (at !== null && at.gap > near && this.search.proves({ pair, at }, a, b)) return { pair, at }
    }
    return null
  }

  /** The best of all pairs. */
  private greatest(a: Pose, b: Pose, guess: NearestGuess): Axis {
    const { search } = this
    const first = search.greatest(a, b)
    const best = first.at.gap <= NEAR * (this.a.size + this.b.size) ? search.again(a, b, first) : first
    return search.isTight(best, a, b) ? best : this.unled(a, b, best, guess)
  }

  /**
   * Where nothing proves what was found, curves may have been followed to a place that means nothing any more. So all pairs are looked at by others
   * of their kind that remember nothing: from where they begin by themselves, and along the direction that separates best.
   */
  private unled(a: Pose, b: Pose, found: Axis, { onA, onB }: NearestGuess): Axis {
    const { search } = this
    const fresh = this.fresh ??= new PairSearch(this.a, this.b, this.slack)
    let best = found
    for (const direction of [null, ascend(n => search.separated(a, b, n), [found.at.normal, sub(onA, onB)])]) {
      fresh.lookAlong(direction)
      const tried = fresh.again(a, b, fresh.greatest(a, b))
      if (tried.at.gap > best.at.gap + search.rounding(a, b)) best = tried
    }
    if (best === found) return found
    const pair = search.pairs[fresh.pairs.indexOf(best.pair)]!
    lookAlong(pair, best.at.normal)
    return { pair, at: search.axisOf(pair, a, b) ?? best.at }
  }

  private touching(a: Pose, b: Pose, best: Axis, tolerance: number): Corner[] {
    const holding = (pairs: readonly FeaturePair[]): Corner[] => pairs.map((pair): Corner => ({ pair, ...pair.locate(a, b) }))
      .filter(({ pair, normal, gap }) => gap <= tolerance && gap >= best.at.gap - tolerance && dot(normal, best.at.normal) > SAME_SIDE
        && pair.margin(a, b) >= 0)
    const lying = holding(this.lying(a, b, best.at.normal).flatMap(rim => rim.points()))
    const onRim = ({ featureA, featureB }: FeaturePair): boolean => featureA.kind === 'rim' || featureB.kind === 'rim'
    const corners = [...holding([...this.search.pairs, ...this.chords].filter(pair => lying.length === 0 || !onRim(pair))), ...lying]
    return corners.filter((corner, i) => !corners.slice(0, i).some(other => {
      const d = sub(other.point, corner.point)
      return length(addScaled(d, best.at.normal, -dot(d, best.at.normal))) <= tolerance
    }))
  }

  /** Discs that lie on a flat of the other body, with the world normal from B to A given. */
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
        points: () => rim.points().map(pair => new SwappedPair(pair)), side: (a, b) => swappedRim(rim.side(b, a)),
      })),
    ]
  }
}

/** A disc of either body on a flat of the other, as seen by the pair. */
type Flush = Pick<FlushRim, 'onto' | 'landing' | 'faces' | 'lies' | 'normal' | 'far' | 'points' | 'side'>

function keyOf({ onto }: Flush): string {
  return pairKey(onto.featureA, onto.featureB)
}

function flushRims({ round }: FeatureSet, { flats }: FeatureSet, tolerance: number): FlushRim[] {
  return round === null ? [] : round.discs.flatMap((_, index) => flats.map(flat => new FlushRim(round, index, flat, tolerance)))
}
