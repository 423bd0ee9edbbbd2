/** A convex polyhedron on a half-space: every vertex near the plane is a contact; the only search is the descent to the lowest one. */

import type { HalfSpace } from '../geometry/half-space'
import type { Polyhedron } from '../geometry/polyhedron'
import { transform } from '../math/matrix'
import type { Pose } from '../math/pose'
import { dot, type Vec3 } from '../math/vector'
import type { ColliderCounts, FeaturePair, PairCollider, Separation } from './contact'
import { PointOnPlanePair } from './pairs/point-plane'
import { relativePose, type RelativePose } from './relative'

/** In the polyhedron's frame. */
interface Plane {
  readonly normal: Vec3
  readonly offset: number
}

export class PolyhedronHalfSpaceCollider implements PairCollider {
  readonly counts: ColliderCounts = { queries: 0, witnessHits: 0, iterations: 0 }
  private lowest = 0

  /** Both in their body frames. */
  constructor(private readonly solid: Polyhedron, private readonly ground: HalfSpace) {}

  separation(a: Pose, b: Pose): number {
    const plane = this.planeInSolid(relativePose(a, b))
    return this.height(plane, this.descend(plane))
  }

  separating(a: Pose, b: Pose): Separation {
    const { gap, normal, point } = this.pair(this.descend(this.planeInSolid(relativePose(a, b)))).locate(a, b)
    return { separation: gap, normal, point }
  }

  region(a: Pose, b: Pose, tolerance: number): FeaturePair[] {
    const plane = this.planeInSolid(relativePose(a, b))
    const lowest = this.descend(plane)
    if (this.height(plane, lowest) > tolerance) {
      return []
    }
    return this.connected(lowest, v => this.height(plane, v) <= tolerance).map(v => this.pair(v))
  }

  /** The other vertices of the faces that meet the touching ones. */
  candidates(a: Pose, b: Pose, held: readonly FeaturePair[]): FeaturePair[] {
    const plane = this.planeInSolid(relativePose(a, b))
    const touching = new Set([this.descend(plane), ...held.map(pair => pair.featureA.index)])
    const around = new Set([...touching].flatMap(v => this.solid.vertexFaces[v]!.flatMap(f => this.solid.faces[f]!.loop)))
    const known = new Set(held.map(pair => pair.key))
    return [...around].sort((v, w) => v - w).map(v => this.pair(v)).filter(pair => !known.has(pair.key))
  }

  private planeInSolid(relative: RelativePose): Plane {
    const normal = transform(relative.rotation, this.ground.normal)
    return { normal, offset: this.ground.offset + dot(normal, relative.position) }
  }

  private descend(plane: Plane): number {
    const start = this.lowest
    this.lowest = this.solid.supportIndex(-plane.normal[0], -plane.normal[1], -plane.normal[2], start)
    this.counts.queries++
    if (this.lowest === start) {
      this.counts.witnessHits++
    }
    return this.lowest
  }

  private height(plane: Plane, v: number): number {
    return dot(plane.normal, this.solid.vertices[v]!) - plane.offset
  }

  /** Vertices reached from `first` over neighbours that satisfy `near`: on a convex solid these are all such vertices. Ascending. */
  private connected(first: number, near: (v: number) => boolean): number[] {
    const reached = new Set([first])
    for (const v of reached) {
      this.solid.vertexNeighbors[v]!.filter(near).forEach(w => reached.add(w))
    }
    return [...reached].sort((v, w) => v - w)
  }

  private pair(v: number): FeaturePair {
    return vertexOnPlane(this.solid, v, this.ground)
  }
}

export function vertexOnPlane(solid: Polyhedron, v: number, { normal, offset }: HalfSpace): FeaturePair {
  return new PointOnPlanePair({
    featureA: { kind: 'vertex', index: v }, featureB: { kind: 'face', index: 0 }, point: solid.vertices[v]!, radius: 0, normal, offset, boundary: [], slack: 0,
  })
}
