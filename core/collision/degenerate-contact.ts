/** Contacts of features that do not define a normal: vertex on vertex, vertex on edge, collinear edges. */

import type { Polyhedron } from '../geometry/polyhedron'
import { transform, transformTransposed } from '../math/matrix'
import { addScaled, cross, dot, negate, perpendicular, sub, type Vec3 } from '../math/vector'
import type { FeaturePair } from './contact'
import { edgeOnEdge } from './contact-polygon'
import { sidePlanes } from './face-domain'
import { feet } from './pairs/line-line'
import { PointOnPlanePair } from './pairs/point-plane'
import { SwappedPair } from './pairs/swapped'
import { pointToA, type RelativePose } from './relative'
import type { SeparatingPlane } from './separating-axis'

/** Distance by which a vertex may slide off a vertex or edge before a new contact search, × the lateral tolerance. */
const LOOSE = 10

/** One contact for features that meet only at a point or line, with no face under a vertex; the normal is that of the separating plane. */
export function degenerateContact(
  a: Polyhedron, b: Polyhedron, relative: RelativePose, plane: SeparatingPlane, slack: number,
): FeaturePair {
  if (plane.kind === 'edges') {
    const edgeA = a.edges[plane.indexA]!
    const edgeB = b.edges[plane.indexB]!
    const m = transform(relative.rotation, edgeB.direction)
    const sign = dot(plane.normal, cross(edgeA.direction, m)) < 0 ? -1 : 1
    const { s, t } = feet(a.vertices[edgeA.from]!, edgeA.direction, pointToA(relative, b.vertices[edgeB.from]!), m, sign)
    const outside = Math.max(0, -s, s - edgeA.length, -t, t - edgeB.length)
    return edgeOnEdge(a, plane.indexA, b, plane.indexB, sign, 2 * (outside + slack))
  }
  if (plane.kind === 'faceA') {
    return new SwappedPair(besideFace(b, plane.supportB, a, plane.indexA, pointToA(relative, b.vertices[plane.supportB]!), slack))
  }
  const onA = a.vertices[plane.supportA]!
  const point = transformTransposed(relative.rotation, sub(onA, relative.position))
  if (plane.kind === 'faceB') {
    return besideFace(a, plane.supportA, b, plane.indexB, point, slack)
  }
  const normal = transformTransposed(relative.rotation, plane.normal)
  const along = perpendicular(normal)
  const around = [along, negate(along), cross(normal, along), cross(along, normal)]
  return new PointOnPlanePair({
    featureA: { kind: 'vertex', index: plane.supportA }, featureB: { kind: 'vertex', index: plane.supportB }, point: onA, radius: 0,
    normal, offset: dot(normal, point) - plane.separation, boundary: around.map(t => ({ normal: t, offset: dot(t, point) })),
    slack: LOOSE * slack,
  })
}

/** A vertex in the plane of a face but outside its outline; it is named after the face's nearest edge or vertex. */
function besideFace(solid: Polyhedron, v: number, other: Polyhedron, f: number, point: Vec3, slack: number): FeaturePair {
  const face = other.faces[f]!
  const foot = addScaled(point, face.normal, face.offset - dot(face.normal, point))
  let nearest: { kind: 'edge' | 'vertex', index: number } = { kind: 'vertex', index: face.loop[0]! }
  let square = Infinity
  // A polygon has no edges; the ends of its sides are used.
  for (const w of other.prism === null ? [] : face.loop) {
    const away = sub(foot, other.vertices[w]!)
    if (dot(away, away) >= square) continue
    square = dot(away, away)
    nearest = { kind: 'vertex', index: w }
  }
  for (const e of face.edges) {
    const edge = other.edges[e]!
    const from = sub(foot, other.vertices[edge.from]!)
    const t = Math.max(0, Math.min(edge.length, dot(from, edge.direction)))
    const away = addScaled(from, edge.direction, -t)
    if (dot(away, away) < square) {
      square = dot(away, away)
      nearest = t > 0 && t < edge.length ? { kind: 'edge', index: e } : { kind: 'vertex', index: t > 0 ? edge.to : edge.from }
    }
  }
  return new PointOnPlanePair({
    featureA: { kind: 'vertex', index: v }, featureB: nearest, point: solid.vertices[v]!, radius: 0,
    normal: face.normal, offset: face.offset, boundary: sidePlanes(other, face), slack: 2 * (Math.sqrt(square) + slack),
  })
}
