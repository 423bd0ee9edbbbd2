/**
 * The point of a simplex of up to four points nearest to the origin, and the points that span it: the inner step of GJK descent [Gilbert, Johnson, Keerthi
 * 1988]. The points are differences of points of two solids. The result need not be exact.
 */

export class NearestSimplex {
  /** Number of differences that span the nearest point. */
  count = 0
  /** 3 numbers per difference, m. */
  readonly points = new Float64Array(12)
  /** The current nearest point, m: from B to A. */
  x = 0
  y = 0
  z = 0
  /** Squared distance of the nearest point of the current simplex, m². */
  bestSquare = Infinity
  /** The set of differences that span it, as bits. */
  private bestSet = 0
  private bestX = 0
  private bestY = 0
  private bestZ = 0

  /** The point of the simplex nearest to the origin, and the differences that span it; `false` if the simplex contains the origin. */
  nearest(): boolean {
    this.bestSquare = Infinity
    if (this.count === 2) {
      this.segment(0, 1)
      return true
    }
    if (this.count === 3) {
      this.triangle(0, 1, 2)
      return true
    }
    // The origin lies on the new point's side of the previous triangle.
    if (this.isBeyond(0, 1, 3, 2)) this.triangle(0, 1, 3)
    if (this.isBeyond(1, 2, 3, 0)) this.triangle(1, 2, 3)
    if (this.isBeyond(2, 0, 3, 1)) this.triangle(2, 0, 3)
    return this.bestSquare < Infinity
  }

  /** Whether the plane of three points separates the origin from a fourth point. */
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
    // Whether the origin lies within the sides in projection along the normal.
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

  /** Stores the nearest point and drops the differences that do not span it. `moved` reports changed positions. */
  keep(moved: (to: number, from: number) => void): void {
    const { points } = this
    let kept = 0
    for (let k = 0; k < this.count; k++) {
      if ((this.bestSet & (1 << k)) === 0) continue
      moved(kept, k)
      for (let c = 0; c < 3; c++) points[3 * kept + c] = points[3 * k + c]!
      kept++
    }
    this.count = kept
    this.x = this.bestX
    this.y = this.bestY
    this.z = this.bestZ
  }
}
