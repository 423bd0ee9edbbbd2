/**
 * All basic solutions of a configuration with few sliding contacts [Baraff92 ch. 10–11]: with dynamic friction a problem may have none
 * (inconsistent), one, or many (indeterminate), and only trying every index set tells.
 *
 * Each subset of the sliding contacts is taken as closed (a_N = 0), the others as parted (f_N = 0); the rest of the problem is solved as it
 * is, and what meets every condition is kept. Solutions with the same motion count once, as the least-norm one among them.
 */

import { dantzig } from './dantzig'
import { withSpin } from './with-spin'
import { closeSubset, slidingContacts } from './closed-subset'
import { leastNorm } from './least-norm'
import type { ContactProblem, ContactSolution } from './problem'
import { rowScales } from './scaling'
import { SOLVED_RESIDUAL } from '../math/tolerances'

export const MAX_ENUMERATED = 12
/** Accelerations closer than this are one motion, × the largest of |b| and |a|. */
const SAME_MOTION = 1e-9

/** The basic solutions in the order of their subsets (none closed first), or why they were not sought. */
export function basicSolutions(problem: ContactProblem): ContactSolution[] | 'too many contacts' {
  const sliding = slidingContacts(problem)
  if (sliding.length > MAX_ENUMERATED) return 'too many contacts'
  const found: ContactSolution[] = []
  for (let subset = 0; subset < 1 << sliding.length; subset++) {
    const closed = new Set(sliding.filter((_, k) => (subset >> k) & 1).map(contact => contact.normal))
    const candidate = closeSubset(problem, closed, SOLVED_RESIDUAL, reduced => withSpin(dantzig).solve(reduced))
    if (!candidate || found.some(other => sameMotion(problem, other.a, candidate.a))) continue
    found.push(leastNorm(problem, candidate))
  }
  return found
}

function sameMotion(problem: ContactProblem, x: Float64Array, y: Float64Array): boolean {
  const s = rowScales(problem)
  let scale = 0
  let apart = 0
  for (let i = 0; i < problem.size; i++) {
    scale = Math.max(scale, Math.abs(problem.b[i]! * s[i]!), Math.abs(x[i]! * s[i]!), Math.abs(y[i]! * s[i]!))
    apart = Math.max(apart, Math.abs(x[i]! - y[i]!) * s[i]!)
  }
  return apart <= SAME_MOTION * scale
}
