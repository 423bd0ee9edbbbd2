/**
 * Violation of the row conditions by multipliers, in the equilibrated units of `scaling.ts`:
 *
 *   equality     |a|
 *   unilateral   |min(f, a)|
 *   box          |f − clamp(f − a)|
 *   sliding      |f_t + μ_d f_N ŝ|
 *   static       |f_t − P(f_t − a_t)| with P the projection onto the disc of radius μ f_N: zero exactly where |f_t| ≤ μ f_N and either
 *                a_t = 0 or f_t is on the rim, antiparallel to a_t. Where μ_d < μ_s the better of the two branches counts:
 *                sticking (|a_t|, and the excess of |f_t| over μ_s f_N) or slipping (the same with the disc of radius μ_d f_N).
 *   spin         as friction, with one bound
 *
 * each divided by the largest |b|, or by the largest |f| × `FORCE_SHARE` if that is greater. Forces far greater than the loads (wedged bodies, uneven
 * masses) cause rounding errors in proportion; the share limits their influence, so that they do not hide an acceleration. Every solver tests this residual
 * before it returns `solved`.
 */

import { dot } from '../math/factor'
import { ROW_BOX, ROW_EQUALITY, ROW_FRICTION, ROW_SPIN, type ContactProblem, type FrictionRows, type SpinRows } from './problem'
import { rowScales, slippingFriction } from './scaling'

/** Weight of the largest force in the normalisation. */
const FORCE_SHARE = 1e-4

/** Normalisation of residuals, from equilibrated b and f. */
export function residualScale(b: Float64Array, f: Float64Array, s: Float64Array): number {
  let load = 0
  let force = 0
  for (let i = 0; i < b.length; i++) {
    load = Math.max(load, Math.abs(b[i]! * s[i]!))
    force = Math.max(force, Math.abs(f[i]! / s[i]!))
  }
  return Math.max(load, FORCE_SHARE * force)
}

/** a = A f − b. */
export function relativeAcceleration(problem: ContactProblem, f: Float64Array): Float64Array {
  problem.interrupt?.()
  const n = problem.size
  const a = new Float64Array(n)
  for (let i = 0; i < n; i++) a[i] = dot(problem.A, i * n, f, 0, n) - problem.b[i]!
  return a
}

/** Largest violation of any row's conditions, normalised; Infinity where f or a is not finite. */
export function residual(problem: ContactProblem, f: Float64Array, a: Float64Array = relativeAcceleration(problem, f)): number {
  let worst = 0
  for (const value of rowResiduals(problem, f, a)) {
    if (!(value < Infinity)) return Infinity
    worst = Math.max(worst, value)
  }
  return worst
}

/** The normalised violation of each row; that of a contact's friction or of a spin is stored at its first row. */
export function rowResiduals(problem: ContactProblem, f: Float64Array, a: Float64Array): Float64Array {
  const { size: n, b, kind, lower, upper } = problem
  const s = rowScales(problem)
  const scale = residualScale(b, f, s)
  const out = new Float64Array(n)
  if (scale === 0) return out
  for (let i = 0; i < n; i++) {
    const force = f[i]! / s[i]!
    const rate = a[i]! * s[i]!
    const type = kind[i]!
    if (type === ROW_FRICTION || type === ROW_SPIN) continue
    if (type === ROW_EQUALITY) out[i] = Math.abs(rate) / scale
    else if (type === ROW_BOX) {
      out[i] = Math.abs(force - Math.min(Math.max(force - rate, lower[i]! / s[i]!), upper[i]! / s[i]!)) / scale
    } else out[i] = Math.abs(Math.min(force, rate)) / scale
  }
  for (const contact of problem.friction) {
    const u = s[contact.normal]!
    out[contact.tangent1] = frictionResidual(
      contact, problem.level, f[contact.normal]! / u, f[contact.tangent1]! / u, f[contact.tangent2]! / u,
      a[contact.tangent1]! * u, a[contact.tangent2]! * u,
    ) / scale
  }
  for (const spin of problem.spin ?? []) out[spin.rows[0]!] = spinResidual(spin, f, a, s) / scale
  return out
}

/**
 * |τ − P(τ − a)| in equilibrated units, with P the projection onto the ball of the bound; for a sliding spin the difference of τ from the bound opposite to
 * the slip.
 */
function spinResidual({ normal, rows, limit, state, slip }: SpinRows, f: Float64Array, a: Float64Array, s: Float64Array): number {
  const u = s[rows[0]!]!
  const bound = limit * (normal < 0 ? 1 : Math.max(f[normal]!, 0)) / u
  const aim = rows.map((row, k) => state === 'sliding' ? -slip[k]! : f[row]! / u - a[row]! * u)
  const reach = Math.sqrt(aim.reduce((sum, value) => sum + value * value, 0))
  const shrink = state === 'sliding' ? bound : reach > bound ? bound / reach : 1
  return Math.sqrt(rows.reduce((sum, row, k) => {
    const off = f[row]! / u - aim[k]! * shrink
    return sum + off * off
  }, 0))
}

function frictionResidual(
  contact: FrictionRows, level: 'acceleration' | 'velocity', fn: number, f1: number, f2: number, a1: number, a2: number,
): number {
  const normal = Math.max(fn, 0)
  const slipping = slippingFriction(contact, level) * normal
  if (contact.state === 'sliding') return length(f1 + slipping * contact.slip1, f2 + slipping * contact.slip2)
  const slips = offDisc(f1, f2, a1, a2, slipping)
  const bound = contact.staticFriction * normal
  return slipping === bound ? slips : Math.min(slips, Math.max(length(a1, a2), length(f1, f2) - bound))
}

/** |f_t − P(f_t − a_t)| with P the projection onto the disc of radius `bound`. */
function offDisc(f1: number, f2: number, a1: number, a2: number, bound: number): number {
  const x = f1 - a1
  const y = f2 - a2
  const reach = length(x, y)
  const shrink = reach > bound ? bound / reach : 1
  return length(f1 - x * shrink, f2 - y * shrink)
}

function length(x: number, y: number): number {
  return Math.sqrt(x * x + y * y)
}
