/** A smooth solid on a capsule: along its axis or at an end, each with the capsule's radius around it. */

import type { Pose } from '../math/pose'
import { dot, negate, sub, type Vec3 } from '../math/vector'
import type { Feature, FeaturePair } from './contact'
import { FeatureListCollider, type Valid } from './feature-list-collider'
import { SurfacePair } from './pairs/surface'
import { AXIS, END, endOf, type Rod } from './rod'
import { PointSupport, type SmoothSupport } from './support'

export class SmoothRodCollider extends FeatureListCollider {
  private readonly pairs: readonly FeaturePair[]

  /** Both in their body frames. */
  constructor(surface: SmoothSupport, rod: Rod) {
    super()
    const pair = (featureB: Feature, point: Vec3, edge: Vec3 | null, inside: (normal: Vec3, foot: Vec3) => number): FeaturePair => new SurfacePair({
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

  /** Exactly one of the three holds the nearest point; near a change both do. */
  protected valid(a: Pose, b: Pose): Valid[] {
    const all = this.pairs.map(pair => ({ pair, gap: pair.locate(a, b).gap, margin: pair.margin(a, b) }))
    const inside = all.filter(({ margin }) => margin >= 0)
    return inside.length > 0 ? inside : [all.reduce((best, tried) => tried.margin > best.margin ? tried : best)]
  }

  protected outline(pairs: readonly Valid[]): FeaturePair[] {
    return pairs.slice(0, 1).map(({ pair }) => pair)
  }
}
