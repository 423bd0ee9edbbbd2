/** The exact solution on the index set that nearly solved impulses indicate. */

import { scaleForces, unscale } from '../../../lcp/cone'
import { solveFrozen } from '../../../lcp/frozen'
import { readIndexSet } from '../../../lcp/index-set'
import { newtonOnIndexSet } from '../../../lcp/newton'
import { BASIS_LIMITED, type ContactProblem } from '../../../lcp/problem'
import { relativeAcceleration, residual } from '../../../lcp/residual'
import { scaleProblem } from '../../../lcp/scaling'
import { newtonWithSpin } from '../../../lcp/with-spin'
import { SOLVED_RESIDUAL } from '../../../math/tolerances'
import { STUCK } from '../tolerances'

export interface IndexSetSolution {
  readonly f: Float64Array
  readonly basis: Uint8Array
  readonly slip: Float64Array
  /** Normalised. */
  readonly residual: number
}

/** @param p nearly solved impulses @returns null if the index set is invalid */
export function onIndexSet(problem: ContactProblem, p: Float64Array): IndexSetSolution | null {
  if ((problem.spin?.length ?? 0) > 0) return withSpins(problem, p)
  const scaled = scaleProblem(problem)
  const start = scaleForces(scaled, p)
  const { basis, slip } = readIndexSet(scaled, start, relativeAcceleration(scaled, start), STUCK)
  const slips = problem.friction.some(({ tangent1 }) => basis[tangent1] === BASIS_LIMITED)
  const f = slips ? unscale(scaled, newtonOnIndexSet(scaled, basis, slip, start).f) : solveFrozen(problem, basis, slip).f
  const worst = residual(problem, f)
  return worst <= SOLVED_RESIDUAL ? { f, basis, slip, residual: worst } : null
}

/** The same with spins. */
function withSpins(problem: ContactProblem, p: Float64Array): IndexSetSolution | null {
  const found = newtonWithSpin(problem, SOLVED_RESIDUAL, p)
  return found.status === 'solved' ? { f: found.f, basis: found.basis, slip: found.slip, residual: found.residual } : null
}
