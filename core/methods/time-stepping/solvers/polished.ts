/**
 * Small islands. Newton's method in the velocities, or the accelerated iteration, finds the index set of holding, sticking and slipping contacts.
 * Newton's method on that index set then refines the impulses to rounding with the exact cone (De Saxcé's condition is equivalent to Coulomb's law).
 * Pivoting alone would be as exact, but if forces are not unique (a box on four corners) it may return different ones in each linearisation of a
 * step; the iteration stays near its start.
 *
 * If the index set is invalid (contacts at the limit of slipping), the iteration's result is used, with its residual. If the iteration was far from
 * convergence, Dantzig's pivoting is tried, but only its fast variants. The slow ones would take seconds in wedged piles, for a problem that a halved step or
 * the iteration's result settles at once.
 */

import { solveFrozen } from '../../../lcp/frozen'
import { newtonOnIndexSet } from '../../../lcp/newton'
import { scaleForces, unscale } from '../../../lcp/cone'
import { readIndexSet } from '../../../lcp/index-set'
import { dantzig } from '../../../lcp'
import { BASIS_CLAMPED, BASIS_FREE, BASIS_LIMITED, type ContactProblem } from '../../../lcp/problem'
import { sizeOf, slipLength, spinBound, spinsOf } from '../../../lcp/spin'
import { relativeAcceleration, residual } from '../../../lcp/residual'
import { scaleProblem } from '../../../lcp/scaling'
import { SOLVED_RESIDUAL } from '../../../math/tolerances'
import type { StepProblem, StepSolution, StepSolver } from '../step-problem'
import { denseProblem, exactFast } from './exact'
import { iterate, FAILED, ROUNDING } from './newton'
import { STUCK } from '../tolerances'

/** Rows up to which the index set is always solved. Larger islands are solved for it only at or near rest, where exactness shows. */
const ALWAYS_ROWS = 36
/** × the target accuracy: a guess of this accuracy indicates bodies that hardly move. */
const SETTLED = 1e3
/** Share of its bound by which a spin may miss it and still count as slipping. */
const AT_BOUND = 1e-9

export const polished: StepSolver = polishing(false)

/** For resting bodies. Any residual of the iteration would move them, so pivoting is used whenever the iteration is not exact. */
export const polishedAtRest: StepSolver = polishing(true)

function polishing(resting: boolean): StepSolver {
  return {
    name: 'exact',
    exact: true,
    solve(step, accuracy) {
      const held = step.warm ? remembered(step) : null
      if (held !== null) return held
      const { guess, ...iteration } = iterate(step, accuracy)
      if (iteration.residual <= ROUNDING * accuracy) return { ...iteration, solver: 'exact' }
      step.warm = false
      const lost = iteration.residual > FAILED * accuracy
      if (!(lost && step.pivotingFailed) && (resting || step.rows.count <= ALWAYS_ROWS || guess <= SETTLED * accuracy)) {
        const exact = onIndexSet(step)
        if (exact !== null) return { ...iteration, solver: 'exact', residual: exact }
        // With spins and no nearby solution this was the longest search, so it is not repeated.
        if (lost && step.spin.length > 0) step.pivotingFailed = true
      }
      if (step.pivotingFailed || (!resting && (!lost || step.rows.count > ALWAYS_ROWS))) return iteration
      const pivoted = exactFast.solve(step, accuracy)
      return pivoted.solved ? pivoted : iteration
    },
  }
}

/** The impulses of the last index set if it is still valid; otherwise null. */
function remembered(step: StepProblem): StepSolution | null {
  const problem = denseProblem(step)
  const { f, a } = solveFrozen(problem, step.basis, step.slip)
  const worst = residual(problem, f, a)
  if (!(worst <= SOLVED_RESIDUAL)) return null
  step.p.set(f)
  return { solved: true, solver: 'exact', iterations: 0, residual: worst, basisHit: true, history: new Float64Array(0) }
}

/** Replaces the impulses by the exact solution on the index set that they indicate. @returns its residual, or null if the index set is invalid */
function onIndexSet(step: StepProblem): number | null {
  const problem = denseProblem(step)
  const scaled = scaleProblem(problem)
  const start = scaleForces(scaled, step.p)
  const { basis, slip } = readIndexSet(scaled, start, relativeAcceleration(scaled, start), STUCK)
  if (step.spin.length > 0) return withSpins(step, problem, basis, slip)
  const slips = problem.friction.some(({ tangent1 }) => basis[tangent1] === BASIS_LIMITED)
  const f = slips ? unscale(scaled, newtonOnIndexSet(scaled, basis, slip, start).f) : solveFrozen(problem, basis, slip).f
  const worst = residual(problem, f)
  step.warm = worst <= SOLVED_RESIDUAL
  if (!step.warm) return null
  step.p.set(f)
  step.basis.set(basis)
  step.slip.set(slip)
  return worst
}

/** The same with spins: their impulse indicates whether each sticks or slips. */
function withSpins(step: StepProblem, problem: ContactProblem, places: Uint8Array, slips: Float64Array): number | null {
  const basis = places.slice()
  const slip = new Float64Array(slipLength(problem))
  slip.set(slips)
  for (const { spin, at } of spinsOf(problem)) {
    const { rows, normal } = spin
    const impulse = rows.map(row => step.p[row]!)
    const size = sizeOf(impulse)
    const turns = size >= (1 - AT_BOUND) * spinBound(spin, step.p)
    for (const row of rows) basis[row] = normal >= 0 && basis[normal] !== BASIS_CLAMPED ? BASIS_FREE : turns ? BASIS_LIMITED : BASIS_CLAMPED
    if (turns && size > 0) slip.set(impulse.map(value => -value / size), at)
  }
  const found = dantzig.solve(problem, { start: { basis, slip } })
  if (found.status !== 'solved') return null
  step.p.set(found.f)
  step.basis.set(found.basis)
  step.slip.set(found.slip)
  return found.residual
}
