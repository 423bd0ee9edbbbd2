/**
 * Content conditions: the area of a triangle, C = ½ |m| − A₀ with m = (x₁ − x₀) × (x₂ − x₀), and the volume of a tetrahedron, C = (x₁ − x₀) · ((x₂ −
 * x₀) × (x₃ − x₀)) / 6 − V₀ (signed).
 */

import type { Condition } from '../condition'
import { addCross, addOuter } from './flat'

/** @param areas A₀, m² */
export function areaCondition(triangles: Int32Array, areas: Float64Array): Condition {
  const m = new Float64Array(3)
  /** Sides opposite the corners: x₂ − x₁, x₀ − x₂, x₁ − x₀. */
  const d = new Float64Array(9)
  function measure(e: number, x: Float64Array): number {
    for (let a = 0; a < 3; a++) {
      const from = 3 * triangles[3 * e + ((a + 1) % 3)]!
      const to = 3 * triangles[3 * e + ((a + 2) % 3)]!
      for (let k = 0; k < 3; k++) d[3 * a + k] = x[to + k]! - x[from + k]!
    }
    m[0] = d[7]! * -d[5]! - d[8]! * -d[4]!
    m[1] = d[8]! * -d[3]! - d[6]! * -d[5]!
    m[2] = d[6]! * -d[4]! - d[7]! * -d[3]!
    const twice = Math.max(Math.sqrt(m[0]! * m[0]! + m[1]! * m[1]! + m[2]! * m[2]!), Number.MIN_VALUE)
    for (let k = 0; k < 3; k++) m[k]! /= twice
    return twice
  }
  return {
    kind: 'area', arity: 3, vertices: triangles, count: areas.length, rows: 1, convexRows: 0,
    evaluate(e, x, C, J) {
      C[0] = measure(e, x) / 2 - areas[e]!
      // ∂A/∂x_a = ½ m̂ × d_a
      for (let a = 0; a < 3; a++) {
        J[3 * a] = (m[1]! * d[3 * a + 2]! - m[2]! * d[3 * a + 1]!) / 2
        J[3 * a + 1] = (m[2]! * d[3 * a]! - m[0]! * d[3 * a + 2]!) / 2
        J[3 * a + 2] = (m[0]! * d[3 * a + 1]! - m[1]! * d[3 * a]!) / 2
      }
    },
    curvature(e, x, w, H) {
      const twice = measure(e, x)
      const h = w[0]! / 2
      for (let a = 0; a < 3; a++) {
        for (let b = 0; b < 3; b++) {
          // ½ ([d_a]×ᵀ… ): dm̂ = (I − m̂ m̂ᵀ)(d_b ×ᵀ …)/|m| along m̂, and the side d_a changes with x_b.
          const sign = a === b ? 0 : (b - a + 3) % 3 === 1 ? -1 : 1
          if (sign !== 0) addCross(H, 9, 3 * a, 3 * b, h * sign, m[0]!, m[1]!, m[2]!)
          const da = d.subarray(3 * a, 3 * a + 3)
          const db = d.subarray(3 * b, 3 * b + 3)
          // [d_a]× P [d_b]×ᵀ with P = I − m̂ m̂ᵀ, both sides in the triangle's plane: (d_a · d_b) m̂ m̂ᵀ.
          addOuter(H, 9, 3 * a, 3 * b, (h * (da[0]! * db[0]! + da[1]! * db[1]! + da[2]! * db[2]!)) / twice, m[0]!, m[1]!, m[2]!, m[0]!, m[1]!, m[2]!)
        }
      }
    },
  }
}

/** @param volumes V₀, m³ */
export function volumeCondition(tetrahedra: Int32Array, volumes: Float64Array): Condition {
  const d = new Float64Array(9)
  function measure(e: number, x: Float64Array): void {
    const origin = 3 * tetrahedra[4 * e]!
    for (let a = 0; a < 3; a++) {
      const at = 3 * tetrahedra[4 * e + 1 + a]!
      for (let k = 0; k < 3; k++) d[3 * a + k] = x[at + k]! - x[origin + k]!
    }
  }
  return {
    kind: 'volume', arity: 4, vertices: tetrahedra, count: volumes.length, rows: 1, convexRows: 0,
    evaluate(e, x, C, J) {
      measure(e, x)
      J[0] = J[1] = J[2] = 0
      for (let a = 0; a < 3; a++) {
        const p = 3 * ((a + 1) % 3)
        const q = 3 * ((a + 2) % 3)
        J[3 + 3 * a] = (d[p + 1]! * d[q + 2]! - d[p + 2]! * d[q + 1]!) / 6
        J[4 + 3 * a] = (d[p + 2]! * d[q]! - d[p]! * d[q + 2]!) / 6
        J[5 + 3 * a] = (d[p]! * d[q + 1]! - d[p + 1]! * d[q]!) / 6
        for (let k = 0; k < 3; k++) J[k]! -= J[3 + 3 * a + k]!
      }
      C[0] = d[0]! * J[3]! + d[1]! * J[4]! + d[2]! * J[5]! - volumes[e]!
    },
    curvature(e, x, w, H) {
      measure(e, x)
      // ∂²V/∂x_a∂x_b = ±[d_c]× / 6 for a ≠ b among the last three vertices, c being the third; the blocks of x₀ make each row sum zero.
      const s = w[0]! / 6
      for (let a = 0; a < 3; a++) {
        for (let b = 0; b < 3; b++) {
          if (a === b) continue
          const c = 3 * (3 - a - b)
          const sign = (b - a + 3) % 3 === 1 ? -s : s
          for (const [row, rowSign] of [[a + 1, 1], [0, -1]] as const) {
            for (const [column, columnSign] of [[b + 1, 1], [0, -1]] as const) {
              addCross(H, 12, 3 * row, 3 * column, sign * rowSign * columnSign, d[c]!, d[c + 1]!, d[c + 2]!)
            }
          }
        }
      }
    },
  }
}
