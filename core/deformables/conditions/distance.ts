/**
 * Two particles have the distance L [PBM01-C §6]:
 *
 *   C = |l| − L,  l = x_a − x_b,   ∂C/∂x_a = l̂ = −∂C/∂x_b,   ∇²C = (I − l̂ l̂ᵀ) / |l| in the blocks aa and bb, its negative in ab.
 *
 * ½ k C² with damping d is the damped spring of [PBM01-C eq. 1]. If the ends coincide, the gradient is undefined, and l̂ is set to the z axis.
 */

import type { Condition } from '../condition'
import { distanceStage } from './distance-stage'
import { addOuter, addUnit } from './flat'

/** @param pairs a and b of each element; @param lengths L, m */
export function distanceCondition(pairs: Int32Array, lengths: Float64Array): Condition {
  return {
    kind: 'distance', arity: 2, vertices: pairs, count: lengths.length, rows: 1, convexRows: 1,
    stage: (stiffness, damping, slots) => distanceStage(pairs, lengths, stiffness, damping, slots),
    evaluate(e, x, C, J) {
      const a = 3 * pairs[2 * e]!
      const b = 3 * pairs[2 * e + 1]!
      const dx = x[a]! - x[b]!
      const dy = x[a + 1]! - x[b + 1]!
      const dz = x[a + 2]! - x[b + 2]!
      const l = Math.sqrt(dx * dx + dy * dy + dz * dz)
      C[0] = l - lengths[e]!
      J[0] = l > 0 ? dx / l : 0
      J[1] = l > 0 ? dy / l : 0
      J[2] = l > 0 ? dz / l : 1
      J[3] = -J[0]!
      J[4] = -J[1]!
      J[5] = -J[2]!
    },
    curvature(e, x, w, H) {
      const a = 3 * pairs[2 * e]!
      const b = 3 * pairs[2 * e + 1]!
      const dx = x[a]! - x[b]!
      const dy = x[a + 1]! - x[b + 1]!
      const dz = x[a + 2]! - x[b + 2]!
      const square = dx * dx + dy * dy + dz * dz
      if (square === 0) return
      const s = w[0]! / Math.sqrt(square)
      for (let r = 0; r < 2; r++) {
        for (let c = 0; c < 2; c++) {
          const sign = r === c ? s : -s
          addUnit(H, 6, 3 * r, 3 * c, sign)
          addOuter(H, 6, 3 * r, 3 * c, -sign / square, dx, dy, dz, dx, dy, dz)
        }
      }
    },
  }
}
