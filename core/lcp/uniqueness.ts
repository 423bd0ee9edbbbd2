/**
 * Whether a problem with sliding contacts can have several solutions or none, by a test that is cheaper than solving it.
 *
 * With the friction of sliding contacts slaved to their normal forces, a = M f − b with M = A_NN − μ_d A_Ns unsymmetric. If M + Mᵀ is positive semidefinite,
 * the complementarity problem is monotone: its solutions form one convex set [Cottle, Pang and Stone 1992, §3.1], so there are no separate motions.
 */

import { ROW_FRICTION, type ContactProblem } from './problem'

/** Pivots above −this × the largest diagonal element count as zero: A is normally rank-deficient. */
const ROUNDING = 1e-9

/** False if there are no separate motions. Static contacts keep their state: their friction is bounded but not slaved. */
export function mayBeIndeterminate({ size: n, A, kind, friction }: ContactProblem): boolean {
  const sliding = friction.filter(contact => contact.state === 'sliding' && contact.dynamicFriction > 0)
  if (sliding.length === 0) return false
  const slaved = new Uint8Array(n)
  for (const { tangent1, tangent2 } of sliding) slaved[tangent1] = slaved[tangent2] = 1
  const rows = [...kind.keys()].filter(i => kind[i] !== ROW_FRICTION || slaved[i] === 0)
  const m = rows.length
  const at = new Map(rows.map((row, k) => [row, k]))
  const S = new Float64Array(m * m)
  rows.forEach((i, r) => rows.forEach((j, s) => {
    S[r * m + s] = 2 * A[i * n + j]!
  }))
  for (const { normal, tangent1, tangent2, dynamicFriction, slip1, slip2 } of sliding) {
    const column = at.get(normal)!
    rows.forEach((i, r) => {
      const coupling = -dynamicFriction * (A[i * n + tangent1]! * slip1 + A[i * n + tangent2]! * slip2)
      S[r * m + column] = S[r * m + column]! + coupling
      S[column * m + r] = S[column * m + r]! + coupling
    })
  }
  return !isPositiveSemidefinite(S, m)
}

/** LDLᵀ factorisation with the largest diagonal element as pivot; overwrites `S`. */
function isPositiveSemidefinite(S: Float64Array, m: number): boolean {
  let largest = 0
  for (let i = 0; i < m; i++) largest = Math.max(largest, Math.abs(S[i * m + i]!))
  const tolerance = ROUNDING * largest
  const left = Array.from({ length: m }, (_, i) => i)
  while (left.length > 0) {
    let best = 0
    for (let k = 0; k < left.length; k++) {
      const d = S[left[k]! * m + left[k]!]!
      if (d < -tolerance) return false
      if (d > S[left[best]! * m + left[best]!]!) best = k
    }
    const p = left[best]!
    const pivot = S[p * m + p]!
    left[best] = left[left.length - 1]!
    left.pop()
    if (pivot <= tolerance) {
      // A zero diagonal element with a nonzero element in its row means indefinite.
      return left.every(i => Math.abs(S[i * m + p]!) <= tolerance && left.every(j => Math.abs(S[i * m + j]!) <= tolerance))
    }
    for (const i of left) {
      const share = S[i * m + p]! / pivot
      if (share === 0) continue
      for (const j of left) S[i * m + j] = S[i * m + j]! - share * S[p * m + j]!
    }
  }
  return true
}
