/**
 * Bending of a sheet that is flat at rest: the second derivatives of its positions along warp and weft,
 *
 *   C = (∂²x/∂u², ∂²x/∂u∂v, ∂²x/∂v²),   each a linear combination Σ c_i x_i of the particles of a patch,
 *
 * nine components. In an inextensible sheet |∂²x/∂u²| is the curvature along the warp. The weights c_i come from the quadratic polynomial through a
 * triangle and its neighbours (at the border, the least-squares fit to more of them), so that C is exact on every mesh for a uniformly bent sheet.
 * Unlike a sum over edges, the energy does not depend on the triangulation. C is linear, and so are the forces.
 */

import { luFactor, luSolve } from '../../math/factor'
import type { Condition } from '../condition'
import { curvatureStage, curvatureValues } from './curvature-stage'

/** Particles of each patch, and nine weights per particle: c for uu, uv, vv, three components each. */
export interface Patches {
  readonly arity: number
  readonly vertices: Int32Array
  readonly weights: Float64Array
}

export function curvatureCondition({ arity, vertices, weights }: Patches): Condition {
  const width = 3 * arity
  return {
    kind: 'bend', arity, vertices, count: vertices.length / arity, rows: 9, convexRows: 0, curvature: null,
    stage: (stiffness, damping, slots) => curvatureStage({ arity, vertices, weights }, stiffness, damping, slots),
    values: (e, x, C) => { curvatureValues(arity, vertices, weights, e, x, C) },
    evaluate(e, x, C, J) {
      curvatureValues(arity, vertices, weights, e, x, C)
      J.fill(0, 0, 9 * width)
      for (let a = 0; a < arity; a++) {
        for (let d = 0; d < 3; d++) {
          for (let k = 0; k < 3; k++) J[(3 * d + k) * width + 3 * a + k] = weights[3 * (e * arity + a) + d]!
        }
      }
    },
  }
}

/** Smallest ÷ largest pivot below which a fit does not determine the curvature. */
const FIT = 1e-6

/**
 * Weights of the particles at the points (u, v) in the second derivatives at the origin of their least-squares quadratic polynomial.
 *
 * @returns three weights a point; null if the points do not determine the polynomial (fewer than six, or all on a conic)
 */
export function secondDerivatives(points: readonly (readonly [number, number])[], size: number): Float64Array | null {
  const count = points.length
  if (count < 6) return null
  const rows = points.map(([u, v]) => {
    const [p, q] = [u / size, v / size]
    return [1, p, q, (p * p) / 2, p * q, (q * q) / 2]
  })
  const normal = new Float64Array(36)
  for (const row of rows) for (let r = 0; r < 6; r++) for (let c = 0; c < 6; c++) normal[6 * r + c]! += row[r]! * row[c]!
  const lu = luFactor(normal, 6)
  if (!(lu.pivotRatio > FIT)) return null
  const weights = new Float64Array(3 * count)
  rows.forEach((row, i) => {
    const fit = luSolve(lu, Float64Array.from(row))
    for (let d = 0; d < 3; d++) weights[3 * i + d] = fit[3 + d]! / (size * size)
  })
  return weights
}
