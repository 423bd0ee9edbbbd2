/** Mass properties of a polyhedron by the divergence theorem: signed tetrahedra from one inner point to every triangle of its faces. */

import { addMatrices, outer, scaleMatrix, type Mat3 } from '../math/matrix'
import { add, scale, type Vec3 } from '../math/vector'
import { inertiaOfMoments } from './mass-properties'
import type { MassProperties } from './shape'

/** Corners of a tetrahedron and their sum, reused for each. */
const [A, B, C, SUM] = [new Float64Array(3), new Float64Array(3), new Float64Array(3), new Float64Array(3)]

/**
 * Exact up to rounding for any closed polyhedron, convex or not, at any offset: the sums are taken about the mean of the
 * vertices instead of the origin.
 */
export function polyhedronMass(vertices: readonly Vec3[], loops: readonly (readonly number[])[]): MassProperties {
  const reference = scale(vertices.reduce(add), 1 / vertices.length)
  let six = 0
  const first: [number, number, number] = [0, 0, 0]
  const second: [...Mat3] = [0, 0, 0, 0, 0, 0, 0, 0, 0]
  for (const loop of loops) {
    into(A, vertices[loop[0]!]!, reference)
    for (let k = 1; k + 1 < loop.length; k++) {
      into(B, vertices[loop[k]!]!, reference)
      into(C, vertices[loop[k + 1]!]!, reference)
      const d = A[0]! * (B[1]! * C[2]! - B[2]! * C[1]!) + A[1]! * (B[2]! * C[0]! - B[0]! * C[2]!) + A[2]! * (B[0]! * C[1]! - B[1]! * C[0]!)
      for (let i = 0; i < 3; i++) SUM[i] = A[i]! + (B[i]! + C[i]!)
      six += d
      // ∫ x xᵀ over the tetrahedron (0, a, b, c) = d/120 (a aᵀ + b bᵀ + c cᵀ + s sᵀ), s = a + b + c.
      for (let i = 0; i < 3; i++) {
        first[i]! += SUM[i]! * d
        for (let j = 0; j < 3; j++) second[3 * i + j]! += (A[i]! * A[j]! + B[i]! * B[j]! + (C[i]! * C[j]! + SUM[i]! * SUM[j]!)) * d
      }
    }
  }
  const volume = six / 6
  const shift = scale(first, 1 / (4 * six))
  const moments = addMatrices(scaleMatrix(second, 1 / 120), scaleMatrix(outer(shift, shift), -volume))
  return { volume, centroid: add(reference, shift), inertia: inertiaOfMoments(moments) }
}

function into(out: Float64Array, p: Vec3, reference: Vec3): void {
  for (let i = 0; i < 3; i++) out[i] = p[i]! - reference[i]!
}
