/** The loop over all edge pairs of two polyhedra, on flat arrays: the costly part of a search afresh. */

import type { Polyhedron } from '../geometry/polyhedron'
import { transform } from '../math/matrix'
import { PARALLEL_SIN2 } from '../math/tolerances'
import type { Vec3 } from '../math/vector'
import { pointToA, type RelativePose } from './relative'

/** Everything about B that the loop over edge pairs needs in A's frame, packed 3 numbers a vector. */
export class EdgePairSearch {
  private readonly directionsB: Float64Array
  private readonly normalsB: Float64Array
  private readonly verticesB: Float64Array
  private readonly normalsA: Float64Array

  constructor(private readonly a: Polyhedron, private readonly b: Polyhedron) {
    this.directionsB = new Float64Array(3 * b.edges.length)
    this.normalsB = new Float64Array(3 * b.faces.length)
    this.verticesB = new Float64Array(3 * b.vertices.length)
    this.normalsA = Float64Array.from(a.faces.flatMap(face => [...face.normal]))
  }

  /** Calls `found` for every edge pair that spans a facet with s at least `floor()`. */
  search(relative: RelativePose, floor: () => number, found: (i: number, j: number) => void): void {
    const { a, b, directionsB, normalsB, verticesB, normalsA } = this
    b.edges.forEach((edge, j) => put(directionsB, j, transform(relative.rotation, edge.direction)))
    b.faces.forEach((face, f) => put(normalsB, f, transform(relative.rotation, face.normal)))
    b.vertices.forEach((vertex, v) => put(verticesB, v, pointToA(relative, vertex)))
    for (let i = 0; i < a.edges.length; i++) {
      const edgeA = a.edges[i]!
      const [ex, ey, ez] = edgeA.direction
      const [ox, oy, oz] = a.vertices[edgeA.from]!
      const l = 3 * edgeA.left
      const r = 3 * edgeA.right
      for (let j = 0; j < b.edges.length; j++) {
        const dx = directionsB[3 * j]!
        const dy = directionsB[3 * j + 1]!
        const dz = directionsB[3 * j + 2]!
        const p = normalsA[l]! * dx + normalsA[l + 1]! * dy + normalsA[l + 2]! * dz
        const q = normalsA[r]! * dx + normalsA[r + 1]! * dy + normalsA[r + 2]! * dz
        if (!(p * q < 0)) {
          continue
        }
        const edgeB = b.edges[j]!
        const lb = 3 * edgeB.left
        const rb = 3 * edgeB.right
        const c = normalsB[lb]! * ex + normalsB[lb + 1]! * ey + normalsB[lb + 2]! * ez
        const d = normalsB[rb]! * ex + normalsB[rb + 1]! * ey + normalsB[rb + 2]! * ez
        if (!(c * d < 0 && c * q < 0)) {
          continue
        }
        const mx = ey * dz - ez * dy
        const my = ez * dx - ex * dz
        const mz = ex * dy - ey * dx
        const square = mx * mx + my * my + mz * mz
        if (square <= PARALLEL_SIN2) {
          continue
        }
        const outwards = mx * (normalsB[lb]! + normalsB[rb]!) + my * (normalsB[lb + 1]! + normalsB[rb + 1]!)
          + mz * (normalsB[lb + 2]! + normalsB[rb + 2]!)
        const v = 3 * edgeB.from
        const s = (mx * (ox - verticesB[v]!) + my * (oy - verticesB[v + 1]!) + mz * (oz - verticesB[v + 2]!)) / Math.sqrt(square)
        if ((outwards < 0 ? -s : s) > floor()) {
          found(i, j)
        }
      }
    }
  }
}

function put(target: Float64Array, index: number, v: Vec3): void {
  target[3 * index] = v[0]
  target[3 * index + 1] = v[1]
  target[3 * index + 2] = v[2]
}
