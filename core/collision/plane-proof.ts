/**
 * Proves a separating plane optimal: if two points, one of each solid, are no farther apart than its separation, no other plane separates better.
 *
 * Usually the features that span the plane contain such points. If an edge or a face of the other solid is parallel to the face, the points are searched in
 * the overlap of the two outlines.
 */

import { PARALLEL_SIN2 } from '../math/tolerances'
import type { FlatSolid } from './flat-solid'
import type { EvaluatedPlane, SeparatingAxes } from './separating-axis'

/** Rounding of a separation, × size. */
const ROUNDING = 8 * Number.EPSILON

export class PlaneProof {
  /** Vertices at the height of the lowest one over the face. */
  private readonly level: number[] = []

  constructor(private readonly axes: SeparatingAxes) {}

  /** For a plane that has just been evaluated. */
  holds(plane: EvaluatedPlane): boolean {
    const { separation, distance, kind } = plane
    const rounding = ROUNDING * this.axes.size
    if (separation < -rounding) return false
    const nearest = separation + rounding
    return distance <= nearest || (kind === 'faceA' && this.overFaceOfA(plane, nearest)) || (kind === 'faceB' && this.overFaceOfB(plane, nearest))
  }

  private overFaceOfA({ indexA: f, supportB, x, y, z }: EvaluatedPlane, nearest: number): boolean {
    const { axes: { flatA, flatB, rotation: r, position: p }, level } = this
    const height = -x * p[0]! - y * p[1]! - z * p[2]! - flatA.offsets[f]!
    const ux = -(r[0]! * x + r[3]! * y + r[6]! * z)
    const uy = -(r[1]! * x + r[4]! * y + r[7]! * z)
    const uz = -(r[2]! * x + r[5]! * y + r[8]! * z)
    this.findLevel(flatB, supportB, ux, uy, uz, nearest - height)
    if (level.length < 2) return false
    for (const v of level) if (this.isOverA(f, v)) return true
    // The sides of a polygon are not edges.
    if (level.length === 2 && flatB.edgeCount > 0) return this.crossesFace(flatA, f, flatB.edgeBetween(level[0]!, level[1]!), false, nearest)
    const g = facing(flatB, supportB, ux, uy, uz)
    const end = flatA.loopStart[f + 1]!
    for (let k = flatA.loopStart[f]!; k < end; k++) if (this.isNearOverB(flatA.loop[k]!, g, nearest)) return true
    return this.outlinesCross(f, g, nearest)
  }

  private overFaceOfB({ indexB: g, supportA, x, y, z }: EvaluatedPlane, nearest: number): boolean {
    const { axes: { flatA, flatB, position: p }, level } = this
    this.findLevel(flatA, supportA, x, y, z, nearest + x * p[0]! + y * p[1]! + z * p[2]! + flatB.offsets[g]!)
    if (level.length < 2) return false
    for (const v of level) if (this.isNearOverB(v, g, nearest)) return true
    if (level.length === 2 && flatA.edgeCount > 0) return this.crossesFace(flatB, g, flatA.edgeBetween(level[0]!, level[1]!), true, nearest)
    const f = facing(flatA, supportA, x, y, z)
    const end = flatB.loopStart[g + 1]!
    for (let k = flatB.loopStart[g]!; k < end; k++) if (this.isNearOverA(f, flatB.loop[k]!, nearest)) return true
    return this.outlinesCross(f, g, nearest)
  }

  /** Vertices up to the height `limit` along a direction, searched from a lowest one over neighbours. */
  private findLevel({ solid, vertices }: FlatSolid, lowest: number, x: number, y: number, z: number, limit: number): void {
    const { level } = this
    level.length = 0
    level.push(lowest)
    for (let k = 0; k < level.length; k++) {
      for (const w of solid.vertexNeighbors[level[k]!]!) {
        if (vertices[3 * w]! * x + vertices[3 * w + 1]! * y + vertices[3 * w + 2]! * z <= limit && !level.includes(w)) level.push(w)
      }
    }
  }

  /** Height of a vertex of B over the interior of a face of A, m; Infinity if it is not above it. */
  private heightOverA(f: number, v: number): number {
    const { flatA, flatB: { vertices }, rotation: r, position: p } = this.axes
    const bx = vertices[3 * v]!
    const by = vertices[3 * v + 1]!
    const bz = vertices[3 * v + 2]!
    const x = p[0]! + (r[0]! * bx + r[1]! * by + r[2]! * bz)
    const y = p[1]! + (r[3]! * bx + r[4]! * by + r[5]! * bz)
    const z = p[2]! + (r[6]! * bx + r[7]! * by + r[8]! * bz)
    if (flatA.insideFace(f, x, y, z) < 0) return Infinity
    return flatA.normals[3 * f]! * x + flatA.normals[3 * f + 1]! * y + flatA.normals[3 * f + 2]! * z - flatA.offsets[f]!
  }

  private isOverA(f: number, v: number): boolean {
    return this.heightOverA(f, v) < Infinity
  }

  private isNearOverA(f: number, v: number, nearest: number): boolean {
    return Math.abs(this.heightOverA(f, v)) <= nearest
  }

  private isNearOverB(v: number, g: number, nearest: number): boolean {
    const { flatA: { vertices }, flatB, rotation: r, position: p } = this.axes
    const dx = vertices[3 * v]! - p[0]!
    const dy = vertices[3 * v + 1]! - p[1]!
    const dz = vertices[3 * v + 2]! - p[2]!
    const x = r[0]! * dx + r[3]! * dy + r[6]! * dz
    const y = r[1]! * dx + r[4]! * dy + r[7]! * dz
    const z = r[2]! * dx + r[5]! * dy + r[8]! * dz
    if (flatB.insideFace(g, x, y, z) < 0) return false
    const height = flatB.normals[3 * g]! * x + flatB.normals[3 * g + 1]! * y + flatB.normals[3 * g + 2]! * z - flatB.offsets[g]!
    return Math.abs(height) <= nearest
  }

  private crossesFace({ loopStart, loopEdges, edgeCount }: FlatSolid, f: number, edge: number, isEdgeOfA: boolean, nearest: number): boolean {
    if (edge < 0 || edgeCount === 0) return false
    const end = loopStart[f + 1]!
    for (let k = loopStart[f]!; k < end; k++) {
      if (isEdgeOfA ? this.cross(edge, loopEdges[k]!, nearest) : this.cross(loopEdges[k]!, edge, nearest)) return true
    }
    return false
  }

  private outlinesCross(f: number, g: number, nearest: number): boolean {
    const { flatA, flatB: { loopStart, loopEdges, edgeCount } } = this.axes
    if (edgeCount === 0) return false
    const end = loopStart[g + 1]!
    for (let k = loopStart[g]!; k < end; k++) if (this.crossesFace(flatA, f, loopEdges[k]!, false, nearest)) return true
    return false
  }

  /** Whether two edges cross between their ends at a distance of at most `nearest`. */
  private cross(i: number, j: number, nearest: number): boolean {
    const { flatA, flatB, rotation: r, position: p } = this.axes
    const ex = flatA.directions[3 * i]!
    const ey = flatA.directions[3 * i + 1]!
    const ez = flatA.directions[3 * i + 2]!
    const tx = flatB.directions[3 * j]!
    const ty = flatB.directions[3 * j + 1]!
    const tz = flatB.directions[3 * j + 2]!
    const dx = r[0]! * tx + r[1]! * ty + r[2]! * tz
    const dy = r[3]! * tx + r[4]! * ty + r[5]! * tz
    const dz = r[6]! * tx + r[7]! * ty + r[8]! * tz
    const mx = ey * dz - ez * dy
    const my = ez * dx - ex * dz
    const mz = ex * dy - ey * dx
    const square = mx * mx + my * my + mz * mz
    if (square <= PARALLEL_SIN2) return false
    const a = 3 * flatA.from[i]!
    const b = 3 * flatB.from[j]!
    const ox = flatB.vertices[b]!
    const oy = flatB.vertices[b + 1]!
    const oz = flatB.vertices[b + 2]!
    const bx = flatA.vertices[a]! - (p[0]! + (r[0]! * ox + r[1]! * oy + r[2]! * oz))
    const by = flatA.vertices[a + 1]! - (p[1]! + (r[3]! * ox + r[4]! * oy + r[5]! * oz))
    const bz = flatA.vertices[a + 2]! - (p[2]! + (r[6]! * ox + r[7]! * oy + r[8]! * oz))
    const s = -((by * dz - bz * dy) * mx + (bz * dx - bx * dz) * my + (bx * dy - by * dx) * mz) / square
    if (!(s >= 0 && s <= flatA.lengths[i]!)) return false
    const t = -((by * ez - bz * ey) * mx + (bz * ex - bx * ez) * my + (bx * ey - by * ex) * mz) / square
    return t >= 0 && t <= flatB.lengths[j]! && Math.abs(mx * bx + my * by + mz * bz) <= nearest * Math.sqrt(square)
  }
}

/** The face at a vertex that is best aligned with the direction opposite to a given one. */
function facing({ solid, normals }: FlatSolid, v: number, x: number, y: number, z: number): number {
  let best = 0
  let least = Infinity
  for (const f of solid.vertexFaces[v]!) {
    const cosine = normals[3 * f]! * x + normals[3 * f + 1]! * y + normals[3 * f + 2]! * z
    if (cosine < least) {
      least = cosine
      best = f
    }
  }
  return best
}
