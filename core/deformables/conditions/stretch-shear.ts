/**
 * Stretch and shear of woven cloth, per triangle [slides SE, "Stretch (Continuum Version)"; Baraff & Witkin 98 §4]. The triangle's rest coordinates (u, v),
 * u along the warp and v along the weft, and its positions give an affine map with the columns
 *
 *   w_u = ∂x/∂u = Σ a_i x_i,   w_v = ∂x/∂v = Σ b_i x_i,
 *
 * and the conditions  S_u = |w_u| − 1,  S_v = |w_v| − 1,  θ = π/2 − angle(w_u, w_v).  With stiffness k A, A the rest area, the energy
 * ½ (k_u S_u² + k_v S_v² + k θ²) A does not depend on the mesh.
 *
 *   ∂S_u/∂x_i = a_i ŵ_u,   ∂²S_u/∂x_i∂x_j = a_i a_j (I − ŵ_u ŵ_uᵀ) / |w_u|;  the angle's derivatives are in `vector-angle.ts`.
 */

import { PI } from '../../math/elementary'
import type { Condition } from '../condition'
import { DeformableError } from '../condition'
import { stretchShearStage } from './stretch-shear-stage'
import { addMixed, addAcross, addSquare, measureAngle, vectorAngle } from './vector-angle'

/** a_i and b_i of each triangle (six numbers), and its rest area, m². */
export interface RestTriangles {
  readonly gradients: Float64Array
  readonly areas: Float64Array
}

/** Relative area, × the square of the longest side, below which a triangle is degenerate: its stretch would be a difference of rounding errors. */
const FLAT = 1e-12

/**
 * @param uv rest coordinates of each triangle's corners, m: six numbers a triangle, so that a non-developable shape may have separate coordinates for
 * each
 * @throws DeformableError if a triangle has no area
 */
export function restTriangles(uv: Float64Array): RestTriangles {
  const count = uv.length / 6
  const gradients = new Float64Array(6 * count)
  const areas = new Float64Array(count)
  for (let t = 0; t < count; t++) {
    const at = 6 * t
    const u1 = uv[at + 2]! - uv[at]!
    const v1 = uv[at + 3]! - uv[at + 1]!
    const u2 = uv[at + 4]! - uv[at]!
    const v2 = uv[at + 5]! - uv[at + 1]!
    const twice = u1 * v2 - u2 * v1
    const longest = Math.max(u1 * u1 + v1 * v1, u2 * u2 + v2 * v2, (u2 - u1) * (u2 - u1) + (v2 - v1) * (v2 - v1))
    if (!(Math.abs(twice) > FLAT * longest)) throw new DeformableError(`restUV[${t}]`, Math.abs(twice) / 2, `an area of more than ${FLAT / 2} × the square of the longest side`)
    areas[t] = Math.abs(twice) / 2
    gradients[at + 1] = v2 / twice
    gradients[at + 2] = -v1 / twice
    gradients[at] = -gradients[at + 1]! - gradients[at + 2]!
    gradients[at + 4] = -u2 / twice
    gradients[at + 5] = u1 / twice
    gradients[at + 3] = -gradients[at + 4]! - gradients[at + 5]!
  }
  return { gradients, areas }
}

/** Rows S_u, S_v, θ. */
export function stretchShearCondition(triangles: Int32Array, { gradients }: RestTriangles): Condition {
  const angle = vectorAngle()
  const w = new Float64Array(6)
  function measure(e: number, x: Float64Array): void {
    w.fill(0)
    for (let i = 0; i < 3; i++) {
      const at = 3 * triangles[3 * e + i]!
      const a = gradients[6 * e + i]!
      const b = gradients[6 * e + 3 + i]!
      for (let k = 0; k < 3; k++) {
        w[k]! += a * x[at + k]!
        w[3 + k]! += b * x[at + k]!
      }
    }
    measureAngle(angle, w[0]!, w[1]!, w[2]!, w[3]!, w[4]!, w[5]!)
  }
  return {
    kind: 'stretch', arity: 3, vertices: triangles, count: triangles.length / 3, rows: 3, convexRows: 2,
    stage: (stiffness, damping, slots) => stretchShearStage(triangles, gradients, stiffness, damping, slots),
    evaluate(e, x, C, J) {
      measure(e, x)
      C[0] = angle.lengthA - 1
      C[1] = angle.lengthB - 1
      C[2] = PI / 2 - angle.phi
      for (let i = 0; i < 3; i++) {
        const a = gradients[6 * e + i]!
        const b = gradients[6 * e + 3 + i]!
        for (let k = 0; k < 3; k++) {
          J[3 * i + k] = a * angle.a[k]!
          J[9 + 3 * i + k] = b * angle.b[k]!
          J[18 + 3 * i + k] = (a * angle.pa[k]!) / angle.lengthA + (b * angle.pb[k]!) / angle.lengthB
        }
      }
    },
    curvature(e, x, weights, H) {
      measure(e, x)
      for (let i = 0; i < 3; i++) {
        const ai = gradients[6 * e + i]!
        const bi = gradients[6 * e + 3 + i]!
        for (let j = 0; j < 3; j++) {
          const aj = gradients[6 * e + j]!
          const bj = gradients[6 * e + 3 + j]!
          if (weights[0] !== 0) addAcross(H, 9, 3 * i, 3 * j, (weights[0]! * ai * aj) / angle.lengthA, angle.a)
          if (weights[1] !== 0) addAcross(H, 9, 3 * i, 3 * j, (weights[1]! * bi * bj) / angle.lengthB, angle.b)
          const s = -weights[2]!
          if (s === 0) continue
          addSquare(H, 9, 3 * i, 3 * j, s * ai * aj, angle, false)
          addSquare(H, 9, 3 * i, 3 * j, s * bi * bj, angle, true)
          addMixed(H, 9, 3 * i, 3 * j, s * (ai * bj + bi * aj), angle)
        }
      }
    },
  }
}
