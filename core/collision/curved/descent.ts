/**
 * Approximate nearest points of the cores of two convex solids: descent of Gilbert, Johnson and Keerthi over their difference, with support functions only.
 * On solids with corners it ends after a few steps. On curved ones it converges linearly, and a few steps suffice to identify the nearest features.
 */

import { NearestSimplex } from '../nearest-simplex'
import type { Difference } from './difference'

/** Step limit; longer descents only repeat rounding errors. */
const STEPS = 80
/** Least decrease per step, × the squared distance: rounding. */
export const FINE = 1e-15

export class Descent extends NearestSimplex {
  /** Vertices of polyhedra that span the nearest point, −1 for other solids; and the points on both solids, 3 numbers each, m. */
  readonly indexA = new Int32Array(4)
  readonly indexB = new Int32Array(4)
  readonly pointsA = new Float64Array(12)
  readonly pointsB = new Float64Array(12)
  steps = 0
  /** m: lower bound of the cores' distance along (nx, ny, nz), and the distance of their points. */
  least = -Infinity
  upper = Infinity
  nx = 0
  ny = 0
  nz = 0
  private readonly moved = (to: number, from: number): void => {
    const { indexA, indexB, pointsA, pointsB } = this
    indexA[to] = indexA[from]!
    indexB[to] = indexB[from]!
    for (let c = 0; c < 3; c++) {
      pointsA[3 * to + c] = pointsA[3 * from + c]!
      pointsB[3 * to + c] = pointsB[3 * from + c]!
    }
  }

  constructor(private readonly difference: Difference) {
    super()
  }

  /** Starts at the points farthest in the direction opposite to one out of B towards A. */
  begin(nx: number, ny: number, nz: number): void {
    this.count = 0
    this.steps = 0
    this.least = -Infinity
    const { difference } = this
    difference.separated(nx, ny, nz)
    this.add()
    this.x = this.points[0]!
    this.y = this.points[1]!
    this.z = this.points[2]!
  }

  /**
   * Continues the descent.
   * @param gain largest difference of the plane at the nearest point, × its distance
   * @returns whether the cores are separated by more than rounding
   */
  descend(gain: number): boolean {
    const { difference, points } = this
    const tiny = 1e-14 * difference.scale
    for (; this.steps < STEPS; this.steps++) {
      const { x, y, z, count } = this
      const distance = Math.sqrt(x * x + y * y + z * z)
      this.upper = distance
      if (!(distance > tiny)) return false
      const apart = difference.separated(x / distance, y / distance, z / distance)
      if (apart > this.least) {
        this.least = apart
        this.nx = x / distance
        this.ny = y / distance
        this.nz = z / distance
      }
      if (distance - this.least <= gain * distance || count === 4 || this.has()) return true
      this.add()
      const square = x * x + y * y + z * z
      const ahead = x * points[3 * count]! + y * points[3 * count + 1]! + z * points[3 * count + 2]!
      const gains = square - ahead > FINE * square
      if (gains && !this.nearest()) return false
      if (!gains || !(this.bestSquare < square)) {
        this.count = count
        return true
      }
      this.keep(this.moved)
    }
    return true
  }

  /** Whether the last support points already belong to the simplex. */
  private has(): boolean {
    const { difference: { ax, ay, az, bx, by, bz }, pointsA: p, pointsB: q } = this
    for (let k = 0; k < 3 * this.count; k += 3) {
      if (p[k] === ax && p[k + 1] === ay && p[k + 2] === az && q[k] === bx && q[k + 1] === by && q[k + 2] === bz) return true
    }
    return false
  }

  private add(): void {
    const { difference: { a, b, ax, ay, az, bx, by, bz }, points, pointsA, pointsB } = this
    const k = this.count++
    this.indexA[k] = a.solid === null ? -1 : a.start
    this.indexB[k] = b.solid === null ? -1 : b.start
    pointsA[3 * k] = ax
    pointsA[3 * k + 1] = ay
    pointsA[3 * k + 2] = az
    pointsB[3 * k] = bx
    pointsB[3 * k + 1] = by
    pointsB[3 * k + 2] = bz
    points[3 * k] = ax - bx
    points[3 * k + 1] = ay - by
    points[3 * k + 2] = az - bz
  }
}
