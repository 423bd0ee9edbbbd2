/** A sphere on a convex polyhedron: one contact, on the face, edge or vertex nearest to the centre. */

import type { Polyhedron } from '../geometry/polyhedron'
import type { Pose } from '../math/pose'
import type { Ball } from './ball'
import type { ColliderCounts, Feature, FeaturePair, PairCollider, Separation } from './contact'
import { nearestFeature, voronoiPlanes, type NearestFeature } from './nearest-feature'
import { insideBy, pointInOther, type BoundaryPlane } from './pairs/boundary'
import { PointOnLinePair } from './pairs/point-line'
import { PointOnPlanePair } from './pairs/point-plane'
import { PointOnPointPair } from './pairs/point-point'

const SURFACE: Feature = { kind: 'surface', index: 0 }

/** A ball of A on one feature of a polyhedron of B. */
export function ballOnFeature(ball: Ball, featureA: Feature, solid: Polyhedron, featureB: Feature, slack: number): FeaturePair {
  const boundary = voronoiPlanes(solid, featureB)
  if (featureB.kind === 'face') {
    const { normal, offset } = solid.faces[featureB.index]!
    return new PointOnPlanePair({ featureA, featureB, point: ball.center, radius: ball.radius, normal, offset, boundary, slack })
  }
  if (featureB.kind === 'edge') {
    const edge = solid.edges[featureB.index]!
    return new PointOnLinePair({
      featureA, featureB, point: ball.center, radiusA: ball.radius,
      origin: solid.vertices[edge.from]!, direction: edge.direction, radiusB: 0, boundary, slack,
    })
  }
  return new PointOnPointPair({
    featureA, featureB, pointA: ball.center, radiusA: ball.radius,
    pointB: solid.vertices[featureB.index]!, radiusB: 0, boundary, slack,
  })
}

interface Witness {
  readonly kind: NearestFeature['kind']
  readonly index: number
  readonly voronoiPlanes: readonly BoundaryPlane[]
  readonly pair: FeaturePair
}

export class SpherePolyhedronCollider implements PairCollider {
  readonly counts: ColliderCounts = { queries: 0, witnessHits: 0, iterations: 0 }
  private witness: Witness | null = null

  /** Both in their body frames. */
  constructor(private readonly ball: Ball, private readonly solid: Polyhedron) {}

  separation(a: Pose, b: Pose): number {
    return this.nearest(a, b).distance - this.ball.radius
  }

  separating(a: Pose, b: Pose): Separation {
    const { kind, index } = this.nearest(a, b)
    const { gap, normal, point } = ballOnFeature(this.ball, SURFACE, this.solid, { kind, index }, 0).locate(a, b)
    return { separation: gap, normal, point }
  }

  region(a: Pose, b: Pose, tolerance: number): FeaturePair[] {
    const { distance, kind, index } = this.nearest(a, b)
    return distance - this.ball.radius <= tolerance ? [ballOnFeature(this.ball, SURFACE, this.solid, { kind, index }, tolerance)] : []
  }

  candidates(a: Pose, b: Pose, held: readonly FeaturePair[]): FeaturePair[] {
    const { kind, index } = this.nearest(a, b)
    return held.length > 0 ? [] : [ballOnFeature(this.ball, SURFACE, this.solid, { kind, index }, 0)]
  }

  private nearest(a: Pose, b: Pose): NearestFeature {
    this.counts.queries++
    const point = pointInOther(a, this.ball.center, b)
    const known = this.witness
    if (known !== null && insideBy(known.voronoiPlanes, point) >= 0) {
      const gap = known.pair.locate(a, b).gap
      if (gap + this.ball.radius > 0) {
        this.counts.witnessHits++
        return { kind: known.kind, index: known.index, distance: gap + this.ball.radius }
      }
    }
    this.counts.iterations++
    const { kind, index, distance } = nearestFeature(this.solid, point)
    this.witness = {
      kind, index, voronoiPlanes: voronoiPlanes(this.solid, { kind, index }),
      pair: ballOnFeature(this.ball, SURFACE, this.solid, { kind, index }, 0),
    }
    return { kind, index, distance }
  }
}
