/** The exact solution on the index set that nearly solved impulses indicate. */

import { dantzig } from '../../../lcp'
import { scaleForces, unscale } from '../../../lcp/cone'
import { solveFrozen } from '../../../lcp/frozen'
import { readIndexSet } from '../../../lcp/index-set'
import { newtonOnIndexSet } from '../../../lcp/newton'
import { BASIS_CLAMPED, BASIS_FREE, BASIS_LIMITED, type ContactProblem } from '../../../lcp/problem'
import { relativeAcceleration, residual } from '../../../lcp/residual'
import { scaleProblem } from '../../../lcp/scaling'
import { sizeOf, slipLength, spinBound, spinsOf } from '../../../lcp/spin'
import { SOLVED_RESIDUAL } from '../../../math/tolerances'
import { STUCK } from '../tolerances'

/** Share of its bound by which a spin may miss it and still count as slipping. */
const AT_BOUND = 1e-9

export interface IndexSetSolution {
  readonly f: Float64Array
  readonly basis: Uint8Array
  readonly slip: Float64Array
  /** Normalised. */
  readonly residual: number
}

/** @param p nearly solved impulses @returns null if the index set is invalid */
export function onIndexSet(problem: ContactProblem, p: Float64Array): IndexSetSolution | null {
  const scaled = scaleProblem(problem)
  const start = scaleForces(scaled, p)
  const { basis, slip } = readIndexSet(scaled, start, relativeAcceleration(scaled, start), STUCK)
  if ((problem.spin?.length ?? 0) > 0) return withSpins(problem, p, basis, slip)
  const slips = problem.friction.some(({ tangent1 }) => basis[tangent1] === BASIS_LIMITED)
  const f = slips ? unscale(scaled, newtonOnIndexSet(scaled, basis, slip, start).f) : solveFrozen(problem, basis, slip).f
  const worst = residual(problem, f)
  return worst <= SOLVED_RESIDUAL ? { f, basis, slip, residual: worst } : null
}

/** The same with spins: their impulse indicates whether each sticks or slips. */
function withSpins(problem: ContactProblem, p: Float64Array, places: Uint8Array, slips: Float64Array): IndexSetSolution | null {
  const basis = places.slice()
  const slip = new Float64Array(slipLength(problem))
  slip.set(slips)
  for (const { spin, at } of spinsOf(problem)) {
    const { rows, normal } = spin
    const impulse = rows.map(row => p[row]!)
    const size = sizeOf(impulse)
    const turns = size >= (1 - AT_BOUND) * spinBound(spin, p)
    for (const row of rows) basis[row] = normal >= 0 && basis[normal] !== BASIS_CLAMPED ? BASIS_FREE : turns ? BASIS_LIMITED : BASIS_CLAMPED
    if (turns && size > 0) slip.set(impulse.map(value => -value / size), at)
  }
  const found = dantzig.solve(problem, { start: { basis, slip } })
  return found.status === 'solved' ? { f: found.f, basis: found.basis, slip: found.slip, residual: found.residual } : null
}
