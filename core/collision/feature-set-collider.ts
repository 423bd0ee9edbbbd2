/**
 * Any two solids given by feature lists. Every pair of features proposes a direction n̂ and a gap; it is a separating axis of the two solids exactly
 * where no other point of either lies farther along it, which the support functions decide. The separation is the largest such gap; the region are the
 * pairs at that side within the tolerance whose points lie inside both features.
 */

import type { Pose } from '../math/pose'
import { rotate, rotateInverse } from '../math/quaternion'
import { addScaled, dot, length, negate, sub, type Vec3 } from '../math/vector'
import type { ColliderCounts, ContactLocation, FeaturePair, PairCollider, Separation } from './contact'
import { withoutCollinear, type Corner } from './contact-polygon'
import type { CurveFeature, FeatureSet, FlatFeature } from './feature-set'
import { featurePairs } from './feature-set-pairs'
import { insideBy } from './pairs/boundary'
import { PointOnPlanePair } from './pairs/point-plane'
import { SwappedPair } from './pairs/swapped'
import { RIM_POINTS, standing } from './round-half-space'
import { rimPoint, type Disc } from './round'

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
    return this.pairs.filter(pair => {
      if (known.has(pair.key)) {
        return false
      }
      const at = pair.locate(a, b)
      return at.gap > best.at.gap - this.slack && dot(at.normal, best.at.normal) > SAME_SIDE && pair.margin(a, b) >= this.slack
    })
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
    const flats = this.flush(a, b, best.at.normal, tolerance)
    const corners = [...this.pairs.filter(pair => flats.length === 0 || !(pair.featureA.kind === 'rim' || pair.featureB.kind === 'rim')), ...flats]
      .map((pair): Corner => ({ pair, ...pair.locate(a, b) }))
      .filter(({ pair, normal, gap }) => gap <= tolerance && gap >= best.at.gap - tolerance && dot(normal, best.at.normal) > SAME_SIDE
        && pair.margin(a, b) >= 0)
    return corners.filter((corner, i) => !corners.slice(0, i).some(other => {
      const d = sub(other.point, corner.point)
      return length(addScaled(d, best.at.normal, -dot(d, best.at.normal))) <= tolerance
    }))
  }

  /** Where a disc lies flat on a flat: fixed points of its rim, and where the flat's edges cross the rim. */
  private flush(a: Pose, b: Pose, normal: Vec3, tolerance: number): FeaturePair[] {
    return [
      ...this.a.curves.flatMap(curve => this.b.flats.flatMap(flat => this.ring(this.a, curve, flat, a, b, normal, tolerance))),
      ...this.b.curves.flatMap(curve => this.a.flats.flatMap(flat => this.ring(this.b, curve, flat, b, a, negate(normal), tolerance)
        .map(pair => new SwappedPair(pair)))),
    ]
  }

  /** `rim` on `flat` of the other, with the world normal out of the flat. */
  private ring(set: FeatureSet, rim: CurveFeature, flat: FlatFeature, own: Pose, other: Pose, normal: Vec3, tolerance: number): FeaturePair[] {
    const { disc } = rim
    const out = rotate(other.orientation, flat.normal)
    if (disc === undefined || dot(out, normal) < 1 - SUPPORTED || !standing(disc, rotateInverse(own.orientation, out), tolerance)) {
      return []
    }
    const point = (at: Vec3, index: number, boundary = flat.boundary): FeaturePair => new PointOnPlanePair({
      featureA: { kind: 'rim', index }, featureB: flat.feature, point: at, radius: 0, normal: flat.normal, offset: flat.offset,
      boundary, disc: flat.disc, slack: tolerance,
    })
    const count = set.curves.length
    return [
      ...Array.from({ length: RIM_POINTS }, (_, k) =>
        point(rimPoint(set.round!, disc, 2 * Math.PI * k / RIM_POINTS), rim.feature.index + count * (k + 1))),
      ...flat.edges.flatMap(({ feature, line }) => crossings(disc, line, own, other).map((at, side) =>
        point(at, rim.feature.index + count * (1 + RIM_POINTS + 2 * feature.index + side), withoutSide(flat, at, own, other, tolerance)))),
    ]
  }
}

/** Points of a circle (in its own frame) that lie over a straight line of the other body in the circle's plane. */
function crossings(disc: Disc, line: { origin: Vec3, direction: Vec3, length: number }, own: Pose, other: Pose): Vec3[] {
  const into = (v: Vec3): Vec3 => rotateInverse(own.orientation, rotate(other.orientation, v))
  const direction = into(line.direction)
  const from = sub(addScaled(into(line.origin), rotateInverse(own.orientation, sub(other.position, own.position)), 1), disc.center)
  const flat = addScaled(from, disc.normal, -dot(from, disc.normal))
  const middle = -dot(flat, direction)
  const square = disc.radius * disc.radius - (dot(flat, flat) - middle * middle)
  if (square <= 0) {
    return []
  }
  const half = Math.sqrt(square)
  return [middle - half, middle + half].filter(t => t >= 0 && t <= line.length)
    .map(t => addScaled(disc.center, addScaled(flat, direction, t), 1))
}

/** The sides of a flat but those that a point lies on: it slides along them as the bodies do. */
function withoutSide(flat: FlatFeature, at: Vec3, own: Pose, other: Pose, tolerance: number): FlatFeature['boundary'] {
  const world = addScaled(sub(own.position, other.position), rotate(own.orientation, at), 1)
  const here = rotateInverse(other.orientation, world)
  return flat.boundary.filter(plane => insideBy([plane], here) > tolerance)
}

