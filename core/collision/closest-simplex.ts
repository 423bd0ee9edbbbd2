/**
 * The few vertices of two convex polyhedra between which their shortest distance lies: Gilbert, Johnson and Keerthi's descent [GJK88] on plain numbers.
 *
 * A simplex of differences a − b of vertices is kept that holds the point nearest to the origin known so far; each step adds the support point against that
 * point and drops what the nearest point no longer needs. On polyhedra that ends after a few steps with the vertices of the nearest features. Nothing
 * here has to be exact: what the vertices say is proved elsewhere.
 */

import type { SeparatingAxes } from './separating-axis'

/** Descents that take longer are stuck in rounding. */
const STEPS = 64
/** Share of the squared distance that a step would have to gain. */
const GAIN = 1e-15

export class ClosestSimplex {
  /** How many differences hold the nearest point, and of which vertices they are. */
  count = 0
  readonly indexA = new Int32Array(4)
  readonly indexB = new Int32Array(4)
  steps = 0
  /** Vertices farthest against the nearest point. */
  private supportA = 0
  private supportB = 0
  private readonly points = new Float64Array(12)
  /** The nearest point known, m: from B to A. */
  private x = 0
  private y = 0
  private z = 0
  /** The nearest point of the simplex in hand and the set of differences that hold it, by bits. */
  private bestSquare = Infinity
  private bestSet = 0
  private bestX = 0
  private bestY = 0
  private bestZ = 0

  constructor(private readonly axes: SeparatingAxes) {}

  /** From two vertices. @returns whether the nearest point was found, `false` where the differences hold the origin, by rounding at least */
  descend(startA: number, startB: number): boolean {
    const { axes, points } = this
    this.count = 0
    this.supportA = startA
    this.supportB = startB
    this.add()
    this.x = points[0]!
    this.y = points[1]!
    this.z = points[2]!
    for (this.steps = 1; this.steps <= STEPS; this.steps++) {
      const { x, y, z, count } = this
      const square = x * x + y * y + z * z
      if (!(square > 0)) return false
      this.supportA = axes.supportOfA(-x, -y, -z, this.supportA)
      this.supportB = axes.supportOfB(x, y, z, this.supportB)
      if (this.has(this.supportA, this.supportB)) return true
      this.add()
      const ahead = x * points[3 * count]! + y * points[3 * count + 1]! + z * points[3 * count + 2]!
      const gains = square - ahead > GAIN * square
      if (gains && !this.nearest()) return false
      if (!gains || !(this.bestSquare < square)) {
        this.count = count
        return true
      }
      this.keep()
    }
    return true
  }

  private add(): void {
    const { axes: { flatA, flatB, rotation: r, position }, supportA, supportB, points } = this
    const k = this.count++
    const x = flatB.vertices[3 * supportB]!
    const y = flatB.vertices[3 * supportB + 1]!
    const z = flatB.vertices[3 * supportB + 2]!
    this.indexA[k] = supportA
    this.indexB[k] = supportB
    points[3 * k] = flatA.vertices[3 * supportA]! - (position[0]! + (r[0]! * x + r[1]! * y + r[2]! * z))
    points[3 * k + 1] = flatA.vertices[3 * supportA + 1]! - (position[1]! + (r[3]! * x + r[4]! * y + r[5]! * z))
    points[3 * k + 2] = flatA.vertices[3 * supportA + 2]! - (position[2]! + (r[6]! * x + r[7]! * y + r[8]! * z))
  }

  private has(a: number, b: number): boolean {
    for (let k = 0; k < this.count; k++) if (this.indexA[k] === a && this.indexB[k] === b) return true
    return false
  }

  /** The point of the simplex nearest to the origin, and which differences hold it; `false` where the simplex holds the origin. */
  private nearest(): boolean {
    this.bestSquare = Infinity
    if (this.count === 2) {
      this.segment(0, 1)
      return true
    }
    if (this.count === 3) {
      this.triangle(0, 1, 2)
      return true
    }
    // The origin lies on the new point's side of the triangle before it.
    if (this.isBeyond(0, 1, 3, 2)) this.triangle(0, 1, 3)
    if (this.isBeyond(1, 2, 3, 0)) this.triangle(1, 2, 3)
    if (this.isBeyond(2, 0, 3, 1)) this.triangle(2, 0, 3)
    return this.bestSquare < Infinity
  }

  /** Whether the plane of three points has the origin on the other side than a fourth one. */
  private isBeyond(i: number, j: number, k: number, other: number): boolean {
    const p = this.points
    const ox = p[3 * i]!
    const oy = p[3 * i + 1]!
    const oz = p[3 * i + 2]!
    const ax = p[3 * j]! - ox
    const ay = p[3 * j + 1]! - oy
    const az = p[3 * j + 2]! - oz
    const bx = p[3 * k]! - ox
    const by = p[3 * k + 1]! - oy
    const bz = p[3 * k + 2]! - oz
    const nx = ay * bz - az * by
    const ny = az * bx - ax * bz
    const nz = ax * by - ay * bx
    const side = nx * (p[3 * other]! - ox) + ny * (p[3 * other + 1]! - oy) + nz * (p[3 * other + 2]! - oz)
    return !(side * -(nx * ox + ny * oy + nz * oz) > 0)
  }

  private triangle(i: number, j: number, k: number): void {
    const p = this.points
    const ax = p[3 * i]!
    const ay = p[3 * i + 1]!
    const az = p[3 * i + 2]!
    const bx = p[3 * j]! - ax
    const by = p[3 * j + 1]! - ay
    const bz = p[3 * j + 2]! - az
    const cx = p[3 * k]! - ax
    const cy = p[3 * k + 1]! - ay
    const cz = p[3 * k + 2]! - az
    const nx = by * cz - bz * cy
    const ny = bz * cx - bx * cz
    const nz = bx * cy - by * cx
    const square = nx * nx + ny * ny + nz * nz
    // Whether the origin lies within the sides, seen along the normal.
    const u = nx * (by * az - bz * ay) + ny * (bz * ax - bx * az) + nz * (bx * ay - by * ax)
    const v = nx * (cy * az - cz * ay) + ny * (cz * ax - cx * az) + nz * (cx * ay - cy * ax)
    if (square > 0 && -u > 0 && v > 0 && -u + v < square) {
      const height = (nx * ax + ny * ay + nz * az) / square
      this.offer((1 << i) | (1 << j) | (1 << k), nx * height, ny * height, nz * height)
      return
    }
    this.segment(i, j)
    this.segment(j, k)
    this.segment(k, i)
  }

  private segment(i: number, j: number): void {
    const p = this.points
    const x = p[3 * i]!
    const y = p[3 * i + 1]!
    const z = p[3 * i + 2]!
    const dx = p[3 * j]! - x
    const dy = p[3 * j + 1]! - y
    const dz = p[3 * j + 2]! - z
    const along = -(x * dx + y * dy + z * dz)
    const square = dx * dx + dy * dy + dz * dz
    if (along <= 0) this.offer(1 << i, x, y, z)
    else if (along >= square) this.offer(1 << j, x + dx, y + dy, z + dz)
    else this.offer((1 << i) | (1 << j), x + dx * (along / square), y + dy * (along / square), z + dz * (along / square))
  }

  private offer(set: number, x: number, y: number, z: number): void {
    const square = x * x + y * y + z * z
    if (!(square < this.bestSquare)) return
    this.bestSquare = square
    this.bestSet = set
    this.bestX = x
    this.bestY = y
    this.bestZ = z
  }

  /** Drops the differences that do not hold the nearest point. */
  private keep(): void {
    const { points, indexA, indexB } = this
    let kept = 0
    for (let k = 0; k < this.count; k++) {
      if ((this.bestSet & (1 << k)) === 0) continue
      indexA[kept] = indexA[k]!
      indexB[kept] = indexB[k]!
      for (let c = 0; c < 3; c++) points[3 * kept + c] = points[3 * k + c]!
      kept++
    }
    this.count = kept
    this.x = this.bestX
    this.y = this.bestY
    this.z = this.bestZ
  }
}
