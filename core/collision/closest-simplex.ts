/**
 * The few vertices of two convex polyhedra that span their shortest distance, by the GJK algorithm [Gilbert, Johnson, Keerthi 1988] on plain numbers.
 *
 * A simplex of differences a − b of vertices contains the current point nearest to the origin. Each step adds the support point opposite to that point and
 * drops unneeded vertices. On polyhedra it ends after a few steps with the vertices of the nearest features. It need not be exact, because the result is
 * verified elsewhere.
 */

import { NearestSimplex } from './nearest-simplex'
import type { SeparatingAxes } from './separating-axis'

/** Step limit; longer descents only repeat rounding errors. */
const STEPS = 64
/** Least relative decrease of the squared distance per step. */
const GAIN = 1e-15

export class ClosestSimplex extends NearestSimplex {
  /** Vertices of the differences that span the nearest point. */
  readonly indexA = new Int32Array(4)
  readonly indexB = new Int32Array(4)
  steps = 0
  /** Vertices farthest in the direction opposite to the nearest point. */
  private supportA = 0
  private supportB = 0
  private readonly moved = (to: number, from: number): void => {
    this.indexA[to] = this.indexA[from]!
    this.indexB[to] = this.indexB[from]!
  }

  constructor(private readonly axes: SeparatingAxes) {
    super()
  }

  /** Starts from two vertices. @returns whether the nearest point was found; `false` if the differences contain the origin, within rounding */
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
      this.keep(this.moved)
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
}
