/**
 * A capsule on a convex polyhedron: its ends on faces, edges and vertices, its axis across edges and over vertices. Flat on a face or along an edge it
 * touches in a line, constrained at the line's two ends.
 */

import type { Polyhedron } from '../geometry/polyhedron'
import type { Pose } from '../math/pose'
import { rotate } from '../math/quaternion'
import { addScaled, cross, dot, lengthSquared, sub, type Vec3 } from '../math/vector'
import type { FeaturePair } from './contact'
import type { CurvedSearch } from './curved/curved-search'
import { outermost, type Valid } from './feature-list-collider'
import { nearestFeature, voronoiPlanes } from './nearest-feature'
import { pointInOther } from './pairs/boundary'
import { feet, LineOnLinePair } from './pairs/line-line'
import { PointOnLinePair } from './pairs/point-line'
import { SwappedPair } from './pairs/swapped'
import { AXIS, END, endOf, type Rod } from './rod'
import { SearchedListCollider } from './searched-list-collider'
import { ballOnFeature } from './sphere-polyhedron'

const PARALLEL = 1e-14

export class RodPolyhedronCollider extends SearchedListCollider {
  /** Both in their body frames. */
  constructor(private readonly rod: Rod, private readonly solid: Polyhedron, nearest: CurvedSearch) {
    super(nearest)
  }

  protected valid(a: Pose, b: Pose, slack: number): Valid[] {
    const { rod, solid } = this
    const ends = ([0, 1] as const).map(end => pointInOther(a, endOf(rod, end), b))
    if (pierces(solid, ends[0]!, ends[1]!)) {
      return [this.deepest(ends[0]!, ends[1]!, slack)]
    }
    const found = ends.map((point, end): Valid => {
      const { kind, index, distance } = nearestFeature(solid, point)
      const ball = { center: endOf(rod, end as 0 | 1), radius: rod.radius }
      return { pair: ballOnFeature(ball, END[end as 0 | 1], solid, { kind, index }, slack), gap: distance - rod.radius }
    })
    const along = sub(ends[1]!, ends[0]!)
    const direction = addScaled([0, 0, 0], along, 1 / this.rod.length)
    solid.edges.forEach((_, e) => this.onEdge(e, ends[0]!, direction, slack, found))
    solid.vertices.forEach((_, v) => this.onVertex(v, ends[0]!, direction, slack, found))
    return found
  }

  protected outline(pairs: readonly Valid[], a: Pose, b: Pose, tolerance: number): FeaturePair[] {
    return outermost(pairs, a, b, rotate(a.orientation, this.rod.direction), tolerance)
  }

  /** If the axis itself passes through the solid: the face with the shortest exit of the capsule. */
  private deepest(start: Vec3, stop: Vec3, slack: number): Valid {
    let best: Valid | null = null
    for (const [index, face] of this.solid.faces.entries()) {
      const heights = [dot(face.normal, start) - face.offset, dot(face.normal, stop) - face.offset] as const
      const end = heights[0] <= heights[1] ? 0 : 1
      const gap = heights[end] - this.rod.radius
      if (best === null || gap > best.gap) {
        const ball = { center: endOf(this.rod, end), radius: this.rod.radius }
        best = { pair: ballOnFeature(ball, END[end], this.solid, { kind: 'face', index }, slack), gap }
      }
    }
    return best!
  }

  /** `start` and `direction`: the axis in the polyhedron's frame. */
  private onEdge(e: number, start: Vec3, direction: Vec3, slack: number, found: Valid[]): void {
    const { rod, solid } = this
    const edge = solid.edges[e]!
    const m = cross(direction, edge.direction)
    if (lengthSquared(m) < PARALLEL) {
      return
    }
    const outwards = addScaled(solid.faces[edge.left]!.normal, solid.faces[edge.right]!.normal, 1)
    const sign = dot(m, outwards) < 0 ? -1 : 1
    const { s, t, distance, normal } = feet(start, direction, solid.vertices[edge.from]!, edge.direction, sign)
    const inside = s > slack && s < rod.length - slack && t > slack && t < edge.length - slack
    if (inside && distance > 0 && inCone(solid, { kind: 'edge', index: e }, addScaled(solid.vertices[edge.from]!, edge.direction, t), normal)) {
      found.push({
        gap: distance - rod.radius,
        pair: new LineOnLinePair({
          featureA: AXIS, featureB: { kind: 'edge', index: e }, sign, slack,
          lineA: { origin: rod.from, direction: rod.direction, length: rod.length, radius: rod.radius },
          lineB: { origin: solid.vertices[edge.from]!, direction: edge.direction, length: edge.length, radius: 0 },
        }),
      })
    }
  }

  private onVertex(v: number, start: Vec3, direction: Vec3, slack: number, found: Valid[]): void {
    const { rod, solid } = this
    const vertex = solid.vertices[v]!
    const from = sub(vertex, start)
    const s = dot(from, direction)
    const away = addScaled(addScaled(start, direction, s), vertex, -1)
    const distance = Math.sqrt(lengthSquared(away))
    if (s > slack && s < rod.length - slack && distance > 0 && inCone(solid, { kind: 'vertex', index: v }, vertex, away)) {
      const ends = dot(rod.direction, rod.from)
      found.push({
        gap: distance - rod.radius,
        pair: new SwappedPair(new PointOnLinePair({
          featureA: { kind: 'vertex', index: v }, featureB: AXIS, point: vertex, radiusA: 0, origin: rod.from, direction: rod.direction,
          radiusB: rod.radius, slack, boundary: [
            { normal: rod.direction, offset: ends },
            { normal: [-rod.direction[0], -rod.direction[1], -rod.direction[2]], offset: -ends - rod.length },
          ],
        })),
      })
    }
  }
}

/** Whether a step from a point of a feature along `away` stays in the feature's Voronoi region. */
function inCone(solid: Polyhedron, feature: { kind: 'edge' | 'vertex', index: number }, point: Vec3, away: Vec3): boolean {
  const there = addScaled(point, away, 1)
  return voronoiPlanes(solid, feature).every(plane => dot(plane.normal, there) - plane.offset >= -1e-12 * (1 + Math.abs(plane.offset)))
}

/** Whether a straight segment intersects a solid: clips it by every face. */
function pierces(solid: Polyhedron, start: Vec3, stop: Vec3): boolean {
  let [low, high] = [0, 1]
  for (const face of solid.faces) {
    const from = dot(face.normal, start) - face.offset
    const to = dot(face.normal, stop) - face.offset
    if (from > 0 && to > 0) {
      return false
    }
    if (from > 0) {
      low = Math.max(low, from / (from - to))
    } else if (to > 0) {
      high = Math.min(high, from / (from - to))
    }
  }
  return low < high
}
