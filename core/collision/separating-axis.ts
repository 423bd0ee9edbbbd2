/**
 * Separating planes of two convex polyhedra [Baraff92 §5.1]: the direction n̂ out of B towards A that maximises
 *
 *   s(n̂) = min_A n̂·a − max_B n̂·b.
 *
 * Where the solids are apart that maximum is their distance, and n̂ is spanned by the features that hold the nearest points: a face, two edges,
 * a vertex and an edge, or two vertices. Where they overlap, the maximum lies on a facet of the Minkowski difference (a face or two edges) and
 * −s is the penetration depth. Everything happens in A's frame.
 */

import type { Polyhedron } from '../geometry/polyhedron'
import { transform, transformTransposed } from '../math/matrix'
import { PARALLEL_SIN2 } from '../math/tolerances'
import { add, addScaled, cross, dot, length, lengthSquared, negate, scale, sub, type Vec3 } from '../math/vector'
import { insideFace } from './face-domain'
import { feet } from './pairs/line-line'
import { pointToA, type RelativePose } from './relative'

/** Distance of two points, × size, below which the way from one to the other is no direction to go by. */
const TOO_CLOSE = 1e-9
/** How much a plane's separation may lag behind the distance of the points that span it, × size, for rounding in its direction. */
const NEAREST = 1e-11

export type AxisKind = 'faceA' | 'faceB' | 'edges' | 'vertexEdge' | 'edgeVertex' | 'vertices'

export interface Axis {
  readonly kind: AxisKind
  /** Feature of A (0 for `faceB`), of B (0 for `faceA`). */
  readonly indexA: number
  readonly indexB: number
}

export interface SeparatingPlane extends Axis {
  /** s(n̂), m. */
  readonly separation: number
  /** Unit, out of B towards A, in A's frame. */
  readonly normal: Vec3
  /** Vertices nearest the plane. */
  readonly supportA: number
  readonly supportB: number
  /** Distance of the nearest points of the two features, m; Infinity where those points are not within both. Equal to s: no plane is better. */
  readonly distance: number
}

/** Vertices from which the hill climbs of the next query start. */
export interface Supports {
  a: number
  b: number
}

/** Evaluates s along one axis; `null` where its features span no direction. */
export function evaluateAxis(a: Polyhedron, b: Polyhedron, relative: RelativePose, axis: Axis, start: Supports): SeparatingPlane | null {
  switch (axis.kind) {
    case 'faceA':
      return alongFaceOfA(a, b, relative, axis.indexA, start.b)
    case 'faceB':
      return alongFaceOfB(a, b, relative, axis.indexB, start.a)
    case 'edges':
      return alongEdges(a, b, relative, axis)
    case 'vertexEdge': {
      const edge = b.edges[axis.indexB]!
      const from = pointToA(relative, b.vertices[edge.from]!)
      const across = fromEdge(a.vertices[axis.indexA]!, from, transform(relative.rotation, edge.direction), edge.length)
      return across && alongPoints(a, b, relative, axis, across, axis.indexA, edge.from)
    }
    case 'edgeVertex': {
      const edge = a.edges[axis.indexA]!
      const across = fromEdge(pointToA(relative, b.vertices[axis.indexB]!), a.vertices[edge.from]!, edge.direction, edge.length)
      return across && alongPoints(a, b, relative, axis, negate(across), edge.from, axis.indexB)
    }
    case 'vertices':
      return alongPoints(
        a, b, relative, axis, sub(a.vertices[axis.indexA]!, pointToA(relative, b.vertices[axis.indexB]!)), axis.indexA, axis.indexB,
      )
  }
}

export function alongFaceOfA(a: Polyhedron, b: Polyhedron, relative: RelativePose, f: number, startB: number): SeparatingPlane {
  const face = a.faces[f]!
  const supportB = supportOfB(b, relative, negate(face.normal), startB)
  const point = pointToA(relative, b.vertices[supportB]!)
  const separation = dot(face.normal, point) - face.offset
  const distance = insideFace(a, face, point) >= 0 ? separation : Infinity
  return { kind: 'faceA', indexA: f, indexB: 0, separation, normal: negate(face.normal), supportA: face.loop[0]!, supportB, distance }
}

export function alongFaceOfB(a: Polyhedron, b: Polyhedron, relative: RelativePose, f: number, startA: number): SeparatingPlane {
  const face = b.faces[f]!
  const normal = transform(relative.rotation, face.normal)
  const supportA = a.supportIndex(-normal[0], -normal[1], -normal[2], startA)
  const from = sub(a.vertices[supportA]!, relative.position)
  const separation = dot(normal, from) - face.offset
  const distance = insideFace(b, face, transformTransposed(relative.rotation, from)) >= 0 ? separation : Infinity
  return { kind: 'faceB', indexA: 0, indexB: f, separation, normal, supportA, supportB: face.loop[0]!, distance }
}

function alongEdges(a: Polyhedron, b: Polyhedron, relative: RelativePose, axis: Axis): SeparatingPlane | null {
  const normal = facetNormal(a, b, relative, axis.indexA, axis.indexB)
  if (normal === null) {
    return null
  }
  const edgeA = a.edges[axis.indexA]!
  const edgeB = b.edges[axis.indexB]!
  const originA = a.vertices[edgeA.from]!
  const originB = pointToA(relative, b.vertices[edgeB.from]!)
  const { s, t } = feet(originA, edgeA.direction, originB, transform(relative.rotation, edgeB.direction), 1)
  const within = s >= 0 && s <= edgeA.length && t >= 0 && t <= edgeB.length
  const distance = within ? dot(normal, sub(originA, originB)) : Infinity
  return along(a, b, relative, axis, normal, edgeA.from, edgeB.from, distance)
}

/**
 * Along the way from a point of B to a point of A; `null` where they are so close that its direction is mostly rounding, and where they are not the
 * nearest points of the two solids: such a direction means nothing.
 */
function alongPoints(
  a: Polyhedron, b: Polyhedron, relative: RelativePose, axis: Axis, between: Vec3, startA: number, startB: number,
): SeparatingPlane | null {
  const distance = length(between)
  const size = a.radius + b.radius
  if (distance <= TOO_CLOSE * size) {
    return null
  }
  const plane = along(a, b, relative, axis, scale(between, 1 / distance), startA, startB, distance)
  return plane.separation >= distance - NEAREST * size ? plane : null
}

/** Shortest way from an edge to a point that lies beside it, at right angles to the edge even where it is mostly rounding; `null` beyond its ends. */
function fromEdge(point: Vec3, from: Vec3, direction: Vec3, extent: number): Vec3 | null {
  const away = sub(point, from)
  const t = dot(away, direction)
  if (t < 0 || t > extent) {
    return null
  }
  const across = addScaled(away, direction, -t)
  return addScaled(across, direction, -dot(across, direction))
}

/** s along any direction, with the axis it came from. */
function along(
  a: Polyhedron, b: Polyhedron, relative: RelativePose, axis: Axis, normal: Vec3, startA: number, startB: number, distance: number,
): SeparatingPlane {
  const supportA = a.supportIndex(-normal[0], -normal[1], -normal[2], startA)
  const supportB = supportOfB(b, relative, normal, startB)
  const separation = dot(normal, sub(a.vertices[supportA]!, pointToA(relative, b.vertices[supportB]!)))
  return { kind: axis.kind, indexA: axis.indexA, indexB: axis.indexB, separation, normal, supportA, supportB, distance }
}

/** Vertex of B farthest along a direction of A's frame. */
export function supportOfB(b: Polyhedron, relative: RelativePose, direction: Vec3, start: number): number {
  const r = relative.rotation
  const [x, y, z] = direction
  return b.supportIndex(r[0] * x + r[3] * y + r[6] * z, r[1] * x + r[4] * y + r[7] * z, r[2] * x + r[5] * y + r[8] * z, start)
}

/**
 * Unit normal spanned by an edge of each, out of B, where the arcs of their normals on the unit sphere cross (A's against B's opposite);
 * `null` where they do not, or where the edges are parallel.
 */
function facetNormal(a: Polyhedron, b: Polyhedron, relative: RelativePose, i: number, j: number): Vec3 | null {
  const edgeA = a.edges[i]!
  const edgeB = b.edges[j]!
  const directionB = transform(relative.rotation, edgeB.direction)
  const leftB = transform(relative.rotation, b.faces[edgeB.left]!.normal)
  const rightB = transform(relative.rotation, b.faces[edgeB.right]!.normal)
  const c = dot(leftB, edgeA.direction)
  const d = dot(rightB, edgeA.direction)
  const p = dot(a.faces[edgeA.left]!.normal, directionB)
  const q = dot(a.faces[edgeA.right]!.normal, directionB)
  if (!(c * d < 0 && p * q < 0 && c * q < 0)) {
    return null
  }
  const m = cross(edgeA.direction, directionB)
  const square = lengthSquared(m)
  if (square <= PARALLEL_SIN2) {
    return null
  }
  return scale(m, (dot(m, add(leftB, rightB)) < 0 ? -1 : 1) / Math.sqrt(square))
}
