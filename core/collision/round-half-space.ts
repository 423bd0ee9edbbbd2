/**
 * A cylinder or cone on a half-space. When tilted, it touches at the lowest point of a rim, or at the apex. When lying, it touches at both ends of the
 * contact line, each the lowest point of its rim, so rolling is exact. When standing, the whole disc touches and the lowest point of its rim is undefined;
 * fixed points of the rim then constrain it (`flush.ts`).
 */

import type { HalfSpace } from '../geometry/half-space'
import type { Pose } from '../math/pose'
import type { FeaturePair, Landing, Rim } from './contact'
import { FeatureListCollider, type Valid } from './feature-list-collider'
import { endlessFlat, FlushRim, withPointsAround } from './flush'
import { PointOnPlanePair } from './pairs/point-plane'
import { SurfaceOnPlanePair } from './pairs/surface-plane'
import { RimSupport, type Round } from './round'

export class RoundHalfSpaceCollider extends FeatureListCollider {
  private readonly lowest: readonly FeaturePair[]
  private readonly apex: FeaturePair | null
  private flush: readonly FlushRim[] = []
  private tolerance = NaN

  /** Both in their body frames. */
  constructor(private readonly round: Round, private readonly ground: HalfSpace) {
    super()
    const { normal, offset } = ground
    const plane = { featureB: { kind: 'face', index: 0 }, normal, offset, boundary: [], slack: 0 } as const
    this.lowest = round.discs.map((disc, index) => new SurfaceOnPlanePair({ ...plane, featureA: { kind: 'rim', index }, surface: new RimSupport(disc) }))
    this.apex = round.apex && new PointOnPlanePair({ ...plane, featureA: { kind: 'vertex', index: 0 }, point: round.apex, radius: 0 })
  }

  override candidates(a: Pose, b: Pose, held: readonly FeaturePair[]): FeaturePair[] {
    // If a disc lies flat, the lowest point of its rim is undefined.
    const lying = this.lowest.filter((_, index) => this.flush[index]?.lies(a, b))
    return [...super.candidates(a, b, held).filter(pair => !lying.includes(pair)), ...this.tilted(a, b, held).map(rim => rim.far)]
  }

  inStep(a: Pose, b: Pose, watched: readonly FeaturePair[], reach: number): FeaturePair[] {
    return withPointsAround(watched, this.flush, a, b, reach)
  }

  landings(a: Pose, b: Pose, held: readonly FeaturePair[]): Landing[] {
    return this.tilted(a, b, held).map(rim => rim.landing(a, b))
  }

  rims(a: Pose, b: Pose, tolerance: number): Rim[] {
    return this.standing(a, b, tolerance).map(rim => rim.side(a, b))
  }

  protected valid(a: Pose, b: Pose): Valid[] {
    return [...this.lowest, ...(this.apex ? [this.apex] : [])].map(pair => ({ pair, gap: pair.locate(a, b).gap }))
  }

  protected outline(pairs: readonly Valid[], a: Pose, b: Pose, tolerance: number): FeaturePair[] {
    const standing = this.standing(a, b, tolerance)
    return pairs.flatMap(({ pair }) => {
      const rim = this.flush[this.lowest.indexOf(pair)]
      return rim !== undefined && standing.includes(rim) ? rim.points() : [pair]
    })
  }

  /** The rims that touch at their lowest points. */
  private tilted(a: Pose, b: Pose, held: readonly FeaturePair[]): FlushRim[] {
    const known = new Set(held.map(pair => pair.key))
    return this.flush.filter((rim, index) => known.has(this.lowest[index]!.key) && rim.faces(a, b))
  }

  /** The touching rims that lie flat within the tolerance. */
  private standing(a: Pose, b: Pose, tolerance: number): FlushRim[] {
    if (tolerance !== this.tolerance) {
      const flat = endlessFlat(this.ground.normal, this.ground.offset)
      this.flush = this.round.discs.map((_, index) => new FlushRim(this.round, index, flat, tolerance))
      this.tolerance = tolerance
    }
    return this.flush.filter((rim, index) => rim.lies(a, b) && this.lowest[index]!.locate(a, b).gap <= tolerance)
  }
}
