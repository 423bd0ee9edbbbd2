/**
 * Separating planes of two convex polyhedra [Baraff92 §5.1]: the direction n̂ out of B towards A that maximises
 *
 *   s(n̂) = min_A n̂·a − max_B n̂·b.
 *
 * For separated solids the maximum is their distance, and n̂ is spanned by the features that contain the nearest points: a face, two edges, a vertex and an
 * edge, or two vertices. For overlapping solids the maximum lies on a facet of the Minkowski difference (a face or two edges) and −s is the penetration
 * depth. All computations are in A's frame, on plain numbers.
 */

import { PARALLEL_SIN2 } from '../math/tolerances'
import type { Vec3 } from '../math/vector'
import type { FlatSolid } from './flat-solid'

/** Distance of two points, × size, below which their difference does not define a direction. */
const TOO_CLOSE = 1e-9
/** Tolerated difference between a plane's separation and the distance of the points that span it, × size: rounding of its direction. */
const NEAREST = 1e-11

export type AxisKind = 'faceA' | 'faceB' | 'edges' | 'vertexEdge' | 'edgeVertex' | 'vertices'

export interface SeparatingPlane {
  readonly kind: AxisKind
  /** Feature of A (0 for `faceB`), of B (0 for `faceA`). */
  readonly indexA: number
  readonly indexB: number
  /** s(n̂), m. */
  readonly separation: number
  /** Unit, out of B towards A, in A's frame. */
  readonly normal: Vec3
  /** Vertices nearest the plane. */
  readonly supportA: number
  readonly supportB: number
  /** Distance of the nearest points of the two features, m; Infinity if those points are not within both. If it equals s, no plane is better. */
  readonly distance: number
}

/** The last evaluated plane; `frozen` copies it. */
export class EvaluatedPlane {
  kind: AxisKind = 'faceA'
  indexA = 0
  indexB = 0
  separation = -Infinity
  x = 0
  y = 0
  z = 0
  supportA = 0
  supportB = 0
  distance = Infinity

  frozen(): SeparatingPlane {
    const { kind, indexA, indexB, separation, x, y, z, supportA, supportB, distance } = this
    return { kind, indexA, indexB, separation, normal: [x, y, z], supportA, supportB, distance }
  }
}

/** Evaluates s along the directions spanned by features of two solids; shared by all pairs. */
export class SeparatingAxes {
  flatA!: FlatSolid
  flatB!: FlatSolid
  /** Rotates vectors from B's frame to A's, row-major; B's origin in A's frame, m. */
  readonly rotation = new Float64Array(9)
  readonly position = new Float64Array(3)
  /** Length scale of rounding, m. */
  size = 0
  /** The last rotated vector. */
  private x = 0
  private y = 0
  private z = 0

  /** @param rotation, position as of `RelativePose` */
  place(flatA: FlatSolid, flatB: FlatSolid, rotation: ArrayLike<number>, position: ArrayLike<number>): void {
    this.flatA = flatA
    this.flatB = flatB
    this.size = flatA.solid.radius + flatB.solid.radius
    for (let k = 0; k < 9; k++) this.rotation[k] = rotation[k]!
    for (let k = 0; k < 3; k++) this.position[k] = position[k]!
  }

  /** s along one axis, with hill climbs from two vertices; `false` if its features do not define a direction. */
  evaluate(kind: AxisKind, indexA: number, indexB: number, startA: number, startB: number, out: EvaluatedPlane): boolean {
    out.kind = kind
    out.indexA = kind === 'faceB' ? 0 : indexA
    out.indexB = kind === 'faceA' ? 0 : indexB
    switch (kind) {
      case 'faceA':
        this.faceOfA(indexA, startB, out)
        return true
      case 'faceB':
        this.faceOfB(indexB, startA, out)
        return true
      case 'edges':
        return this.edges(indexA, indexB, out)
      case 'vertexEdge':
        return this.vertexEdge(indexA, indexB, out)
      case 'edgeVertex':
        return this.edgeVertex(indexA, indexB, out)
      case 'vertices': {
        const { flatA: { vertices } } = this
        this.pointOfB(indexB)
        return this.alongPoints(
          vertices[3 * indexA]! - this.x, vertices[3 * indexA + 1]! - this.y, vertices[3 * indexA + 2]! - this.z, indexA, indexB, out)
      }
    }
  }

  supportOfA(x: number, y: number, z: number, start: number): number {
    return this.flatA.solid.supportIndex(x, y, z, start)
  }

  /** Vertex of B farthest along a direction of A's frame. */
  supportOfB(x: number, y: number, z: number, start: number): number {
    const r = this.rotation
    return this.flatB.solid.supportIndex(
      r[0]! * x + r[3]! * y + r[6]! * z, r[1]! * x + r[4]! * y + r[7]! * z, r[2]! * x + r[5]! * y + r[8]! * z, start)
  }

  private faceOfA(f: number, startB: number, out: EvaluatedPlane): void {
    const { flatA: { normals, offsets, loop, loopStart } } = this
    const x = normals[3 * f]!
    const y = normals[3 * f + 1]!
    const z = normals[3 * f + 2]!
    const supportB = this.supportOfB(-x, -y, -z, startB)
    this.pointOfB(supportB)
    out.separation = x * this.x + y * this.y + z * this.z - offsets[f]!
    out.distance = this.flatA.insideFace(f, this.x, this.y, this.z) >= 0 ? out.separation : Infinity
    out.x = -x
    out.y = -y
    out.z = -z
    out.supportA = loop[loopStart[f]!]!
    out.supportB = supportB
  }

  private faceOfB(f: number, startA: number, out: EvaluatedPlane): void {
    const { flatA: { vertices }, flatB, rotation: r, position } = this
    this.turn(flatB.normals, f)
    const { x, y, z } = this
    const supportA = this.supportOfA(-x, -y, -z, startA)
    const dx = vertices[3 * supportA]! - position[0]!
    const dy = vertices[3 * supportA + 1]! - position[1]!
    const dz = vertices[3 * supportA + 2]! - position[2]!
    out.separation = x * dx + y * dy + z * dz - flatB.offsets[f]!
    const over = flatB.insideFace(
      f, r[0]! * dx + r[3]! * dy + r[6]! * dz, r[1]! * dx + r[4]! * dy + r[7]! * dz, r[2]! * dx + r[5]! * dy + r[8]! * dz) >= 0
    out.distance = over ? out.separation : Infinity
    out.x = x
    out.y = y
    out.z = z
    out.supportA = supportA
    out.supportB = flatB.loop[flatB.loopStart[f]!]!
  }

  /** Condition: the arcs of the edges' normals on the unit sphere cross (A's against B's opposite), and the edges are not parallel. */
  private edges(i: number, j: number, out: EvaluatedPlane): boolean {
    const { flatA, flatB } = this
    const ex = flatA.directions[3 * i]!
    const ey = flatA.directions[3 * i + 1]!
    const ez = flatA.directions[3 * i + 2]!
    this.turn(flatB.directions, j)
    const { x: dx, y: dy, z: dz } = this
    this.turn(flatB.normals, flatB.left[j]!)
    const { x: lx, y: ly, z: lz } = this
    this.turn(flatB.normals, flatB.right[j]!)
    const { x: rx, y: ry, z: rz } = this
    const l = 3 * flatA.left[i]!
    const r = 3 * flatA.right[i]!
    const n = flatA.normals
    const p = n[l]! * dx + n[l + 1]! * dy + n[l + 2]! * dz
    const q = n[r]! * dx + n[r + 1]! * dy + n[r + 2]! * dz
    const c = lx * ex + ly * ey + lz * ez
    const d = rx * ex + ry * ey + rz * ez
    if (!(c * d < 0 && p * q < 0 && c * q < 0)) return false
    const mx = ey * dz - ez * dy
    const my = ez * dx - ex * dz
    const mz = ex * dy - ey * dx
    const square = mx * mx + my * my + mz * mz
    if (square <= PARALLEL_SIN2) return false
    const s = (mx * (lx + rx) + my * (ly + ry) + mz * (lz + rz) < 0 ? -1 : 1) / Math.sqrt(square)
    const from = flatA.from[i]!
    const fromB = flatB.from[j]!
    this.pointOfB(fromB)
    const bx = flatA.vertices[3 * from]! - this.x
    const by = flatA.vertices[3 * from + 1]! - this.y
    const bz = flatA.vertices[3 * from + 2]! - this.z
    const footA = -((by * dz - bz * dy) * mx + (bz * dx - bx * dz) * my + (bx * dy - by * dx) * mz) / square
    const footB = -((by * ez - bz * ey) * mx + (bz * ex - bx * ez) * my + (bx * ey - by * ex) * mz) / square
    const within = footA >= 0 && footA <= flatA.lengths[i]! && footB >= 0 && footB <= flatB.lengths[j]!
    this.along(mx * s, my * s, mz * s, from, fromB, out)
    out.distance = within ? out.x * bx + out.y * by + out.z * bz : Infinity
    return true
  }

  private vertexEdge(v: number, j: number, out: EvaluatedPlane): boolean {
    const { flatA: { vertices }, flatB } = this
    const from = flatB.from[j]!
    this.pointOfB(from)
    const x = vertices[3 * v]! - this.x
    const y = vertices[3 * v + 1]! - this.y
    const z = vertices[3 * v + 2]! - this.z
    this.turn(flatB.directions, j)
    return this.fromEdge(x, y, z, this.x, this.y, this.z, flatB.lengths[j]!) && this.alongPoints(this.x, this.y, this.z, v, from, out)
  }

  private edgeVertex(i: number, v: number, out: EvaluatedPlane): boolean {
    const { flatA: { vertices, directions, lengths, from } } = this
    const start = from[i]!
    this.pointOfB(v)
    return this.fromEdge(
      this.x - vertices[3 * start]!, this.y - vertices[3 * start + 1]!, this.z - vertices[3 * start + 2]!,
      directions[3 * i]!, directions[3 * i + 1]!, directions[3 * i + 2]!, lengths[i]!,
    ) && this.alongPoints(-this.x, -this.y, -this.z, start, v, out)
  }

  /**
   * Shortest vector from an edge to a point beside it, perpendicular to the edge even if it is mostly rounding; `false` beyond its ends.
   * @param x the point relative to the edge's start; @param dx the edge's direction
   */
  private fromEdge(x: number, y: number, z: number, dx: number, dy: number, dz: number, extent: number): boolean {
    const t = x * dx + y * dy + z * dz
    if (t < 0 || t > extent) return false
    x -= t * dx
    y -= t * dy
    z -= t * dz
    const rest = x * dx + y * dy + z * dz
    this.x = x - rest * dx
    this.y = y - rest * dy
    this.z = z - rest * dz
    return true
  }

  /**
   * Along the line from a point of B to a point of A; `false` if they are so close that the direction is mostly rounding, or if they are not the nearest
   * points of the two solids.
   */
  private alongPoints(x: number, y: number, z: number, startA: number, startB: number, out: EvaluatedPlane): boolean {
    const distance = Math.sqrt(x * x + y * y + z * z)
    if (distance <= TOO_CLOSE * this.size) return false
    const s = 1 / distance
    this.along(x * s, y * s, z * s, startA, startB, out)
    out.distance = distance
    return out.separation >= distance - NEAREST * this.size
  }

  /** s along any direction. */
  private along(x: number, y: number, z: number, startA: number, startB: number, out: EvaluatedPlane): void {
    const { vertices } = this.flatA
    const supportA = this.supportOfA(-x, -y, -z, startA)
    const supportB = this.supportOfB(x, y, z, startB)
    this.pointOfB(supportB)
    out.separation = x * (vertices[3 * supportA]! - this.x) + y * (vertices[3 * supportA + 1]! - this.y) + z * (vertices[3 * supportA + 2]! - this.z)
    out.x = x
    out.y = y
    out.z = z
    out.supportA = supportA
    out.supportB = supportB
  }

  /** A vertex of B in A's frame, into x, y and z. */
  private pointOfB(v: number): void {
    this.turn(this.flatB.vertices, v)
    this.x = this.position[0]! + this.x
    this.y = this.position[1]! + this.y
    this.z = this.position[2]! + this.z
  }

  private turn(vectors: Float64Array, index: number): void {
    const r = this.rotation
    const x = vectors[3 * index]!
    const y = vectors[3 * index + 1]!
    const z = vectors[3 * index + 2]!
    this.x = r[0]! * x + r[1]! * y + r[2]! * z
    this.y = r[3]! * x + r[4]! * y + r[5]! * z
    this.z = r[6]! * x + r[7]! * y + r[8]! * z
  }
}
