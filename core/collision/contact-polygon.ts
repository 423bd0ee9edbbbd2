/**
 * Corners of the overlap polygon of two faces of two polyhedra, each as a feature pair [Baraff92 §5.1.3].
 *
 * A corner is a vertex of one face over the other, or a crossing of two edges. Degenerate corners are resolved in a fixed order: a vertex of A on B's face,
 * then a vertex of B on A's face, then crossings. Among corners closer than `slack` the first stays. So a vertex on an edge or vertex of the other solid
 * counts as lying on its face, which has a well-defined normal, and two cubes with coincident faces touch at the four vertices of A.
 */

import type { Edge, Polyhedron } from '../geometry/polyhedron'
import { transform, transformTransposed } from '../math/matrix'
import { PARALLEL_SIN2 } from '../math/tolerances'
import { add, addScaled, cross, dot, lengthSquared, negate, scale, sub, type Vec3 } from '../math/vector'
import type { FeaturePair } from './contact'
import { insideFace, sidePlanes } from './face-domain'
import { feet, LineOnLinePair } from './pairs/line-line'
import { PointOnPlanePair } from './pairs/point-plane'
import { SwappedPair } from './pairs/swapped'
import { pointToA, type RelativePose } from './relative'

/** sin² of the angle between two crossing edges of touching faces below which the face's normal is used, because the cross product is mostly rounding. */
const CROSSING_SIN2 = 1e-8
/** Distance by which a crossing of nearly parallel edges may drift off the face before a new search, × length of the edge. */
const CROSSING_DRIFT = 1e-6

export interface Corner {
  readonly pair: FeaturePair
  /** In A's frame. */
  readonly point: Vec3
  readonly normal: Vec3
  /** m */
  readonly gap: number
}

/** Vertex v of A on face f of B. */
export function vertexOnFace(a: Polyhedron, v: number, b: Polyhedron, f: number, slack: number): PointOnPlanePair {
  const face = b.faces[f]!
  return new PointOnPlanePair({
    featureA: { kind: 'vertex', index: v }, featureB: { kind: 'face', index: f },
    point: a.vertices[v]!, radius: 0, normal: face.normal, offset: face.offset, boundary: sidePlanes(b, face), slack,
  })
}

export function edgeOnEdge(a: Polyhedron, i: number, b: Polyhedron, j: number, sign: 1 | -1, slack: number): LineOnLinePair {
  const segment = (p: Polyhedron, edge: Edge): { origin: Vec3, direction: Vec3, length: number, radius: number } =>
    ({ origin: p.vertices[edge.from]!, direction: edge.direction, length: edge.length, radius: 0 })
  return new LineOnLinePair({
    featureA: { kind: 'edge', index: i }, featureB: { kind: 'edge', index: j },
    lineA: segment(a, a.edges[i]!), lineB: segment(b, b.edges[j]!), sign, slack,
  })
}

/** Corners of the overlap of face fA of A and face fB of B, at any height; `normal` (A's frame) points from B to A. */
export function faceCorners(
  a: Polyhedron, b: Polyhedron, relative: RelativePose, fA: number, fB: number, normal: Vec3, slack: number,
): Corner[] {
  const corners: Corner[] = []
  const near = (point: Vec3): boolean => corners.some(corner => {
    const d = sub(corner.point, point)
    return lengthSquared(addScaled(d, normal, -dot(d, normal))) <= slack * slack
  })
  const faceA = a.faces[fA]!
  const faceB = b.faces[fB]!
  const normalB = transform(relative.rotation, faceB.normal)
  for (const v of faceA.loop) {
    const point = a.vertices[v]!
    const inB = transformTransposed(relative.rotation, sub(point, relative.position))
    if (insideFace(b, faceB, inB) >= -slack && !near(point)) {
      corners.push({ pair: vertexOnFace(a, v, b, fB, slack), point, normal: normalB, gap: dot(faceB.normal, inB) - faceB.offset })
    }
  }
  for (const v of faceB.loop) {
    const point = pointToA(relative, b.vertices[v]!)
    if (insideFace(a, faceA, point) >= -slack && !near(point)) {
      const pair = new SwappedPair(vertexOnFace(b, v, a, fA, slack))
      corners.push({ pair, point, normal: negate(faceA.normal), gap: dot(faceA.normal, point) - faceA.offset })
    }
  }
  for (const i of faceA.edges) {
    for (const j of faceB.edges) {
      const corner = crossing(a, b, relative, i, j, fB, normal, slack)
      if (corner !== null && !near(corner.point)) {
        corners.push(corner)
      }
    }
  }
  return corners
}

/** Crossing of edge i of A and edge j of B, well inside both; `null` if there is none. */
function crossing(
  a: Polyhedron, b: Polyhedron, relative: RelativePose, i: number, j: number, fB: number, normal: Vec3, slack: number,
): Corner | null {
  const edgeA = a.edges[i]!
  const edgeB = b.edges[j]!
  const directionB = transform(relative.rotation, edgeB.direction)
  const m = cross(edgeA.direction, directionB)
  const square = lengthSquared(m)
  if (square <= PARALLEL_SIN2) {
    return null
  }
  const originA = a.vertices[edgeA.from]!
  const originB = pointToA(relative, b.vertices[edgeB.from]!)
  const sign = dot(m, normal) < 0 ? -1 : 1
  const { s, t, distance, normal: across } = feet(originA, edgeA.direction, originB, directionB, sign)
  if (!(s > slack && s < edgeA.length - slack && t > slack && t < edgeB.length - slack)) {
    return null
  }
  const foot = addScaled(originA, edgeA.direction, s)
  if (square > CROSSING_SIN2) {
    return { pair: edgeOnEdge(a, i, b, j, sign, slack), point: addScaled(foot, across, -distance / 2), normal: across, gap: distance }
  }
  const face = b.faces[fB]!
  const inB = transformTransposed(relative.rotation, sub(foot, relative.position))
  const pair = new PointOnPlanePair({
    featureA: { kind: 'edge', index: i }, featureB: { kind: 'edge', index: j },
    point: foot, radius: 0, normal: face.normal, offset: face.offset, boundary: sidePlanes(b, face), slack: CROSSING_DRIFT * edgeB.length,
  })
  return { pair, point: foot, normal: transform(relative.rotation, face.normal), gap: dot(face.normal, inB) - face.offset }
}

/** Removes corners within `slack` of the line between others; the corners of a proper polygon, a segment or a point remain. */
export function withoutCollinear(corners: readonly Corner[], normal: Vec3, slack: number): Corner[] {
  if (corners.length < 3) {
    return [...corners]
  }
  const [first, last] = farthestTwo(corners)
  const along = sub(last.point, first.point)
  const line = scale(along, 1 / Math.sqrt(lengthSquared(along)))
  const sideways = cross(normal, line)
  if (corners.every(corner => Math.abs(dot(sideways, sub(corner.point, first.point))) <= slack)) {
    return corners.filter(corner => corner === first || corner === last)
  }
  const around = inOrder(corners, line, sideways)
  for (let k = 0, checked = 0; checked < around.length && around.length > 3;) {
    const p = around[(k + around.length - 1) % around.length]!.point
    const q = around[k % around.length]!.point
    const r = around[(k + 1) % around.length]!.point
    const chord = sub(r, p)
    const length = Math.sqrt(lengthSquared(chord))
    if (Math.abs(dot(cross(normal, chord), sub(q, p))) <= slack * length) {
      around.splice(k % around.length, 1)
      checked = 0
    } else {
      k = (k + 1) % around.length
      checked++
    }
  }
  return corners.filter(corner => around.includes(corner))
}

function farthestTwo(corners: readonly Corner[]): [Corner, Corner] {
  let best: [Corner, Corner] = [corners[0]!, corners[1]!]
  let square = -1
  corners.forEach((p, i) => corners.slice(i + 1).forEach(q => {
    const d = lengthSquared(sub(p.point, q.point))
    if (d > square) {
      square = d
      best = [p, q]
    }
  }))
  return best
}

/** Counter-clockwise about the mean point; `x` and `y` span the plane. */
function inOrder(corners: readonly Corner[], x: Vec3, y: Vec3): Corner[] {
  const mean = scale(corners.reduce((sum, corner) => add(sum, corner.point), [0, 0, 0] as Vec3), 1 / corners.length)
  const turn = (corner: Corner): number => {
    const d = sub(corner.point, mean)
    const u = dot(d, x)
    const v = dot(d, y)
    const r = u / (Math.abs(u) + Math.abs(v))
    return v < 0 ? 3 + r : 1 - r
  }
  return corners.map(corner => ({ corner, at: turn(corner) })).sort((p, q) => p.at - q.at).map(({ corner }) => corner)
}
