/** Finds where a triangulated surface crosses itself. */

import { BoxTree } from '../../math/box-tree'
import type { Vec3 } from '../../math/vector'

/**
 * Bound of the rounding error of a triple product of differences of doubles, × the sum of the magnitudes of its terms [Shewchuk 1997, orient3d]. A sign
 * within the bound counts as touching, not as crossing.
 */
const ROUNDING = 8 * 2.220446049250313e-16

/** An edge that passes through the inside of a triangle. */
export interface Crossing {
  readonly triangle: number
  /** Another triangle, which has the edge. */
  readonly other: number
  readonly edge: readonly [number, number]
}

/**
 * Crossings of triangles that have no vertex in common, at most `most` of them, in the order of their triangles.
 *
 * @param same for each vertex the number of the first vertex in the same place; sewn vertices count as one
 */
export function crossingsOf(vertices: readonly Vec3[], triangles: readonly (readonly number[])[], same: Int32Array, most: number): Crossing[] {
  const x = Float64Array.from(vertices.flat())
  const corners = Int32Array.from(triangles.flat())
  const middles = new Float64Array(corners.length)
  for (let k = 0; k < corners.length; k++) for (let c = 0; c < 3; c++) middles[3 * Math.floor(k / 3) + c]! += x[3 * corners[k]! + c]! / 3
  const tree = new BoxTree(triangles.length, middles)
  for (let t = 0; t < triangles.length; t++) {
    for (let c = 0; c < 3; c++) {
      const [a, b, d] = [x[3 * corners[3 * t]! + c]!, x[3 * corners[3 * t + 1]! + c]!, x[3 * corners[3 * t + 2]! + c]!]
      tree.boxes[6 * t + c] = Math.min(a, b, d)
      tree.boxes[6 * t + 3 + c] = Math.max(a, b, d)
    }
  }
  tree.refit()
  const found: Crossing[] = []
  tree.pairs(tree, (t, u) => {
    if (t >= u || meet(corners, same, t, u)) return
    for (const [triangle, other] of [[t, u], [u, t]] as const) {
      for (let k = 0; k < 3; k++) {
        const [p, q] = [corners[3 * other + k]!, corners[3 * other + (k + 1) % 3]!]
        if (!pierces(x, p, q, corners[3 * triangle]!, corners[3 * triangle + 1]!, corners[3 * triangle + 2]!)) continue
        found.push({ triangle, other, edge: [p, q] })
        return
      }
    }
  })
  return found.sort((a, b) => a.triangle - b.triangle || a.other - b.other).slice(0, most)
}

/** Whether two triangles have a vertex in common. */
function meet(corners: Int32Array, same: Int32Array, t: number, u: number): boolean {
  for (let i = 3 * t; i < 3 * t + 3; i++) for (let j = 3 * u; j < 3 * u + 3; j++) if (same[corners[i]!] === same[corners[j]!]) return true
  return false
}

/** Whether the segment pq passes through the inside of the triangle abc, for certain. */
function pierces(x: Float64Array, p: number, q: number, a: number, b: number, c: number): boolean {
  const [above, below] = [side(x, a, b, c, p), side(x, a, b, c, q)]
  if (above * below >= 0) return false
  const first = side(x, p, q, a, b)
  return first !== 0 && side(x, p, q, b, c) === first && side(x, p, q, c, a) === first
}

/** Sign of the volume of the tetrahedron abcd; 0 if rounding may decide it. */
function side(x: Float64Array, a: number, b: number, c: number, d: number): number {
  const [ux, uy, uz] = [x[3 * b]! - x[3 * a]!, x[3 * b + 1]! - x[3 * a + 1]!, x[3 * b + 2]! - x[3 * a + 2]!]
  const [vx, vy, vz] = [x[3 * c]! - x[3 * a]!, x[3 * c + 1]! - x[3 * a + 1]!, x[3 * c + 2]! - x[3 * a + 2]!]
  const [wx, wy, wz] = [x[3 * d]! - x[3 * a]!, x[3 * d + 1]! - x[3 * a + 1]!, x[3 * d + 2]! - x[3 * a + 2]!]
  const [yz, zy, zx, xz, xy, yx] = [vy * wz, vz * wy, vz * wx, vx * wz, vx * wy, vy * wx]
  const volume = ux * (yz - zy) + uy * (zx - xz) + uz * (xy - yx)
  const size = Math.abs(ux) * (Math.abs(yz) + Math.abs(zy)) + Math.abs(uy) * (Math.abs(zx) + Math.abs(xz)) + Math.abs(uz) * (Math.abs(xy) + Math.abs(yx))
  return Math.abs(volume) <= ROUNDING * size ? 0 : Math.sign(volume)
}
