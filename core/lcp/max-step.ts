/** Step length of Dantzig's method along a direction, and the row that limits it [Baraff94 §4.3]. */

import { PIVOT_ZERO } from '../math/tolerances'
import { CLAMPED, FREE, LOWER, REDUNDANT, UPPER, type Pivoting } from './pivoting'
import { ROW_BOX, ROW_UNILATERAL, type FrictionRows } from './problem'
import type { ScaledProblem } from './scaling'

/** End of a step: the driven row is finished, or another row or contact changes its state. */
export type Block =
  | { readonly kind: 'done' }
  | { readonly kind: 'release' | 'clamp' | 'lower' | 'upper'; readonly row: number }
  | { readonly kind: 'cone' | 'stick'; readonly contact: number }

/** Rate of a redundant row that counts as rounding, × the largest change of force. */
const REDUNDANT_RATE = 1e-8

/** The step length along the direction, and the row that limits it [Baraff94 §4.3 maxstep]. */
export function maxStep(problem: ScaledProblem, state: Pivoting, friction: Float64Array, d: number): { block: Block | undefined; step: number } {
  const { f, a, df, da, place } = state
  let step = Infinity
  let block: Block | undefined
  const offer = (s: number, candidate: () => Block): void => {
    const at = s > 0 ? s : 0
    if (at < step) {
      step = at
      block = candidate()
    }
  }
  let largest = 0
  for (const change of df) largest = Math.max(largest, Math.abs(change))
  const noise = REDUNDANT_RATE * largest
  if (a[d]! * da[d]! < 0) offer(-a[d]! / da[d]!, () => ({ kind: 'done' }))
  for (let i = 0; i < state.n; i++) {
    const change = df[i]!
    const rate = da[i]!
    if (change === 0 && rate === 0) continue
    const type = problem.kind[i]!
    const where = place[i]!
    const driven = i === d
    if (type === ROW_UNILATERAL) {
      if (where === CLAMPED) {
        if (change < 0) offer(-f[i]! / change, () => ({ kind: 'release', row: i }))
      } else if (where === FREE ? rate < 0 : where === REDUNDANT && rate < -noise) offer(-a[i]! / rate, () => ({ kind: 'clamp', row: i }))
    } else if (type === ROW_BOX && (driven || where === CLAMPED)) {
      if (change < 0) offer((problem.lower[i]! - f[i]!) / change, () => ({ kind: 'lower', row: i }))
      else if (change > 0) offer((problem.upper[i]! - f[i]!) / change, () => ({ kind: 'upper', row: i }))
    } else if (type === ROW_BOX && (where === LOWER || where === UPPER)) {
      if (where === LOWER ? rate < 0 : rate > 0) offer(-a[i]! / rate, () => ({ kind: 'clamp', row: i }))
    } else if (where === REDUNDANT && Math.abs(rate) > noise) offer(0, () => ({ kind: 'clamp', row: i }))
  }
  problem.friction.forEach((contact, c) => {
    if (contact.state === 'sliding') return
    const { normal, tangent1, tangent2 } = contact
    if (state.slaved[c] !== 0) {
      const rate = da[tangent1]! * state.d1[c]! + da[tangent2]! * state.d2[c]!
      if (rate > PIVOT_ZERO * largest) {
        const along = a[tangent1]! * state.d1[c]! + a[tangent2]! * state.d2[c]!
        offer(Math.max(0, -along / rate), () => ({ kind: 'stick', contact: c }))
      }
    } else if (place[normal] === CLAMPED || normal === d) {
      const s = coneStep(state, problem.friction[c]!, friction[c]!)
      if (s < Infinity) offer(s, () => ({ kind: 'cone', contact: c }))
    }
  })
  return { block, step }
}

/** Step at which |f_t| reaches μ f_N. */
function coneStep({ f, df }: Pivoting, { normal, tangent1, tangent2 }: FrictionRows, mu: number): number {
  const f1 = f[tangent1]!
  const f2 = f[tangent2]!
  const g1 = df[tangent1]!
  const g2 = df[tangent2]!
  const m = mu * f[normal]!
  const h = mu * df[normal]!
  if (f1 === 0 && f2 === 0 && g1 === 0 && g2 === 0) return Infinity
  const qa = g1 * g1 + g2 * g2 - h * h
  const qb = f1 * g1 + f2 * g2 - m * h
  const qc = f1 * f1 + f2 * f2 - m * m
  const small = 1e-14 * (f1 * f1 + f2 * f2 + m * m)
  if (qc >= -small) {
    if (qb > 0) return 0
    if (qb === 0) return qa > 0 ? 0 : Infinity
    return qa > 0 ? -2 * qb / qa : Infinity
  }
  const discriminant = qb * qb - qa * qc
  if (discriminant < 0) return Infinity
  const denominator = qb + Math.sqrt(discriminant)
  return denominator > 0 ? -qc / denominator : Infinity
}
