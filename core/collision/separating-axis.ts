/**
 * The best separating plane of two convex polyhedra [Baraff92 §5.1]: among the face normals of both and the cross products of edge pairs,
 * the direction n̂ out of B towards A that maximises  s(n̂) = min_A n̂·a − max_B n̂·b.
 *
 * These directions are the facets of the Minkowski difference, so s > 0 exactly when the solids are apart, s is never more than their
 * distance, and where they overlap −s is the penetration depth. Everything happens in A's frame.
 */

import type { Polyhedron } from '../geometry/polyhedron'
import { transform } from '../math/matrix'
import { PARALLEL_SIN2 } from '../math/tolerances'
import { add, cross, dot, lengthSquared, negate, scale, sub, type Vec3 } from '../math/vector'
import { pointToA, type RelativePose } from './relative'

export type AxisKind = 'faceA' | 'faceB' | 'edges'

export interface Axis {
  readonly kind: AxisKind
  /** Face or edge of A (0 for `faceB`), of B (0 for `faceA`). */
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
}

/** Vertices from which the hill climbs of the next query start. */
export interface Supports {
  a: number
  b: number
}

/** Evaluates s along one axis; `null` where an edge pair spans no facet of the Minkowski difference. */
export function evaluateAxis(a: Polyhedron, b: Polyhedron, relative: RelativePose, axis: Axis, start: Supports): SeparatingPlane | null {
  switch (axis.kind) {
    case 'faceA':
      return alongFaceOfA(a, b, relative, axis.indexA, start.b)
    case 'faceB':
      return alongFaceOfB(a, b, relative, axis.indexB, start.a)
    case 'edges': {
      const normal = facetNormal(a, b, relative, axis.indexA, axis.indexB)
      return normal && along(a, b, relative, axis, normal, a.edges[axis.indexA]!.from, b.edges[axis.indexB]!.from)
    }
  }
}

export function alongFaceOfA(a: Polyhedron, b: Polyhedron, relative: RelativePose, f: number, startB: number): SeparatingPlane {
  const face = a.faces[f]!
  const supportB = supportOfB(b, relative, negate(face.normal), startB)
  const separation = dot(face.normal, pointToA(relative, b.vertices[supportB]!)) - face.offset
  return { kind: 'faceA', indexA: f, indexB: 0, separation, normal: negate(face.normal), supportA: face.loop[0]!, supportB }
}

export function alongFaceOfB(a: Polyhedron, b: Polyhedron, relative: RelativePose, f: number, startA: number): SeparatingPlane {
  const face = b.faces[f]!
  const normal = transform(relative.rotation, face.normal)
  const supportA = a.supportIndex(-normal[0], -normal[1], -normal[2], startA)
  const separation = dot(normal, sub(a.vertices[supportA]!, relative.position)) - face.offset
  return { kind: 'faceB', indexA: 0, indexB: f, separation, normal, supportA, supportB: face.loop[0]! }
}

/** s along any direction, with the axis it came from. */
function along(
  a: Polyhedron, b: Polyhedron, relative: RelativePose, axis: Axis, normal: Vec3, startA: number, startB: number,
): SeparatingPlane {
  const supportA = a.supportIndex(-normal[0], -normal[1], -normal[2], startA)
  const supportB = supportOfB(b, relative, normal, startB)
  const separation = dot(normal, sub(a.vertices[supportA]!, pointToA(relative, b.vertices[supportB]!)))
  return { ...axis, separation, normal, supportA, supportB }
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

/** Everything about B that the loop over edge pairs needs in A's frame, packed 3 numbers a vector. */
export class EdgePairSearch {
  private readonly directionsB: Float64Array
  private readonly normalsB: Float64Array
  private readonly verticesB: Float64Array
  private readonly normalsA: Float64Array

  constructor(private readonly a: Polyhedron, private readonly b: Polyhedron) {
    this.directionsB = new Float64Array(3 * b.edges.length)
    this.normalsB = new Float64Array(3 * b.faces.length)
    this.verticesB = new Float64Array(3 * b.vertices.length)
    this.normalsA = Float64Array.from(a.faces.flatMap(face => [...face.normal]))
  }

  /** Calls `found` for every edge pair that spans a facet with s at least `floor()`. */
  search(relative: RelativePose, floor: () => number, found: (i: number, j: number) => void): void {
    const { a, b, directionsB, normalsB, verticesB, normalsA } = this
    b.edges.forEach((edge, j) => put(directionsB, j, transform(relative.rotation, edge.direction)))
    b.faces.forEach((face, f) => put(normalsB, f, transform(relative.rotation, face.normal)))
    b.vertices.forEach((vertex, v) => put(verticesB, v, pointToA(relative, vertex)))
    for (let i = 0; i < a.edges.length; i++) {
      const edgeA = a.edges[i]!
      const [ex, ey, ez] = edgeA.direction
      const [ox, oy, oz] = a.vertices[edgeA.from]!
      const l = 3 * edgeA.left
      const r = 3 * edgeA.right
      for (let j = 0; j < b.edges.length; j++) {
        const dx = directionsB[3 * j]!
        const dy = directionsB[3 * j + 1]!
        const dz = directionsB[3 * j + 2]!
        const p = normalsA[l]! * dx + normalsA[l + 1]! * dy + normalsA[l + 2]! * dz
        const q = normalsA[r]! * dx + normalsA[r + 1]! * dy + normalsA[r + 2]! * dz
        if (!(p * q < 0)) {
          continue
        }
        const edgeB = b.edges[j]!
        const lb = 3 * edgeB.left
        const rb = 3 * edgeB.right
        const c = normalsB[lb]! * ex + normalsB[lb + 1]! * ey + normalsB[lb + 2]! * ez
        const d = normalsB[rb]! * ex + normalsB[rb + 1]! * ey + normalsB[rb + 2]! * ez
        if (!(c * d < 0 && c * q < 0)) {
          continue
        }
        const mx = ey * dz - ez * dy
        const my = ez * dx - ex * dz
        const mz = ex * dy - ey * dx
        const square = mx * mx + my * my + mz * mz
        if (square <= PARALLEL_SIN2) {
          continue
        }
        const outwards = mx * (normalsB[lb]! + normalsB[rb]!) + my * (normalsB[lb + 1]! + normalsB[rb + 1]!)
          + mz * (normalsB[lb + 2]! + normalsB[rb + 2]!)
        const v = 3 * edgeB.from
        const s = (mx * (ox - verticesB[v]!) + my * (oy - verticesB[v + 1]!) + mz * (oz - verticesB[v + 2]!)) / Math.sqrt(square)
        if ((outwards < 0 ? -s : s) > floor()) {
          found(i, j)
        }
      }
    }
  }
}

function put(target: Float64Array, index: number, v: Vec3): void {
  target[3 * index] = v[0]
  target[3 * index + 1] = v[1]
  target[3 * index + 2] = v[2]
}
