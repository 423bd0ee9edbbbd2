/** The index set of given forces and accelerations, for solvers without pivoting. */

import {
  BASIS_CLAMPED, BASIS_FREE, BASIS_LIMITED, BASIS_LOWER, BASIS_UPPER, ROW_BOX, ROW_EQUALITY, ROW_UNILATERAL, type FrictionRows,
} from './problem'
import type { ScaledProblem } from './scaling'

/**
 * Reads the index set off equilibrated forces and accelerations that nearly satisfy their conditions. A row is clamped if its force exceeds its
 * acceleration. A static contact slips if |a_t| exceeds `still` × the largest of |b| and |f|. For forces still far from a solution (`still` null), it slips
 * if |f_t − a_t| exceeds its bound.
 */
export function readIndexSet(
  problem: ScaledProblem, f: Float64Array, a: Float64Array, still: number | null,
): { basis: Uint8Array; slip: Float64Array } {
  const { size: n, kind, lower, upper, b } = problem
  const basis = new Uint8Array(n).fill(BASIS_FREE)
  const slip = new Float64Array(2 * problem.friction.length)
  let scale = 0
  for (let i = 0; i < n; i++) {
    scale = Math.max(scale, Math.abs(b[i]!), Math.abs(f[i]!))
    const force = f[i]!
    const rate = a[i]!
    if (kind[i] === ROW_BOX) basis[i] = force - rate <= lower[i]! ? BASIS_LOWER : force - rate >= upper[i]! ? BASIS_UPPER : BASIS_CLAMPED
    else if (kind[i] === ROW_EQUALITY || (kind[i] === ROW_UNILATERAL && force > rate)) basis[i] = BASIS_CLAMPED
  }
  problem.friction.forEach((contact, c) => {
    const { normal, tangent1, tangent2 } = contact
    if (basis[normal] !== BASIS_CLAMPED) return
    const a1 = a[tangent1]!
    const a2 = a[tangent2]!
    const size = Math.sqrt(a1 * a1 + a2 * a2)
    const sliding = contact.state === 'sliding'
    const slips = sliding || (still === null ? size > 0 && reachesBound(contact, f, a) : size > still * scale)
    basis[tangent1] = basis[tangent2] = slips ? BASIS_LIMITED : BASIS_CLAMPED
    if (!slips) return
    slip[2 * c] = sliding ? contact.slip1 : a1 / size
    slip[2 * c + 1] = sliding ? contact.slip2 : a2 / size
  })
  return { basis, slip }
}

/** Whether friction corrected by the remaining acceleration would leave its cone. */
function reachesBound({ normal, tangent1, tangent2, staticFriction }: FrictionRows, f: Float64Array, a: Float64Array): boolean {
  const x = f[tangent1]! - a[tangent1]!
  const y = f[tangent2]! - a[tangent2]!
  const bound = staticFriction * f[normal]!
  return x * x + y * y > bound * bound
}
