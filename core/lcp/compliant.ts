/**
 * Slightly compliant contact: with ε > 0 each force is an explicit function of the relative acceleration of its row,
 *
 *   y = −a/ε      equality f = y      unilateral f = max(0, y)      box f = clamp(y)      contact f_N = max(0, y_N), f_t = P(y_t)
 *
 * (P projects onto the disc of radius μ f_N). This is the exact Coulomb law of the problem with A + ε. With A = L Lᵀ the only unknown is w = Lᵀf, of the
 * size of the rank: w = Lᵀ f(L w − b). Newton's method with a line search follows w from a soft problem (ε = 1) to a hard one. The compliant problem has no
 * ties, no cycles and no choice among redundant contacts. As ε → 0 the forces tend to those of least norm. The method is used where pivoting fails; it finds
 * an index set that `newton.ts` then solves exactly.
 */

import { CompliantPath, MAX_COMPLIANCE, type IndexSet } from './compliant-path'
import type { ScaledProblem } from './scaling'

/** The smallest compliance. */
const MIN_COMPLIANCE = 1e-9
/** Compliance below which exact contact is tried. */
const EXACT_BELOW = 1e-3
const MAX_STAGES = 60

/**
 * Follows the path of solutions from soft to hard contact, then to exact contact by the proximal iteration f ← f(A + ε, b + ε f), which keeps ε and removes
 * its effect. `attempt` receives the index sets found, and ends the search by returning true.
 *
 * @param friction coefficient of each contact, the same for sticking and slipping
 * @returns number of Newton steps
 */
export function followCompliance(problem: ScaledProblem, friction: Float64Array, attempt: (set: IndexSet) => boolean): number {
  const path = new CompliantPath(problem, friction)
  let ratio = 0.1
  let solved: Float64Array | undefined
  for (let stage = 0; stage < MAX_STAGES && path.epsilon > MIN_COMPLIANCE; stage++) {
    const before = path.epsilon
    if (solved) path.harden(solved, ratio)
    if (path.converge()) {
      solved = path.w.slice()
      if (path.epsilon <= EXACT_BELOW) {
        if (path.refine(attempt)) return path.steps
        path.offset.fill(0)
        path.w.set(solved)
      }
      ratio = Math.max(ratio * ratio, 0.05)
    } else if (!solved) {
      if (before > MAX_COMPLIANCE) break
      path.epsilon = 20
      ratio = 0.5
    } else {
      path.epsilon = before
      ratio = Math.sqrt(ratio)
      if (ratio > 0.9) break
    }
  }
  return path.steps
}
