/**
 * Warm start from the last index set [Baraff92 §8.2, §13.3]: one linear solve (a few Newton steps where friction slips) instead of pivoting. The result is
 * accepted only if it satisfies every condition. If a few rows violate their conditions, their states are changed (`repair.ts`).
 */

import { exactOnIndexSet, solution } from './cone'
import { BASIS_CONE, BASIS_FREE, BASIS_LIMITED, ROW_UNILATERAL, type ContactProblem, type ContactSolution, type SolveOptions } from './problem'
import { repair } from './repair'
import { mayStartToSlip } from './coefficients'
import { scaleProblem, type ScaledProblem } from './scaling'
import { solveFrozen } from './frozen'
import { residual } from './residual'

/** Normalised residual above which an index set is far from any solution and no search for other forces is made. */
const MAX_ERROR = 100

/** The solution of the start basis, or undefined if it does not fit the problem or is no longer valid. */
export function tryBasis(
  problem: ContactProblem, start: NonNullable<SolveOptions['start']>, tolerance: number, scaled?: ScaledProblem,
): ContactSolution | undefined {
  const { basis, slip } = start
  if (basis.length !== problem.size || slip.length !== 2 * problem.friction.length) return undefined
  const directions = slip.slice()
  problem.friction.forEach((contact, c) => {
    if (contact.state !== 'sliding') return
    directions[2 * c] = contact.slip1
    directions[2 * c + 1] = contact.slip2
  })
  const frozen = solveFrozen(problem, basis, directions)
  const worst = residual(problem, frozen.f, frozen.a)
  if (worst <= tolerance) {
    return solution({ f: frozen.f, a: frozen.a, residual: worst, basis: basis.slice(), slip: directions }, 'solved', 0, true)
  }
  const system = scaled ?? scaleProblem(problem)
  if (!mayStartToSlip(problem)) {
    const mended = repair(problem, system, { basis, slip: directions }, tolerance)
    if (mended.found) {
      const kept = mended.found.basis.every((place, i) => place === basis[i])
      return solution(mended.found, 'solved', kept ? 0 : mended.rounds, kept)
    }
    if (worst > MAX_ERROR || !separatingRowsHold(system, basis, frozen.a, tolerance)) return undefined
  }
  const slips = problem.friction.some((contact, c) => contact.state === 'static' &&
    basis[contact.tangent1] === BASIS_LIMITED && (slip[2 * c] !== 0 || slip[2 * c + 1] !== 0))
  const redundant = basis.some(place => place === BASIS_CONE) || frozen.residual <= tolerance
  if (!slips && !redundant) return undefined
  const from = new Float64Array(problem.size)
  for (let i = 0; i < problem.size; i++) from[i] = frozen.f[i]! / system.scale[i]!
  const found = exactOnIndexSet(problem, system, basis, directions, from, tolerance)
  return found.residual <= tolerance ? solution(found, 'solved', 0, true) : undefined
}

/** Whether no row without force approaches. Other forces of the same index set give the same motion, so a search for them is useful only in this case. */
function separatingRowsHold(system: ScaledProblem, basis: Uint8Array, a: Float64Array, tolerance: number): boolean {
  let scale = 0
  for (const value of system.b) scale = Math.max(scale, Math.abs(value))
  return basis.every((place, i) => place !== BASIS_FREE || system.kind[i] !== ROW_UNILATERAL || a[i]! * system.scale[i]! >= -tolerance * scale)
}
