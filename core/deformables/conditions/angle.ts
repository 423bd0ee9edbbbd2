/**
 * The angle at particle b of the corner a–b–c is φ₀:  C = φ(x_a − x_b, x_c − x_b) − φ₀. Derivatives are in `vector-angle.ts`. The angle is not
 * differentiable at 0 and π; straight ropes use `turn.ts`.
 */

import type { Condition } from '../condition'
import { angleStage } from './angle-stage'
import { addMixed, addSquare, measureAngle, vectorAngle } from './vector-angle'

/** Coefficients of a = x_a − x_b and b = x_c − x_b for the three particles. */
const FIRST = [1, -1, 0]
const SECOND = [0, -1, 1]

/** @param corners a, b, c of each element; @param angles φ₀, rad */
export function angleCondition(corners: Int32Array, angles: Float64Array): Condition {
  const angle = vectorAngle()
  const measure = (e: number, x: Float64Array): void => {
    const a = 3 * corners[3 * e]!
    const b = 3 * corners[3 * e + 1]!
    const c = 3 * corners[3 * e + 2]!
    measureAngle(angle, x[a]! - x[b]!, x[a + 1]! - x[b + 1]!, x[a + 2]! - x[b + 2]!, x[c]! - x[b]!, x[c + 1]! - x[b + 1]!, x[c + 2]! - x[b + 2]!)
  }
  return {
    kind: 'angle', arity: 3, vertices: corners, count: angles.length, rows: 1, convexRows: 0,
    stage: (stiffness, damping, slots) => angleStage(corners, angles, stiffness, damping, slots),
    evaluate(e, x, C, J) {
      measure(e, x)
      C[0] = angle.phi - angles[e]!
      for (let k = 0; k < 3; k++) {
        J[k] = -angle.pa[k]! / angle.lengthA
        J[6 + k] = -angle.pb[k]! / angle.lengthB
        J[3 + k] = -J[k]! - J[6 + k]!
      }
    },
    curvature(e, x, w, H) {
      measure(e, x)
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) {
          addSquare(H, 9, 3 * r, 3 * c, w[0]! * FIRST[r]! * FIRST[c]!, angle, false)
          addSquare(H, 9, 3 * r, 3 * c, w[0]! * SECOND[r]! * SECOND[c]!, angle, true)
          addMixed(H, 9, 3 * r, 3 * c, w[0]! * (FIRST[r]! * SECOND[c]! + SECOND[r]! * FIRST[c]!), angle)
        }
      }
    },
  }
}
