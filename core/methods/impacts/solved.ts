/** When a solver's answer is good enough to go on with. */

import type { ContactSolution } from '../../lcp/problem'

/** Normalised residual that is still called a solution where the solver could not do better. */
const NEARLY_SOLVED = 1e-9

/** Solved to its tolerance, or up to rounding; the frame's certificate has the residual. */
export function isSolved(solution: ContactSolution): boolean {
  return solution.status === 'solved' || (solution.status === 'limit' && solution.residual <= NEARLY_SOLVED)
}
