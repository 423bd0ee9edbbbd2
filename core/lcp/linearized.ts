/**
 * Forces of an index set with linearised friction of slipping static contacts: one step of Newton's method, at the cost of one least-norm linear solve.
 *
 * A slipping contact has f_t = −μ f_N a_t/|a_t|. About a direction of slip ŝ, with ŝ⊥ across it,
 *
 *   f_t = −μ f_N ŝ + τ ŝ⊥        a_t·ŝ⊥ + κ τ = 0        κ = |a_t| / μ f_N
 *
 * so friction across the slip adds one compliant clamped row. The system remains that of the clamped rows with slaved friction, and the directions converge
 * quadratically.
 */

import { rangeLeastNorm, semidefiniteLeastNorm } from '../math/least-norm'
import { dot } from '../math/factor'
import { PIVOT_ZERO } from '../math/tolerances'
import { BASIS_CLAMPED, BASIS_LIMITED, BASIS_LOWER, BASIS_UPPER } from './problem'
import { slippingFriction, type ScaledProblem } from './scaling'

/** Compliance above which friction across the slip is neglected. */
const SOFT = 1e6

/**
 * @param compliance κ of each contact, Infinity for no friction across the slip
 * @param near the result is nearest to these forces, instead of the origin (least norm)
 * @returns equilibrated forces; null if the system has no solution of full rank
 */
export function linearizedForces(
  problem: ScaledProblem, basis: Uint8Array, slip: Float64Array, compliance: Float64Array, near?: Float64Array,
): Float64Array | null {
  const { size: n, A, b, contactOf, friction } = problem
  const f = new Float64Array(n)
  const rows: number[] = []
  // Contacts with a separate row for friction across the slip, after the clamped rows.
  const across: number[] = []
  let bounded = false
  let slaved = false
  for (let i = 0; i < n; i++) {
    const place = basis[i]!
    if (place === BASIS_LOWER || place === BASIS_UPPER) {
      f[i] = place === BASIS_LOWER ? problem.lower[i]! : problem.upper[i]!
      bounded ||= f[i] !== 0
    }
    if (place !== BASIS_CLAMPED) continue
    rows.push(i)
    const c = contactOf[i]!
    if (c < 0 || friction[c]!.normal !== i || basis[friction[c]!.tangent1] !== BASIS_LIMITED) continue
    slaved = true
    // Next to its normal row, so that coupled rows stay neighbours.
    if (friction[c]!.state === 'static' && compliance[c]! < SOFT) rows.push(-1 - c)
  }
  const m = rows.length
  // Row r of A and b, in the combination that r represents.
  const rate = new Float64Array(m * n)
  const rhs = new Float64Array(m)
  for (let r = 0; r < m; r++) {
    const i = rows[r]!
    if (i >= 0) {
      rate.set(A.subarray(i * n, i * n + n), r * n)
      rhs[r] = b[i]!
    } else {
      const c = -1 - i
      across.push(c)
      const { tangent1: p, tangent2: q } = friction[c]!
      const x = -slip[2 * c + 1]!
      const y = slip[2 * c]!
      for (let j = 0; j < n; j++) rate[r * n + j] = x * A[p * n + j]! + y * A[q * n + j]!
      rhs[r] = x * b[p]! + y * b[q]!
    }
    if (bounded) rhs[r]! -= dot(rate, r * n, f, 0, n)
  }
  const S = new Float64Array(m * m)
  for (let s = 0; s < m; s++) {
    const j = rows[s]!
    if (j >= 0) {
      for (let r = 0; r < m; r++) S[r * m + s] = rate[r * n + j]!
      continue
    }
    const c = -1 - j
    const { tangent1: p, tangent2: q } = friction[c]!
    const x = -slip[2 * c + 1]!
    const y = slip[2 * c]!
    for (let r = 0; r < m; r++) S[r * m + s] = x * rate[r * n + p]! + y * rate[r * n + q]!
    S[s * m + s]! += compliance[c]!
  }
  let M = S
  const weights = new Float64Array(m).fill(1)
  const from = new Float64Array(m)
  if (slaved) M = S.slice()
  for (let s = 0; s < m; s++) {
    const i = rows[s]!
    if (i < 0) {
      const c = -1 - i
      const { tangent1: p, tangent2: q } = friction[c]!
      if (near) from[s] = near[q]! * slip[2 * c]! - near[p]! * slip[2 * c + 1]!
      continue
    }
    if (near) from[s] = near[i]!
    const c = contactOf[i]!
    if (!slaved || c < 0 || friction[c]!.normal !== i || basis[friction[c]!.tangent1] !== BASIS_LIMITED) continue
    const { tangent1: p, tangent2: q } = friction[c]!
    const mu = slippingFriction(friction[c]!, problem.level)
    const weight = Math.sqrt(1 + mu * mu)
    weights[s] = weight
    from[s]! *= weight
    const x = -mu * slip[2 * c]!
    const y = -mu * slip[2 * c + 1]!
    for (let r = 0; r < m; r++) M[r * m + s] = (S[r * m + s]! + x * rate[r * n + p]! + y * rate[r * n + q]!) / weight
  }
  if (near) for (let r = 0; r < m; r++) rhs[r]! -= dot(M, r * m, from, 0, m)
  const found = slaved ? rangeLeastNorm(S, m, M, m, rhs, PIVOT_ZERO, m, true)?.x : semidefiniteLeastNorm(S, m, rhs, PIVOT_ZERO).x
  if (found === undefined) return null
  for (let s = 0; s < m; s++) found[s] = (found[s]! + from[s]!) / weights[s]!
  for (let s = 0; s < m; s++) {
    const i = rows[s]!
    if (i >= 0) {
      f[i] = f[i]! + found[s]!
      const c = contactOf[i]!
      if (c < 0 || friction[c]!.normal !== i || basis[friction[c]!.tangent1] !== BASIS_LIMITED) continue
      const mu = slippingFriction(friction[c]!, problem.level)
      f[friction[c]!.tangent1]! -= mu * found[s]! * slip[2 * c]!
      f[friction[c]!.tangent2]! -= mu * found[s]! * slip[2 * c + 1]!
    } else {
      const c = -1 - i
      f[friction[c]!.tangent1]! -= found[s]! * slip[2 * c + 1]!
      f[friction[c]!.tangent2]! += found[s]! * slip[2 * c]!
    }
  }
  return f
}
