/** Functions of an angle that are smooth at zero but not computable there in their usual form. */

import { atan2, cos, sin } from '../../math/elementary'

/** Below this 1 − cos φ (φ < 26°) the series of φ/sin φ is used: its 14 terms reach rounding, and the closed derivatives cancel. */
const SERIES_BELOW = 0.1
const TERMS = 14

/**
 * g = φ/sin φ as a function of c = cos φ, with dg/dc and d²g/dc².
 *
 * @param sine2 sin² φ, given separately, because 1 − c² loses its digits near φ = 0
 */
export function arcRatio(c: number, sine2: number): { value: number; first: number; second: number } {
  const e = c > 0 ? sine2 / (1 + c) : 1 - c
  if (e < SERIES_BELOW) {
    // g = Σ tₙ (1 − c)ⁿ, tₙ₊₁/tₙ = (n + 1)/(2n + 3).
    let value = 0
    let first = 0
    let second = 0
    let t = 1
    let power = 1
    let before = 0
    let beforeThat = 0
    for (let n = 0; n < TERMS; n++) {
      value += t * power
      first -= n * t * before
      second += n * (n - 1) * t * beforeThat
      beforeThat = before
      before = power
      power *= e
      t *= (n + 1) / (2 * n + 3)
    }
    return { value, first, second }
  }
  const value = atan2(Math.sqrt(sine2), c) / Math.sqrt(sine2)
  const first = (c * value - 1) / sine2
  return { value, first, second: (value + 3 * c * first) / sine2 }
}

/** Coefficients of (1 − ½x cot ½x)/x² in x²: |B₂ₙ|/(2n)!. */
const COTANGENT = [1 / 12, 1 / 720, 1 / 30240, 1 / 1209600, 1 / 47900160, 691 / 1307674368000]
const COTANGENT_SERIES_BELOW = 0.25

/** κ = (1 − ½φ cot ½φ)/φ² and κ′/φ, from φ². */
export function inverseJacobianFactor(angle2: number): { kappa: number; slope: number } {
  if (angle2 < COTANGENT_SERIES_BELOW) {
    let kappa = 0
    let slope = 0
    for (let n = COTANGENT.length - 1; n >= 0; n--) {
      kappa = COTANGENT[n]! + angle2 * kappa
      if (n > 0) slope = 2 * n * COTANGENT[n]! + angle2 * slope
    }
    return { kappa, slope }
  }
  const angle = Math.sqrt(angle2)
  const s = sin(angle / 2)
  const cotangent = cos(angle / 2) / s
  const kappa = (1 - 0.5 * angle * cotangent) / angle2
  return { kappa, slope: (-2 / angle + 0.5 * cotangent + 0.25 * angle / (s * s)) / (angle2 * angle) }
}
