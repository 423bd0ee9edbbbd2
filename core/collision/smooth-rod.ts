/** A smooth solid on a capsule: along its axis or at an end, each with the capsule's radius around it. */

import type { Pose } from '../math/pose'
import { rotate } from '../math/quaternion'
import { dot, negate, sub, type Vec3 } from '../math/vector'
import { ascend } from './ascent'
import type { Feature, FeaturePair } from './contact'
import { FeatureListCollider, type Valid } from './feature-list-collider'
import { SurfacePair } from './pairs/surface'
import { AXIS, END, endOf, type Rod } from './rod'
import { PointSupport, type SmoothSupport } from './support'

/** Of separations, × size. */
const ROUNDING = 1e-11

export class SmoothRodCollider extends FeatureListCollider {
  private readonly pairs: readonly SurfacePair[]

  /** Both in their body frames. */
  constructor(private readonly surface: SmoothSupport, private readonly rod: Rod) {
    super()
    const pair = (featureB: Feature, point: Vec3, edge: Vec3 | null, inside: (normal: Vec3, foot: Vec3) => number): SurfacePair => new SurfacePair({
      featureA: { kind: 'surface', index: 0 }, featureB, surface, other: new PointSupport(point, rod.radius),
      middleA: surface.pose.position, middle: point, ruling: edge && { axis: edge, lean: 0 },
      size: surface.shape.radius + rod.length + rod.radius, inside, slack: 0,
    })
    const along = (foot: Vec3): number => dot(rod.direction, sub(foot, rod.from))
    this.pairs = [
      pair(AXIS, rod.from, rod.direction, (_, foot) => Math.min(along(foot), rod.length - along(foot))),
      ...([0, 1] as const).map(end => {
        const outwards = end === 0 ? negate(rod.direction) : rod.direction
        return pair(END[end], endOf(rod, end), null, normal => rod.length * dot(outwards, normal))
      }),
    ]
  }

  /**
   * Exactly one of the three holds the nearest point; near a change both do. Where a curve has been led astray none does, or one along whose normal the solids
   * are not as far apart as it says: then all begin again along the direction that separates best.
   */
  protected valid(a: Pose, b: Pose): Valid[] {
    const separated = this.separated(a, b)
    const rounding = ROUNDING * (this.surface.shape.radius + this.rod.length + this.rod.radius)
    const supported = (): Valid[] => this.pairs.flatMap(pair => {
      const { gap, normal } = pair.locate(a, b)
      return separated(normal) >= gap - rounding ? [{ pair, gap }] : []
    })
    const first = supported()
    const inside = first.filter(({ pair }) => pair.margin(a, b) >= 0)
    if (inside.length > 0) return inside
    const direction = ascend(separated, this.pairs.map(pair => pair.locate(a, b).normal))
    for (const pair of this.pairs) pair.lookAlong(direction)
    const again = supported()
    const best = (again.length > 0 ? again : this.pairs.map(pair => ({ pair, gap: pair.locate(a, b).gap })))
    return [best.reduce((held, tried) => tried.gap > held.gap ? tried : held)]
  }

  /** How far a unit vector out of the capsule separates the two, m. */
  private separated(a: Pose, b: Pose): (normal: Vec3) => number {
    const { surface, rod } = this
    const facing = surface.at(a, b.position)
    return normal => dot(normal, facing.support(negate(normal)))
      - Math.max(...([0, 1] as const).map(end => dot(normal, rotate(b.orientation, endOf(rod, end))))) - rod.radius
  }

  protected outline(pairs: readonly Valid[]): FeaturePair[] {
    return pairs.slice(0, 1).map(({ pair }) => pair)
  }
}
