/**
 * Two smooth strictly convex solids: one contact between their extremal points. Where these do not face each other, or the solids seem to overlap, the search
 * may have been led astray (flat spots): it begins again along the direction that separates best.
 */

import { toOuter, type Pose } from '../math/pose'
import { dot, negate, sub, type Vec3 } from '../math/vector'
import { ascend } from './ascent'
import type { ColliderCounts, ContactLocation, FeaturePair, PairCollider, Separation } from './contact'
import type { SmoothSupport } from './support'
import { SurfacePair } from './pairs/surface'

const FEW_STEPS = 3
/** Of separations, × size. */
const ROUNDING = 1e-11

export class SmoothSmoothCollider implements PairCollider {
  readonly counts: ColliderCounts = { queries: 0, witnessHits: 0, iterations: 0 }
  private readonly pair: SurfacePair

  constructor(private readonly a: SmoothSupport, private readonly b: SmoothSupport) {
    this.pair = new SurfacePair({
      featureA: { kind: 'surface', index: 0 }, featureB: { kind: 'surface', index: 0 }, surface: a, other: b,
      middleA: a.pose.position, middle: b.pose.position, ruling: null,
      size: a.shape.radius + b.shape.radius, inside: () => Infinity, slack: 0,
    })
  }

  separation(a: Pose, b: Pose): number {
    return this.look(a, b).gap
  }

  separating(a: Pose, b: Pose): Separation {
    const { gap, normal, point } = this.look(a, b)
    return { separation: gap, normal, point }
  }

  /** The direction of the query before is the witness: it answers where Newton's method needs no more than a few steps from it. */
  private look(a: Pose, b: Pose): ContactLocation {
    const before = this.pair.iterations
    const found = this.pair.locate(a, b)
    const steps = this.pair.iterations - before
    if (this.counts.queries++ > 0 && steps <= FEW_STEPS) {
      this.counts.witnessHits++
    }
    this.counts.iterations += steps
    return found.gap > 0 && this.pair.miss(a, b) <= this.rounding ? found : this.unled(a, b, found)
  }

  private unled(a: Pose, b: Pose, found: ContactLocation): ContactLocation {
    const [atA, atB] = [this.a.at(a, b.position), this.b.at(b, b.position)]
    const separated = (n: Vec3): number => dot(n, sub(atA.support(negate(n)), atB.support(n)))
    const middles = sub(toOuter(a, this.a.pose.position), toOuter(b, this.b.pose.position))
    const direction = ascend(separated, [found.normal, middles])
    if (!(separated(direction) > found.gap + this.rounding)) return found
    this.pair.lookAlong(direction)
    return this.pair.locate(a, b)
  }

  /** m */
  private get rounding(): number {
    return ROUNDING * (this.a.shape.radius + this.b.shape.radius)
  }

  region(a: Pose, b: Pose, tolerance: number): FeaturePair[] {
    return this.separation(a, b) <= tolerance ? [this.pair] : []
  }

  candidates(_a: Pose, _b: Pose, held: readonly FeaturePair[]): FeaturePair[] {
    return held.length > 0 ? [] : [this.pair]
  }
}
