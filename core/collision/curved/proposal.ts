/** Tests whether two features of convex solids contain their nearest points: computes their direction and proves it by two points. */

import type { Difference } from './difference'
import { FeaturePairDirection } from './feature-pair-direction'
import { PLANE, type FlatConvex } from './flat-convex'

/** Largest excess of the points' distance over the plane's, × scale: rounding. */
const PROOF = 1e-14
/** Overlap, × scale, that rounding alone can cause. */
const TOUCHING = 1e-13
/** Overlap, × the firmness of a direction, up to which the direction is accepted as best as for touching solids. */
const SHALLOW = 1e-4

export class Proposal {
  /** The last tried features; −1 for the partner of a plane. */
  featureA = -1
  featureB = -1
  /** m, of the cores: by the support functions along n̂. */
  separation = 0
  nx = 0
  ny = 0
  nz = 0
  /** The points of the cores that face each other, m. */
  px = 0
  py = 0
  pz = 0
  qx = 0
  qy = 0
  qz = 0
  /** Newton steps, and whether the first features were accepted. */
  steps = 0
  isFirst = false
  private readonly pair: FeaturePairDirection

  constructor(private readonly difference: Difference) {
    this.pair = new FeaturePairDirection(difference)
  }

  /** Sets the start for features with several directions or without a closed form. */
  begin(nx: number, ny: number, nz: number, px: number, py: number, pz: number, qx: number, qy: number, qz: number): void {
    const { pair } = this
    pair.nx = nx
    pair.ny = ny
    pair.nz = nz
    pair.px = px
    pair.py = py
    pair.pz = pz
    pair.qx = qx
    pair.qy = qy
    pair.qz = qz
  }

  /**
   * Whether features of A and B contain the nearest points; a plane needs no partner.
   * @param upper m: upper bound of the distance, from known points of the cores
   */
  holds(i: number, j: number, upper: number): boolean {
    const { difference: { a, b, scale } } = this
    const isPlaneA = i >= 0 && a.types[i] === PLANE
    const isPlaneB = j >= 0 && b.types[j] === PLANE
    if (isPlaneA) return this.planeOfA(i, upper) || (isPlaneB && this.planeOfB(j, upper))
    if (isPlaneB) return this.planeOfB(j, upper)
    if (!this.direction(i, j)) return false
    const { separation, pair } = this
    const { distance } = pair
    if (separation > 0) return distance - separation <= PROOF * scale
    if (separation >= -TOUCHING * scale && distance <= 2 * TOUCHING * scale) return true
    return -separation <= SHALLOW * pair.firmness && Math.abs(distance + separation) <= TOUCHING * scale
  }

  /** The direction of two non-planar features and its separation. @returns whether there is one */
  direction(i: number, j: number): boolean {
    const { pair, difference } = this
    const before = pair.steps
    const isFound = pair.find(i, j)
    this.steps += pair.steps - before
    if (!isFound) return false
    this.featureA = i
    this.featureB = j
    this.nx = pair.nx
    this.ny = pair.ny
    this.nz = pair.nz
    this.px = pair.px
    this.py = pair.py
    this.pz = pair.pz
    this.qx = pair.qx
    this.qy = pair.qy
    this.qz = pair.qz
    this.separation = difference.separated(pair.nx, pair.ny, pair.nz)
    return true
  }

  /** Distance of the points of the last tried features, m. */
  facing(): number {
    return this.pair.distance
  }

  /** For a plane of A. @returns distance inside its outline of the nearest point of B, m */
  alongPlaneOfA(i: number): number {
    const { difference } = this
    const { a: { axes } } = difference
    const nx = this.nx = -axes[3 * i]!
    const ny = this.ny = -axes[3 * i + 1]!
    const nz = this.nz = -axes[3 * i + 2]!
    const s = this.separation = difference.separated(nx, ny, nz)
    const { bx, by, bz } = difference
    this.featureA = i
    this.featureB = -1
    this.qx = bx
    this.qy = by
    this.qz = bz
    this.px = bx + s * nx
    this.py = by + s * ny
    this.pz = bz + s * nz
    return insidePlane(difference.a, i, bx, by, bz)
  }

  /** The same for a plane of B and the nearest point of A. */
  alongPlaneOfB(j: number): number {
    const { difference } = this
    const { b: { axes }, position: p } = difference
    difference.turn(axes[3 * j]!, axes[3 * j + 1]!, axes[3 * j + 2]!)
    const nx = this.nx = difference.x
    const ny = this.ny = difference.y
    const nz = this.nz = difference.z
    const s = this.separation = difference.separated(nx, ny, nz)
    const { ax, ay, az } = difference
    this.featureA = -1
    this.featureB = j
    this.px = ax
    this.py = ay
    this.pz = az
    this.qx = ax - s * nx
    this.qy = ay - s * ny
    this.qz = az - s * nz
    difference.turnBack(ax - p[0]!, ay - p[1]!, az - p[2]!)
    return insidePlane(difference.b, j, difference.x, difference.y, difference.z)
  }

  private planeOfA(i: number, upper: number): boolean {
    return this.isOver(this.alongPlaneOfA(i), upper)
  }

  private planeOfB(j: number, upper: number): boolean {
    return this.isOver(this.alongPlaneOfB(j), upper)
  }

  private isOver(inside: number, upper: number): boolean {
    const { separation, difference: { scale } } = this
    const beside = inside < 0 ? -inside : 0
    if (separation > 0) return Math.min(upper, Math.sqrt(separation * separation + beside * beside)) - separation <= PROOF * scale
    if (separation >= -TOUCHING * scale && beside <= TOUCHING * scale) return true
    return -separation <= SHALLOW * inside
  }
}

/** Distance inside the outline of a plane feature of a point over it, m. */
function insidePlane(solid: FlatConvex, i: number, x: number, y: number, z: number): number {
  if (solid.solid !== null) return solid.solid.insideFace(i - solid.firstPlane, x, y, z)
  const { points, radii } = solid
  // Discs lie around the z axis.
  const dx = x - points[3 * i]!
  const dy = y - points[3 * i + 1]!
  return radii[i]! - Math.sqrt(dx * dx + dy * dy)
}
