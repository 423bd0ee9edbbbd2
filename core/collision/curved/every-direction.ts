/**
 * The best of all common directions of the features of two convex solids: for overlapping solids, and if no other method gives a proof.
 *
 * For polyhedra only edges and vertices that may exceed the best separation so far are tried. Between the normals of the faces of one feature, s = min_A
 * n̂·a − max_B n̂·b is at most n̂·(a − v) for a vertex v of the feature and any point a of the other solid. This is a linear function; if it is negative at
 * all normals of the faces, its maximum is at one of them.
 */

import type { Difference } from './difference'
import { LINE, PLANE, POINT, RIM, SMOOTH, type FlatConvex } from './flat-convex'
import type { Proposal } from './proposal'

/** Maximum number of climbs, and number of probe directions per climb. */
const ROUNDS = 24
/** Start directions for a curved pair of features. */
const STARTS = 9
const AROUND = 4

export class EveryDirection {
  separation = -Infinity
  featureA = -1
  featureB = -1
  nx = 0
  ny = 0
  nz = 0
  px = 0
  py = 0
  pz = 0
  qx = 0
  qy = 0
  qz = 0
  private isProved = false
  /** By face of a polyhedron: the point of the other solid nearest to its plane, in A's frame. */
  private nearest: Float64Array = new Float64Array(0)

  constructor(private readonly difference: Difference, private readonly proposal: Proposal) {}

  /** `nx`: an additional start direction of any length. */
  find(nx: number, ny: number, nz: number): void {
    const { difference: { position: p } } = this
    this.separation = -Infinity
    this.isProved = false
    this.ofPlanes()
    this.feel(nx, ny, nz)
    this.feel(-p[0]!, -p[1]!, -p[2]!)
    this.climb()
    this.ofPairs(STARTS)
    const { separation } = this
    this.climb()
    // A maximum that no start of the features has reached.
    if (this.separation > separation + 1e-14 * this.difference.scale) this.ofPairs(1)
  }

  /** Tries all pairs of features except planes, each from a limited number of directions. */
  private ofPairs(most: number): void {
    const { difference: { a, b } } = this
    for (let i = 0; i < a.count; i++) {
      if (a.types[i] === PLANE || (a.solid !== null && !this.mayBeBest(a, i, true))) continue
      for (let j = 0; j < b.count; j++) {
        if (b.types[j] === PLANE || (b.solid !== null && !this.mayBeBest(b, j, false))) continue
        this.ofPair(i, j, most)
      }
    }
  }

  private ofPlanes(): void {
    const { proposal, difference } = this
    const { a, b } = difference
    const solid = a.solid ?? b.solid
    if (solid !== null && this.nearest.length < 3 * solid.faceCount) this.nearest = new Float64Array(3 * solid.faceCount)
    for (let i = a.firstPlane; i < a.count; i++) {
      if (a.types[i] !== PLANE) continue
      const inside = proposal.alongPlaneOfA(i)
      if (a.solid !== null) this.nearest.set([difference.bx, difference.by, difference.bz], 3 * (i - a.firstPlane))
      this.consider(inside >= 0)
    }
    for (let j = b.firstPlane; j < b.count; j++) {
      if (b.types[j] !== PLANE) continue
      const inside = proposal.alongPlaneOfB(j)
      if (b.solid !== null) this.nearest.set([difference.ax, difference.ay, difference.az], 3 * (j - b.firstPlane))
      this.consider(inside >= 0)
    }
  }

  /** Accepts the last proposal if it separates better, or equally well with facing points. */
  private consider(isProved: boolean): void {
    const { proposal, difference: { scale } } = this
    const ahead = proposal.separation - this.separation
    if (!(ahead > 1e-14 * scale || (ahead >= -1e-14 * scale && isProved && !this.isProved))) return
    this.isProved = isProved
    this.separation = proposal.separation
    this.featureA = proposal.featureA
    this.featureB = proposal.featureB
    this.nx = proposal.nx
    this.ny = proposal.ny
    this.nz = proposal.nz
    this.px = proposal.px
    this.py = proposal.py
    this.pz = proposal.pz
    this.qx = proposal.qx
    this.qy = proposal.qy
    this.qz = proposal.qz
  }

  /** Tests a direction that is not that of any known features. */
  private feel(x: number, y: number, z: number): boolean {
    const l = Math.sqrt(x * x + y * y + z * z)
    if (!(l > 0)) return false
    const { difference } = this
    const nx = x / l
    const ny = y / l
    const nz = z / l
    const apart = difference.separated(nx, ny, nz)
    if (!(apart > this.separation)) return false
    this.isProved = false
    this.separation = apart
    this.featureA = this.featureB = -1
    this.nx = nx
    this.ny = ny
    this.nz = nz
    this.px = difference.ax
    this.py = difference.ay
    this.pz = difference.az
    this.qx = difference.bx
    this.qy = difference.by
    this.qz = difference.bz
    return true
  }

  /** Probes for a better direction around the best. */
  private climb(): void {
    let stride = 0.5
    for (let k = 0; k < ROUNDS && stride > 1e-4; k++) {
      const { nx, ny, nz } = this
      const isFlat = Math.abs(nz) < 0.7
      const l = 1 / (isFlat ? Math.sqrt(nx * nx + ny * ny) : Math.sqrt(ny * ny + nz * nz))
      const ux = isFlat ? -ny * l : 0
      const uy = isFlat ? nx * l : -nz * l
      const uz = isFlat ? 0 : ny * l
      const vx = ny * uz - nz * uy
      const vy = nz * ux - nx * uz
      const vz = nx * uy - ny * ux
      let isBetter = false
      for (let d = 0; d < AROUND; d++) {
        const s = d < 2 ? (d === 0 ? stride : -stride) : 0
        const t = d < 2 ? 0 : d === 2 ? stride : -stride
        if (this.feel(nx + s * ux + t * vx, ny + s * uy + t * vy, nz + s * uz + t * vz)) isBetter = true
      }
      if (!isBetter) stride /= 4
    }
  }

  /** Whether an edge or a vertex of a polyhedron can have a better direction than the best known. */
  private mayBeBest(solid: FlatConvex, i: number, isA: boolean): boolean {
    const flat = solid.solid!
    if (i >= solid.firstEdge) {
      const e = i - solid.firstEdge
      return this.isOpen(solid, flat.from[e]!, flat.left[e]!, flat.right[e]!, isA) && this.isOpen(solid, flat.from[e]!, flat.right[e]!, flat.left[e]!, isA)
    }
    const faces = flat.solid.vertexFaces[i]!
    for (const f of faces) {
      let isOpen = false
      for (const g of faces) {
        if (this.over(solid, i, f, g, isA) > this.separation) {
          isOpen = true
          break
        }
      }
      if (!isOpen) return false
    }
    return true
  }

  private isOpen(solid: FlatConvex, v: number, f: number, g: number, isA: boolean): boolean {
    return this.over(solid, v, f, f, isA) > this.separation || this.over(solid, v, f, g, isA) > this.separation
  }

  /** Height of the other solid's point nearest to face f over vertex v along the normal of face g, m; Infinity if it gives no bound. */
  private over(solid: FlatConvex, v: number, f: number, g: number, isA: boolean): number {
    if (!(this.separation < 0)) return Infinity
    const { difference, nearest } = this
    const { vertices, normals } = solid.solid!
    let x = nearest[3 * f]!
    let y = nearest[3 * f + 1]!
    let z = nearest[3 * f + 2]!
    if (!isA) {
      const { position: p } = difference
      difference.turnBack(x - p[0]!, y - p[1]!, z - p[2]!)
      x = difference.x
      y = difference.y
      z = difference.z
    }
    const height = normals[3 * g]! * (x - vertices[3 * v]!) + normals[3 * g + 1]! * (y - vertices[3 * v + 1]!)
      + normals[3 * g + 2]! * (z - vertices[3 * v + 2]!)
    return height < 0 ? height : Infinity
  }

  private ofPair(i: number, j: number, most: number): void {
    const { difference: { a, b, scale }, proposal } = this
    const p = a.types[i]!
    const q = b.types[j]!
    // Corners and edges that face each other along such a direction are the nearest points of separated solids; in overlap they are a minimum of separation.
    if (this.separation < 0 && isSharp(a, i) && isSharp(b, j) && (p === POINT || q === POINT)) return
    const { nx, ny, nz } = this
    const { px, py, pz, qx, qy, qz } = this
    const isCurved = p === RIM || p === SMOOTH || q === RIM || q === SMOOTH
    const starts = isCurved ? most : Math.min(2, most)
    for (let k = 0; k < starts; k++) {
      if (k === 0) proposal.begin(nx, ny, nz, px, py, pz, qx, qy, qz)
      else if (!this.beginElsewhere(k, isCurved, i, j)) continue
      if (!proposal.direction(i, j)) continue
      this.consider(proposal.facing() <= Math.abs(proposal.separation) + 1e-13 * scale)
    }
  }

  /**
   * Start from the opposite side. For curved features: from the line between the centres, from the mean of a polyhedron's normals, and from the axes of A's
   * and B's frames. @returns whether there is such a start
   */
  private beginElsewhere(k: number, isCurved: boolean, i: number, j: number): boolean {
    const { proposal, difference } = this
    const { a, b, position: p, rotation: r, scale } = difference
    let x = -this.nx
    let y = -this.ny
    let z = -this.nz
    if (isCurved && k === 1) {
      x = -p[0]!
      y = -p[1]!
      z = -p[2]!
    } else if (k === 2) {
      if (a.solid === null && b.solid === null) return false
      if (a.solid !== null) middleOfNormals(a, i, ownNormal)
      else middleOfNormals(b, j, ownNormal)
      x = -ownNormal[0]!
      y = -ownNormal[1]!
      z = -ownNormal[2]!
      if (a.solid === null) {
        difference.turn(-x, -y, -z)
        x = difference.x
        y = difference.y
        z = difference.z
      }
    } else if (a.solid !== null || b.solid !== null) {
      // The normals of the faces of an edge or a vertex.
      const solid = a.solid === null ? b : a
      const e = (a.solid === null ? j : i) - solid.firstEdge
      const { left, right, normals, solid: { vertexFaces } } = solid.solid!
      const face = e >= 0 ? [left[e]!, right[e]!][k - 3] : vertexFaces[a.solid === null ? j : i]![k - 3]
      if (face === undefined) return false
      const f = 3 * face
      x = -normals[f]!
      y = -normals[f + 1]!
      z = -normals[f + 2]!
      if (a.solid === null) {
        difference.turn(-x, -y, -z)
        x = difference.x
        y = difference.y
        z = difference.z
      }
    } else if (k > 2) {
      const c = (k - 3) % 3
      x = k < 6 ? (c === 0 ? 1 : 0) : r[c]!
      y = k < 6 ? (c === 1 ? 1 : 0) : r[3 + c]!
      z = k < 6 ? (c === 2 ? 1 : 0) : r[6 + c]!
      if (x * p[0]! + y * p[1]! + z * p[2]! > 0) {
        x = -x
        y = -y
        z = -z
      }
    }
    const l = Math.sqrt(x * x + y * y + z * z)
    if (!(l > 0)) return false
    x /= l
    y /= l
    z /= l
    proposal.begin(x, y, z, -scale * x, -scale * y, -scale * z, scale * x, scale * y, scale * z)
    return true
  }
}

const ownNormal = new Float64Array(3)

/** Mean of the normals of the faces that meet in an edge or a vertex. */
function middleOfNormals({ solid, firstEdge }: FlatConvex, i: number, out: Float64Array): void {
  const { normals, left, right, solid: { vertexFaces } } = solid!
  out.fill(0)
  if (i >= firstEdge) {
    for (let c = 0; c < 3; c++) out[c] = normals[3 * left[i - firstEdge]! + c]! + normals[3 * right[i - firstEdge]! + c]!
    return
  }
  for (const f of vertexFaces[i]!) for (let c = 0; c < 3; c++) out[c] = out[c]! + normals[3 * f + c]!
}

/** Whether a feature has no curvature. */
function isSharp({ types, radii }: FlatConvex, i: number): boolean {
  return types[i] === POINT || (types[i] === LINE && radii[i] === 0)
}
