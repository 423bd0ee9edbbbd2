/**
 * Conditions that are linear in the positions, C = Σ_i c_i A x_i − b with a row or three rows A:
 *
 *   coincide       C = x_a − x_b                   (3 rows)
 *   point          C = x_a − p                     (3 rows)
 *   on a plane     C = n · x_a − d                 (1 row)
 *   on a line      C = (n₁ · (x_a − p), n₂ · (x_a − p))   (2 rows, n₁ and n₂ across the line)
 *   centre         C = Σ m_i x_i / Σ m_i − p       (3 rows)
 *   barycentric    C = Σ w_i x_i − p               (3 rows): a point in a triangle
 */

import type { Vec3 } from '../../math/vector'
import { cross, dot, normalize, perpendicular } from '../../math/vector'
import type { Condition } from '../condition'

/** Σ_i weights_i x_i is at the target. `targets` (3 an element, m) may change between steps, for a moving point. */
function weightedPoint(kind: string, arity: number, vertices: Int32Array, weights: Float64Array, targets: Float64Array): Condition {
  return {
    kind, arity, vertices, count: vertices.length / arity, rows: 3, convexRows: 0, curvature: null,
    evaluate(e, x, C, J) {
      const width = 3 * arity
      J.fill(0, 0, 3 * width)
      C[0] = -targets[3 * e]!
      C[1] = -targets[3 * e + 1]!
      C[2] = -targets[3 * e + 2]!
      for (let a = 0; a < arity; a++) {
        const w = weights[e * arity + a]!
        const i = 3 * vertices[e * arity + a]!
        for (let r = 0; r < 3; r++) {
          C[r]! += w * x[i + r]!
          J[r * width + 3 * a + r] = w
        }
      }
    },
  }
}

export function coincideCondition(pairs: Int32Array): Condition {
  const weights = Float64Array.from({ length: pairs.length }, (_, k) => (k % 2 === 0 ? 1 : -1))
  return weightedPoint('coincide', 2, pairs, weights, new Float64Array((pairs.length / 2) * 3))
}

export function pointCondition(particles: Int32Array, targets: Float64Array): Condition {
  return weightedPoint('point', 1, particles, new Float64Array(particles.length).fill(1), targets)
}

/** The centre of mass of some particles is at a point. */
export function centreCondition(particles: Int32Array, masses: Float64Array, target: Vec3): Condition {
  const total = particles.reduce((sum, i) => sum + masses[i]!, 0)
  return weightedPoint('centre', particles.length, particles, Float64Array.from(particles, i => masses[i]! / total), Float64Array.from(target))
}

/** Prescribes components of a particle along fixed directions: `directions` holds rows × 3 an element, `offsets` the prescribed values, m. */
function alongDirections(kind: string, rows: number, particles: Int32Array, directions: Float64Array, offsets: Float64Array): Condition {
  return {
    kind, arity: 1, vertices: particles, count: particles.length, rows, convexRows: 0, curvature: null,
    evaluate(e, x, C, J) {
      const i = 3 * particles[e]!
      for (let r = 0; r < rows; r++) {
        const d = 3 * (e * rows + r)
        J[3 * r] = directions[d]!
        J[3 * r + 1] = directions[d + 1]!
        J[3 * r + 2] = directions[d + 2]!
        C[r] = directions[d]! * x[i]! + directions[d + 1]! * x[i + 1]! + directions[d + 2]! * x[i + 2]! - offsets[e * rows + r]!
      }
    },
  }
}

/** @param normals unit vectors, 3 an element; @param offsets n · p of a point of the plane, m */
export function onPlaneCondition(particles: Int32Array, normals: Float64Array, offsets: Float64Array): Condition {
  return alongDirections('plane', 1, particles, normals, offsets)
}

/** All of these particles lie on the line through `point` along `direction` (any non-zero length). */
export function onLineCondition(particles: Int32Array, point: Vec3, direction: Vec3): Condition {
  const along = normalize(direction)
  const first = perpendicular(along)
  const second = cross(along, first)
  const directions = Float64Array.from(Array.from(particles, () => [...first, ...second]).flat())
  const offsets = Float64Array.from(Array.from(particles, () => [dot(first, point), dot(second, point)]).flat())
  return alongDirections('line', 2, particles, directions, offsets)
}
