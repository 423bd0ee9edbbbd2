/** Mass properties of a polyhedron by the divergence theorem: signed tetrahedra from one inner point to every triangle of its faces. */

import { addMatrices, outer, scaleMatrix, type Mat3 } from '../math/matrix'
import { add, cross, dot, scale, sub, type Vec3 } from '../math/vector'
import { inertiaOfMoments } from './mass-properties'
import type { MassProperties } from './shape'

/** Exact up to rounding for any closed polyhedron, convex or not, at any offset: sums run about the mean of the vertices, not about the origin. */
export function polyhedronMass(vertices: readonly Vec3[], loops: readonly (readonly number[])[]): MassProperties {
  const reference = scale(vertices.reduce(add), 1 / vertices.length)
  let six = 0
  const first: [number, number, number] = [0, 0, 0]
  const second: [...Mat3] = [0, 0, 0, 0, 0, 0, 0, 0, 0]
  for (const loop of loops) {
    const a = sub(vertices[loop[0]!]!, reference)
    for (let k = 1; k + 1 < loop.length; k++) {
      const b = sub(vertices[loop[k]!]!, reference)
      const c = sub(vertices[loop[k + 1]!]!, reference)
      const d = dot(a, cross(b, c))
      const sum = add(a, add(b, c))
      six += d
      // ∫ x xᵀ over the tetrahedron (0, a, b, c) = d/120 (a aᵀ + b bᵀ + c cᵀ + s sᵀ), s = a + b + c.
      for (let i = 0; i < 3; i++) {
        first[i]! += sum[i]! * d
        for (let k = 0; k < 3; k++) second[3 * i + k]! += (a[i]! * a[k]! + b[i]! * b[k]! + (c[i]! * c[k]! + sum[i]! * sum[k]!)) * d
      }
    }
  }
  const volume = six / 6
  const shift = scale(first, 1 / (4 * six))
  const moments = addMatrices(scaleMatrix(second, 1 / 120), scaleMatrix(outer(shift, shift), -volume))
  return { volume, centroid: add(reference, shift), inertia: inertiaOfMoments(moments) }
}
