/**
 * Bending moments along ropes and hair, from recorded positions and the document's stiffness: at a vertex where the line turns by θ,
 *
 *   M = EI κ,   κ = 2 (θ − θ₀) / (l₁ + l₂),
 *
 * with the rest lengths l₁ and l₂ of the adjacent segments, 0 for clamped ones, and the rest angle θ₀, which is zero in ropes. M is the derivative of the
 * simulation's bending energy by θ. The moment at the ends is zero.
 */

import { atan2 } from '../math/elementary'
import type { ResolvedDeformable } from '../scene'
import { clampedSegments, deformableShape } from './deformable-shape'

/**
 * @param x m, 3 per vertex of this deformable
 * @param out N m, ≥ 0, one per vertex; NaN for deformables without bending: particles and cloth
 */
export function bendingMoments(deformable: ResolvedDeformable, x: Float64Array, out: Float64Array): void {
  out.fill(NaN)
  if (deformable.type !== 'rope' && deformable.type !== 'hair') return
  const shape = deformableShape(deformable)
  const { vertices, strands } = shape
  const clamped = clampedSegments(deformable, shape)
  const rest = Float64Array.from(vertices.flat())
  strands.forEach((strand, s) => {
    const bendable = (segment: number): number => clamped[s]![segment] === 1 ? 0 : distanceOf(rest, strand[segment]!, strand[segment + 1]!)
    strand.forEach((vertex, i) => {
      const [before, after] = [strand[i - 1], strand[i + 1]]
      if (before === undefined || after === undefined) {
        out[vertex] = 0
        return
      }
      const resting = deformable.type === 'rope' ? 0 : turnAt(rest, before, vertex, after)
      const length = (bendable(i - 1) + bendable(i)) / 2
      const factor = deformable.type === 'hair' ? deformable.bendFactors?.[vertex] ?? 1 : 1
      out[vertex] = length > 0 ? factor * deformable.bendingStiffness * Math.abs(turnAt(x, before, vertex, after) - resting) / length : 0
    })
  })
}

function distanceOf(x: Float64Array, a: number, b: number): number {
  const [p, q, r] = [x[3 * a]! - x[3 * b]!, x[3 * a + 1]! - x[3 * b + 1]!, x[3 * a + 2]! - x[3 * b + 2]!]
  return Math.sqrt(p * p + q * q + r * r)
}

/** rad, between the segments before and after a vertex. */
function turnAt(x: Float64Array, a: number, b: number, c: number): number {
  const [ux, uy, uz] = [x[3 * b]! - x[3 * a]!, x[3 * b + 1]! - x[3 * a + 1]!, x[3 * b + 2]! - x[3 * a + 2]!]
  const [vx, vy, vz] = [x[3 * c]! - x[3 * b]!, x[3 * c + 1]! - x[3 * b + 1]!, x[3 * c + 2]! - x[3 * b + 2]!]
  const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
  return atan2(Math.sqrt(nx * nx + ny * ny + nz * nz), ux * vx + uy * vy + uz * vz)
}
