/** A smooth solid on a capsule: along its axis or at an end, each with the capsule's radius around it. */

import type { Pose } from '../math/pose'
import { dot, negate, sub, type Vec3 } from '../math/vector'
import type { Feature, FeaturePair } from './contact'
import type { CurvedSearch } from './curved/curved-search'
import type { Valid } from './feature-list-collider'
import { SurfacePair } from './pairs/surface'
import { AXIS, END, endOf, type Rod } from './rod'
import { SearchedListCollider } from './searched-list-collider'
import { PointSupport, type SmoothSupport } from './support'

/** Rounding of separations, × size. */
const ROUNDING = 1e-11

export class SmoothRodCollider extends SearchedListCollider {
  private readonly pairs: readonly SurfacePair[]
  /** m */
  private readonly rounding: number

  /** Both in their body frames. */
  constructor(surface: SmoothSupport, rod: Rod, nearest: CurvedSearch) {
    super(nearest)
    this.rounding = ROUNDING * (surface.shape.radius + rod.length + rod.radius)
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

  /** Exactly one of the three contains the nearest point, near a change two do: those with a separation along their normals equal to their distance. */
  protected valid(a: Pose, b: Pose): Valid[] {
    const { separation, normal } = this.nearest.separating(a, b)
    const located = this.pairs.map((pair): Valid & { readonly off: number } => {
      pair.follow(a, b, normal)
      const { gap } = pair.locate(a, b)
      return { pair, gap, off: Math.abs(gap - separation) }
    })
    const holding = located.filter(({ pair, off }) => off <= this.rounding && pair.margin(a, b) >= 0)
    return holding.length > 0 ? holding : [located.reduce((best, tried) => tried.off < best.off ? tried : best)]
  }

  protected outline(pairs: readonly Valid[]): FeaturePair[] {
    return pairs.slice(0, 1).map(({ pair }) => pair)
  }
}
