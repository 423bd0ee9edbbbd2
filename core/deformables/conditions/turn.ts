/**
 * A straight rope or hair without bending angles. With the unit tangents t₁ and t₂ of the segments before and after a point and the angle θ between
 * them,
 *
 *   C = (θ / sin θ) t₁ × t₂,   |C| = θ,   so that ½ k C·C = ½ k θ² [slides SE, angular springs],
 *
 * and C, unlike θ, is smooth where the rope is straight. f(c) = θ / sin θ with c = cos θ and its derivatives are computed by a series near c = 1.
 */

import { atan2 } from '../../math/elementary'
import type { Condition } from '../condition'
import { addCross, addOuter, addUnit } from './flat'

/** 1 − cos θ below which the series is used. The closed forms lose digits there: f″ is a difference of terms of size 1/θ⁴. */
const SERIES = 0.1

/** f, f′ and f″ at c, as derivatives with respect to c = cos θ; `sine` = sin θ. */
function turnFactor(c: number, sine: number, out: Float64Array): void {
  const u = 1 - c
  if (u < SERIES) {
    // Σ c_n uⁿ with c_{n+1} = c_n (n + 1) / (2n + 3); f′ = −df/du.
    let coefficient = 1
    let power = 1
    out[0] = 1
    out[1] = 0
    out[2] = 0
    let before = 0
    let two = 0
    for (let n = 1; n < 16; n++) {
      coefficient *= n / (2 * n + 1)
      two = before
      before = power
      power *= u
      out[0]! += coefficient * power
      out[1]! -= n * coefficient * before
      out[2]! += n * (n - 1) * coefficient * two
    }
    return
  }
  const s = Math.max(sine, Number.MIN_VALUE)
  const theta = atan2(s, c)
  out[0] = theta / s
  out[1] = -(s - theta * c) / (s * s * s)
  out[2] = (theta / (s * s) - (3 * c * (s - theta * c)) / (s * s * s * s)) / s
}

/** @param corners the points before, at and after each bend */
export function turnCondition(corners: Int32Array): Condition {
  const f = new Float64Array(3)
  const t1 = new Float64Array(3)
  const t2 = new Float64Array(3)
  const B = new Float64Array(3)
  let l1 = 0
  let l2 = 0
  let cosine = 0
  function measure(e: number, x: Float64Array): void {
    const a = 3 * corners[3 * e]!
    const b = 3 * corners[3 * e + 1]!
    const c = 3 * corners[3 * e + 2]!
    l1 = tangent(x, b, a, t1)
    l2 = tangent(x, c, b, t2)
    B[0] = t1[1]! * t2[2]! - t1[2]! * t2[1]!
    B[1] = t1[2]! * t2[0]! - t1[0]! * t2[2]!
    B[2] = t1[0]! * t2[1]! - t1[1]! * t2[0]!
    const sine = Math.sqrt(B[0]! * B[0]! + B[1]! * B[1]! + B[2]! * B[2]!)
    cosine = t1[0]! * t2[0]! + t1[1]! * t2[1]! + t1[2]! * t2[2]!
    // 1 − cos θ computed from the sine, which stays accurate for a nearly straight rope.
    turnFactor(cosine > 0 ? 1 - (sine * sine) / (1 + cosine) : cosine, sine, f)
  }
  const D1 = new Float64Array(9)
  const D2 = new Float64Array(9)
  const blocks = { H11: new Float64Array(9), H12: new Float64Array(9), H22: new Float64Array(9) }
  return {
    kind: 'turn', arity: 3, vertices: corners, count: corners.length / 3, rows: 3, convexRows: 0,
    evaluate(e, x, C, J) {
      measure(e, x)
      // ∂C/∂t₁ = f′ B t₂ᵀ − f [t₂]×,  ∂C/∂t₂ = f′ B t₁ᵀ + f [t₁]×
      D1.fill(0)
      D2.fill(0)
      addOuter(D1, 3, 0, 0, f[1]!, B[0]!, B[1]!, B[2]!, t2[0]!, t2[1]!, t2[2]!)
      addCross(D1, 3, 0, 0, -f[0]!, t2[0]!, t2[1]!, t2[2]!)
      addOuter(D2, 3, 0, 0, f[1]!, B[0]!, B[1]!, B[2]!, t1[0]!, t1[1]!, t1[2]!)
      addCross(D2, 3, 0, 0, f[0]!, t1[0]!, t1[1]!, t1[2]!)
      for (let r = 0; r < 3; r++) {
        C[r] = f[0]! * B[r]!
        const along1 = (D1[3 * r]! * t1[0]! + D1[3 * r + 1]! * t1[1]! + D1[3 * r + 2]! * t1[2]!)
        const along2 = (D2[3 * r]! * t2[0]! + D2[3 * r + 1]! * t2[1]! + D2[3 * r + 2]! * t2[2]!)
        for (let k = 0; k < 3; k++) {
          const before = (D1[3 * r + k]! - along1 * t1[k]!) / l1
          const after = (D2[3 * r + k]! - along2 * t2[k]!) / l2
          J[9 * r + k] = -before
          J[9 * r + 3 + k] = before - after
          J[9 * r + 6 + k] = after
        }
      }
    },
    curvature(e, x, w, H) {
      measure(e, x)
      addTurnCurvature(H, w, t1, t2, l1, l2, f, B, blocks)
    },
  }
}

/** Unit vector from the particle at `from` to that at `to`. @returns their distance */
function tangent(x: Float64Array, to: number, from: number, t: Float64Array): number {
  const dx = x[to]! - x[from]!
  const dy = x[to + 1]! - x[from + 1]!
  const dz = x[to + 2]! - x[from + 2]!
  const l = Math.max(Math.sqrt(dx * dx + dy * dy + dz * dz), Number.MIN_VALUE)
  t[0] = dx / l
  t[1] = dy / l
  t[2] = dz / l
  return l
}

/** Second derivatives of h with respect to (t₁, t₁), (t₁, t₂) and (t₂, t₂); then with respect to the segments. */
interface TurnBlocks {
  readonly H11: Float64Array
  readonly H12: Float64Array
  readonly H22: Float64Array
}

/** Coefficients of the two segments for the three points. */
const BEFORE = [-1, 1, 0]
const AFTER = [0, -1, 1]

/** Adds the second derivatives of h = w · C = f(t₁ · t₂) w · (t₁ × t₂) with respect to the three points. */
function addTurnCurvature(
  H: Float64Array, w: Float64Array, t1: Float64Array, t2: Float64Array, l1: number, l2: number, f: Float64Array, B: Float64Array,
  { H11, H12, H22 }: TurnBlocks,
): void {
  const [w0, w1, w2] = [w[0]!, w[1]!, w[2]!]
  const wB = w0 * B[0]! + w1 * B[1]! + w2 * B[2]!
  // q₁ = t₂ × w and q₂ = w × t₁: the derivatives of w · (t₁ × t₂).
  const q10 = t2[1]! * w2 - t2[2]! * w1
  const q11 = t2[2]! * w0 - t2[0]! * w2
  const q12 = t2[0]! * w1 - t2[1]! * w0
  const q20 = w1 * t1[2]! - w2 * t1[1]!
  const q21 = w2 * t1[0]! - w0 * t1[2]!
  const q22 = w0 * t1[1]! - w1 * t1[0]!
  H11.fill(0)
  H12.fill(0)
  H22.fill(0)
  addOuter(H11, 3, 0, 0, f[2]! * wB, t2[0]!, t2[1]!, t2[2]!, t2[0]!, t2[1]!, t2[2]!)
  addOuter(H11, 3, 0, 0, f[1]!, t2[0]!, t2[1]!, t2[2]!, q10, q11, q12)
  addOuter(H11, 3, 0, 0, f[1]!, q10, q11, q12, t2[0]!, t2[1]!, t2[2]!)
  addOuter(H22, 3, 0, 0, f[2]! * wB, t1[0]!, t1[1]!, t1[2]!, t1[0]!, t1[1]!, t1[2]!)
  addOuter(H22, 3, 0, 0, f[1]!, t1[0]!, t1[1]!, t1[2]!, q20, q21, q22)
  addOuter(H22, 3, 0, 0, f[1]!, q20, q21, q22, t1[0]!, t1[1]!, t1[2]!)
  addOuter(H12, 3, 0, 0, f[2]! * wB, t2[0]!, t2[1]!, t2[2]!, t1[0]!, t1[1]!, t1[2]!)
  addUnit(H12, 3, 0, 0, f[1]! * wB)
  addOuter(H12, 3, 0, 0, f[1]!, t2[0]!, t2[1]!, t2[2]!, q20, q21, q22)
  addOuter(H12, 3, 0, 0, f[1]!, q10, q11, q12, t1[0]!, t1[1]!, t1[2]!)
  addCross(H12, 3, 0, 0, -f[0]!, w0, w1, w2)
  // From derivatives by unit tangents to derivatives by the segment vectors: P H P plus the curvature term of the unit sphere.
  const g10 = f[1]! * wB * t2[0]! + f[0]! * q10
  const g11 = f[1]! * wB * t2[1]! + f[0]! * q11
  const g12 = f[1]! * wB * t2[2]! + f[0]! * q12
  const g20 = f[1]! * wB * t1[0]! + f[0]! * q20
  const g21 = f[1]! * wB * t1[1]! + f[0]! * q21
  const g22 = f[1]! * wB * t1[2]! + f[0]! * q22
  project(H11, t1, l1, t1, l1)
  project(H12, t1, l1, t2, l2)
  project(H22, t2, l2, t2, l2)
  addSphere(H11, t1, l1, g10, g11, g12)
  addSphere(H22, t2, l2, g20, g21, g22)
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      const bb = BEFORE[r]! * BEFORE[c]!
      const ba = BEFORE[r]! * AFTER[c]!
      const ab = AFTER[r]! * BEFORE[c]!
      const aa = AFTER[r]! * AFTER[c]!
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) {
          H[(3 * r + i) * 9 + 3 * c + j]! += bb * H11[3 * i + j]! + ba * H12[3 * i + j]! + ab * H12[3 * j + i]! + aa * H22[3 * i + j]!
        }
      }
    }
  }
}

/** B ← P_t B P_s / (l m), P_t = I − t tᵀ. */
function project(B: Float64Array, t: Float64Array, l: number, s: Float64Array, m: number): void {
  for (let c = 0; c < 3; c++) {
    const along = t[0]! * B[c]! + t[1]! * B[3 + c]! + t[2]! * B[6 + c]!
    for (let r = 0; r < 3; r++) B[3 * r + c]! -= t[r]! * along
  }
  for (let r = 0; r < 3; r++) {
    const along = s[0]! * B[3 * r]! + s[1]! * B[3 * r + 1]! + s[2]! * B[3 * r + 2]!
    for (let c = 0; c < 3; c++) B[3 * r + c] = (B[3 * r + c]! - s[c]! * along) / (l * m)
  }
}

/** Adds ∂²(g · a/|a|)/∂a² = (3 (g·t) t tᵀ − (g·t) I − g tᵀ − t gᵀ) / l². */
function addSphere(B: Float64Array, t: Float64Array, l: number, g0: number, g1: number, g2: number): void {
  const over = 1 / (l * l)
  const gt = g0 * t[0]! + g1 * t[1]! + g2 * t[2]!
  addOuter(B, 3, 0, 0, 3 * gt * over, t[0]!, t[1]!, t[2]!, t[0]!, t[1]!, t[2]!)
  addUnit(B, 3, 0, 0, -gt * over)
  addOuter(B, 3, 0, 0, -over, g0, g1, g2, t[0]!, t[1]!, t[2]!)
  addOuter(B, 3, 0, 0, -over, t[0]!, t[1]!, t[2]!, g0, g1, g2)
}
