/** Decides whether a solver's answer is accurate enough to continue. */

import type { ContactSolution } from '../../lcp/problem'

/** Normalised residual that is still accepted as a solution if the solver cannot improve it. */
const NEARLY_SOLVED = 1e-9

/** Solved to its tolerance, or up to rounding; the frame's certificate contains the residual. */
export function isSolved(solution: ContactSolution): boolean {
  return solution.status === 'solved' || (solution.status === 'limit' && solution.residual <= NEARLY_SOLVED)
}
