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
import { residual } from '../../../lcp/residual'
import { SOLVED_RESIDUAL } from '../../../math/tolerances'
import type { StepProblem, StepSolution, StepSolver } from '../step-problem'
import { denseProblem, exactFast } from './exact'
import { onIndexSet, type IndexSetSolution } from './on-index-set'
import { iterate, FAILED, ROUNDING } from './newton'

/** Rows up to which the index set is always solved. Larger islands are solved for it only at or near rest, where exactness shows. */
const ALWAYS_ROWS = 36
/** × the target accuracy: a guess of this accuracy indicates bodies that hardly move. */
const SETTLED = 1e3

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
        const exact = onIndexSet(denseProblem(step), step.p)
        step.warm = exact !== null
        if (exact !== null) {
          take(step, exact)
          return { ...iteration, solver: 'exact', residual: exact.residual }
        }
        // With spins, pivoting guesses their directions: far from a solution that is the longest search of all.
        if (lost && step.spin.length > 0) step.pivotingFailed = true
      }
      if (step.pivotingFailed || (!resting && (!lost || step.rows.count > ALWAYS_ROWS))) return iteration
      const pivoted = exactFast.solve(step, accuracy)
      return pivoted.solved ? pivoted : iteration
    },
  }
}

function take({ p, basis, slip }: StepProblem, found: IndexSetSolution): void {
  p.set(found.f)
  basis.set(found.basis)
  slip.set(found.slip)
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
