/**
 * A cylinder or cone on a half-space. Tilted, it touches with the lowest point of a rim, or with the apex; lying, with both ends of the line of contact,
 * each the lowest point of its rim, so that rolling is exact. Standing, the whole disc touches and the lowest point of its rim has no place of its own:
 * then fixed points of the rim hold it. Where a load leans on the rim between two of them, `refine` adds the point that it leans on.
 */

import type { HalfSpace } from '../geometry/half-space'
import { atan2 } from '../math/elementary'
import { transform } from '../math/matrix'
import type { Pose } from '../math/pose'
import { addScaled, dot, length, type Vec3 } from '../math/vector'
import type { Feature, FeaturePair } from './contact'
import { FeatureListCollider, type Valid } from './feature-list-collider'
import { PointOnPlanePair } from './pairs/point-plane'
import { SurfaceOnPlanePair } from './pairs/surface-plane'
import { relativePose } from './relative'
import { RimSupport, rimPoint, type Disc, type Round } from './round'

/** Points that hold a standing disc; the polygon's sagitta is 0.5 % of the radius, and `refine` takes care of that. */
export const RIM_POINTS = 32
/** Names of angles in a turn. */
const ANGLES = 1e9
const FACE: Feature = { kind: 'face', index: 0 }

export class RoundHalfSpaceCollider extends FeatureListCollider {
  private readonly rims: readonly FeaturePair[]
  private readonly apex: FeaturePair | null

  /** Both in their body frames. */
  constructor(private readonly round: Round, private readonly ground: HalfSpace) {
    super()
    const { normal, offset } = ground
    this.rims = round.discs.map((disc, index) => new SurfaceOnPlanePair({
      featureA: { kind: 'rim', index }, featureB: FACE, surface: new RimSupport(disc), normal, offset, boundary: [], slack: 0,
    }))
    this.apex = round.apex && this.point(round.apex, { kind: 'vertex', index: 0 })
  }

  protected valid(a: Pose, b: Pose): Valid[] {
    return [...this.rims, ...(this.apex ? [this.apex] : [])].map(pair => ({ pair, gap: pair.locate(a, b).gap }))
  }

  protected outline(pairs: readonly Valid[], a: Pose, b: Pose, tolerance: number): FeaturePair[] {
    const down = transform(relativePose(a, b).rotation, this.ground.normal)
    return pairs.flatMap(({ pair }) => {
      const disc = pair.featureA.kind === 'rim' ? this.round.discs[pair.featureA.index]! : null
      return disc !== null && standing(disc, down, tolerance) ? this.ring(disc, pair.featureA.index) : [pair]
    })
  }

  /** Accelerations of a rigid rim vary with the angle as a constant and one wave, whose lowest point three values give. */
  refine(
    _a: Pose, _b: Pose, held: readonly FeaturePair[], acceleration: (pair: FeaturePair) => number, tolerance: number,
  ): FeaturePair | null {
    let worst: FeaturePair | null = null
    let lowest = -tolerance
    this.round.discs.forEach((disc, index) => {
      if (!held.some(pair => pair.featureA.kind === 'rim' && pair.featureA.index === index + this.round.discs.length)) {
        return
      }
      const at = (angle: number): FeaturePair => this.onRim(disc, index, angle)
      const [p, q, r] = [at(0), at(Math.PI / 2), at(Math.PI)].map(acceleration) as [number, number, number]
      const mean = (p + r) / 2
      const pair = at(atan2(-(q - mean), -(p - r) / 2))
      const value = acceleration(pair)
      if (value < lowest && !held.some(known => known.key === pair.key)) {
        lowest = value
        worst = pair
      }
    })
    return worst
  }

  private ring(disc: Disc, index: number): FeaturePair[] {
    return Array.from({ length: RIM_POINTS }, (_, k) => this.onRim(disc, index, 2 * Math.PI * k / RIM_POINTS))
  }

  /** A fixed point of a rim, named after its angle to a billionth of a turn. */
  private onRim(disc: Disc, index: number, angle: number): FeaturePair {
    const turn = angle / (2 * Math.PI)
    const name = Math.round((turn - Math.floor(turn)) * ANGLES) % ANGLES
    return this.point(rimPoint(this.round, disc, angle), { kind: 'rim', index: index + this.round.discs.length * (name + 1) })
  }

  private point(point: Vec3, featureA: Feature): FeaturePair {
    const { normal, offset } = this.ground
    return new PointOnPlanePair({ featureA, featureB: FACE, point, radius: 0, normal, offset, boundary: [], slack: 0 })
  }
}

/** Whether a disc is so flat on a plane of that normal (both in the frame of A) that its whole rim is within the tolerance. */
export function standing(disc: Disc, normal: Vec3, tolerance: number): boolean {
  const cosine = dot(disc.normal, normal)
  return cosine < 0 && 2 * disc.radius * length(addScaled(normal, disc.normal, -cosine)) <= tolerance
}
