/**
 * Loop over all edge pairs of two polyhedra, on flat arrays: the expensive part of a full search.
 *
 * Along the arc of normals of an edge, from one of its faces to the other, s is at most n̂·(a − b) for any a of A and b of B. With a on the edge and b
 * nearest to the plane of one of the faces, this bound is known at both ends of the arc. If it is negative at both, its maximum is at one of them. Edges
 * whose bound is below the best separation found are skipped; for small overlap these are most edges.
 */

import { PARALLEL_SIN2 } from '../math/tolerances'
import type { SolidInA } from './solid-in-a'

export class EdgePairs {
  private edgesA: Int32Array = new Int32Array(0)
  private edgesB: Int32Array = new Int32Array(0)

  /**
   * Calls `found` for every edge pair that spans a facet with s above the last returned value, initially `best`.
   * @param supportsB for every face of A the vertex of B nearest to its plane; @param supportsA for every face of B that of A
   */
  search(a: SolidInA, b: SolidInA, best: number, supportsB: Int32Array, supportsA: Int32Array, found: (i: number, j: number) => number): void {
    const edgesA = this.edgesA = ensureLength(this.edgesA, a.flat.edgeCount)
    const edgesB = this.edgesB = ensureLength(this.edgesB, b.flat.edgeCount)
    const { directions, normals, vertices, flat: { left, right, from } } = a
    const countA = promising(a, b, supportsB, best, edgesA)
    const countB = promising(b, a, supportsA, best, edgesB)
    for (let k = 0; k < countA; k++) {
      const i = edgesA[k]!
      const ex = directions[3 * i]!
      const ey = directions[3 * i + 1]!
      const ez = directions[3 * i + 2]!
      const l = 3 * left[i]!
      const lx = normals[l]!
      const ly = normals[l + 1]!
      const lz = normals[l + 2]!
      const r = 3 * right[i]!
      const rx = normals[r]!
      const ry = normals[r + 1]!
      const rz = normals[r + 2]!
      const o = 3 * from[i]!
      for (let n = 0; n < countB; n++) {
        const j = edgesB[n]!
        const dx = b.directions[3 * j]!
        const dy = b.directions[3 * j + 1]!
        const dz = b.directions[3 * j + 2]!
        const q = rx * dx + ry * dy + rz * dz
        if (!((lx * dx + ly * dy + lz * dz) * q < 0)) continue
        const lb = 3 * b.flat.left[j]!
        const rb = 3 * b.flat.right[j]!
        const nx = b.normals[lb]!
        const ny = b.normals[lb + 1]!
        const nz = b.normals[lb + 2]!
        const c = nx * ex + ny * ey + nz * ez
        if (!(c * q < 0)) continue
        const d = b.normals[rb]! * ex + b.normals[rb + 1]! * ey + b.normals[rb + 2]! * ez
        if (!(c * d < 0)) continue
        const mx = ey * dz - ez * dy
        const my = ez * dx - ex * dz
        const mz = ex * dy - ey * dx
        const square = mx * mx + my * my + mz * mz
        if (square <= PARALLEL_SIN2) continue
        const outwards = mx * (nx + b.normals[rb]!) + my * (ny + b.normals[rb + 1]!) + mz * (nz + b.normals[rb + 2]!)
        const v = 3 * b.flat.from[j]!
        const s = (mx * (vertices[o]! - b.vertices[v]!) + my * (vertices[o + 1]! - b.vertices[v + 1]!) + mz * (vertices[o + 2]! - b.vertices[v + 2]!))
          / Math.sqrt(square)
        if ((outwards < 0 ? -s : s) > best) best = found(i, j)
      }
    }
  }
}

export function ensureLength(array: Int32Array, length: number): Int32Array {
  return array.length >= length ? array : new Int32Array(length)
}

/**
 * Writes to `out` the edges for which s may exceed `best` on the arc of normals; returns their number. `supports`: for each face the vertex of the other
 * solid nearest to its plane.
 */
function promising(own: SolidInA, other: SolidInA, supports: Int32Array, best: number, out: Int32Array): number {
  const { vertices, normals, flat: { edgeCount, left, right, from } } = own
  let count = 0
  for (let e = 0; e < edgeCount; e++) {
    if (!(best < 0) || (
      // s along the normal of a face with the other solid's point nearest to the plane of the neighbouring face
      over(normals, left[e]!, other.vertices, supports[right[e]!]!, vertices, from[e]!) > best
      && over(normals, right[e]!, other.vertices, supports[left[e]!]!, vertices, from[e]!) > best)) out[count++] = e
  }
  return count
}

/** Height of point p over point q along a normal. */
function over(normals: Float64Array, f: number, points: Float64Array, p: number, origins: Float64Array, q: number): number {
  return normals[3 * f]! * (points[3 * p]! - origins[3 * q]!) + normals[3 * f + 1]! * (points[3 * p + 1]! - origins[3 * q + 1]!)
    + normals[3 * f + 2]! * (points[3 * p + 2]! - origins[3 * q + 2]!)
}
