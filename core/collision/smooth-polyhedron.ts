/**
 * A smooth solid on a convex polyhedron: face → edge → vertex [Baraff92 §5.2.2].
 *
 * The contact is on a face if the surface's point of opposite normal lies over it; on an edge if the best direction perpendicular to it lies between its
 * faces' normals and the foot between its ends; on a vertex if the best direction lies within its cone. A direction search (`curved/curved-search.ts`) finds
 * the feature, and the least deep one in overlap.
 */

import type { Polyhedron } from '../geometry/polyhedron'
import { IDENTITY_POSE, type Pose } from '../math/pose'
import { dot, negate, sub, type Vec3 } from '../math/vector'
import type { ColliderCounts, FeaturePair, PairCollider, Separation } from './contact'
import { CurvedSearch } from './curved/curved-search'
import { flatConvex } from './curved/flat-convex'
import { sidePlanes } from './face-domain'
import { PointSupport, type SmoothSupport } from './support'
import { SurfacePair } from './pairs/surface'
import { SurfaceOnPlanePair } from './pairs/surface-plane'

const SURFACE = { kind: 'surface', index: 0 } as const

export class SmoothPolyhedronCollider implements PairCollider {
  private readonly nearest: CurvedSearch
  /** Created once, by feature. */
  private readonly pairs = new Map<string, FeaturePair>()
  private slack = 0

  /** Both in their body frames. */
  constructor(private readonly surface: SmoothSupport, private readonly solid: Polyhedron) {
    this.nearest = new CurvedSearch(flatConvex(surface.shape), surface.pose, flatConvex(solid), IDENTITY_POSE)
  }

  get counts(): ColliderCounts {
    return this.nearest.counts
  }

  separation(a: Pose, b: Pose): number {
    this.nearest.find(a, b)
    return this.nearest.separation
  }

  separating(a: Pose, b: Pose): Separation {
    return this.nearest.separating(a, b)
  }

  region(a: Pose, b: Pose, tolerance: number): FeaturePair[] {
    if (tolerance !== this.slack) {
      this.slack = tolerance
      this.pairs.clear()
    }
    return this.separation(a, b) <= tolerance ? [this.facing(a, b)] : []
  }

  candidates(a: Pose, b: Pose, held: readonly FeaturePair[]): FeaturePair[] {
    if (held.length > 0) return []
    this.nearest.find(a, b)
    return [this.facing(a, b)]
  }

  /** The pair of the features that face each other along the last found direction. */
  private facing(a: Pose, b: Pose): FeaturePair {
    const { solid, nearest } = this
    const { featureB, normal, separation } = nearest
    const [edges, faces] = [solid.vertices.length, solid.vertices.length + solid.edges.length]
    if (featureB >= faces) return this.face(featureB - faces)
    if (featureB >= 0) {
      const pair = featureB < edges ? this.vertex(featureB) : this.edge(featureB - edges)
      pair.follow(a, b, normal)
      return pair
    }
    // No pair has this direction: take the pair closest to it.
    const off = (pair: FeaturePair): number => {
      if (pair instanceof SurfacePair) pair.follow(a, b, normal)
      return Math.abs(pair.locate(a, b).gap - separation)
    }
    const all = [...solid.faces.map((_, f) => this.face(f)), ...solid.edges.map((_, e) => this.edge(e)), ...solid.vertices.map((_, v) => this.vertex(v))]
    return all.map(pair => ({ pair, off: off(pair) })).reduce((best, tried) => tried.off < best.off ? tried : best).pair
  }

  /** Each key belongs to one kind of pair. */
  private made<P extends FeaturePair>(key: string, make: () => P): P {
    const known = (this.pairs.get(key) as P | undefined) ?? make()
    this.pairs.set(key, known)
    return known
  }

  private face(f: number): FeaturePair {
    return this.made(`f${f}`, () => {
      const face = this.solid.faces[f]!
      return new SurfaceOnPlanePair({
        featureA: SURFACE, featureB: { kind: 'face', index: f }, surface: this.surface, normal: face.normal, offset: face.offset,
        boundary: sidePlanes(this.solid, face), slack: this.slack,
      })
    })
  }

  private edge(e: number): SurfacePair {
    return this.made(`e${e}`, () => {
      const { solid } = this
      const edge = solid.edges[e]!
      const from = solid.vertices[edge.from]!
      const sides = [edge.left, edge.right].map(f => { const face = solid.faces[f]!; return face.sides[face.edges.indexOf(e)]! })
      const { radius } = this.surface.shape
      return this.surfacePair('edge', e, from, edge.direction, (normal, point) => {
        const t = dot(edge.direction, sub(point, from))
        return Math.min(t, edge.length - t, ...sides.map(side => -radius * dot(side, normal)))
      })
    })
  }

  private vertex(v: number): SurfacePair {
    return this.made(`v${v}`, () => {
      const { solid } = this
      const { radius } = this.surface.shape
      const away = solid.vertexEdges[v]!.map(e => {
        const edge = solid.edges[e]!
        return edge.from === v ? edge.direction : negate(edge.direction)
      })
      return this.surfacePair('vertex', v, solid.vertices[v]!, null, normal => Math.min(...away.map(d => -radius * dot(d, normal))))
    })
  }

  private surfacePair(
    kind: 'edge' | 'vertex', index: number, point: Vec3, edge: Vec3 | null, inside: (normal: Vec3, point: Vec3) => number,
  ): SurfacePair {
    return new SurfacePair({
      featureA: SURFACE, featureB: { kind, index }, surface: this.surface, other: new PointSupport(point),
      middleA: this.surface.pose.position, middle: point, ruling: edge && { axis: edge, lean: 0 },
      size: this.surface.shape.radius + this.solid.radius, inside, slack: this.slack,
    })
  }
}
