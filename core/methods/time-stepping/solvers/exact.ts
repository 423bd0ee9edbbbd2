/** The pivoting solvers of `core/lcp` on the dense matrix of a small island. */

import { dantzig, lemkeSolver, type ContactProblem, type ContactSolver } from '../../../lcp'
import { fastDantzig } from '../../../lcp/dantzig'
import type { StepProblem, StepSolution, StepSolver } from '../step-problem'

/** Normalised residual accepted as rounding. */
export const NEARLY_SOLVED = 1e-9

export const exactDantzig: StepSolver = exact(dantzig)
export const exactLemke: StepSolver = exact(lemkeSolver)
/** Guesses, repairs and pivots index sets, without the slow fallbacks. */
export const exactFast: StepSolver = exact(fastDantzig)

function exact(solver: ContactSolver): StepSolver {
  return {
    name: solver.name,
    exact: true,
    solve(step: StepProblem): StepSolution {
      const problem = denseProblem(step)
      const start = step.warm ? { start: { basis: step.basis.slice(), slip: step.slip.slice() } } : {}
      const found = solver.solve(problem, start)
      const solved = found.status === 'solved' || (found.status === 'limit' && found.residual <= NEARLY_SOLVED)
      if (solved) {
        step.p.set(found.f)
        step.basis.set(found.basis)
        step.slip.set(found.slip)
        step.warm = true
      }
      return { solved, solver: solver.name, iterations: found.pivots, residual: found.residual, basisHit: found.basisHit, history: found.history }
    },
  }
}

/** The step's problem with its matrix. */
export function denseProblem({ rows, kind, lower, upper, friction, spin, b }: StepProblem): ContactProblem {
  const size = rows.count
  const A = new Float64Array(size * size)
  rows.delassus(A)
  return { size, A, b, kind, lower, upper, friction, spin, level: 'velocity' }
}
