/**
 * All basic solutions of a configuration with few sliding contacts [Baraff92 ch. 10–11]. With dynamic friction a problem may have no solution
 * (inconsistent), one, or many (indeterminate); only enumeration of index sets decides which.
 *
 * Each subset of the sliding contacts is taken as closed (a_N = 0), the others as separated (f_N = 0); valid solutions are kept. If no other row is
 * undecided (only joints beside the sliding contacts), the problem is reduced to the sliding contacts, and each subset is a linear system of their number.
 * Otherwise the remaining rows are solved for each subset. Solutions with the same motion count once; the least-norm one represents them.
 */

import { SOLVED_RESIDUAL } from '../math/tolerances'
import { bySubsets, slidingContacts } from './closed-subset'
import { frictionOf } from './coefficients'
import { allBasicSolutions } from './complementary-bases'
import { solution, unscale } from './cone'
import { fastDantzig } from './dantzig'
import { solveFrozen } from './frozen'
import { readIndexSet } from './index-set'
import { leastNorm } from './least-norm'
import { polyhedralProblem } from './polyhedral'
import { ROW_EQUALITY, ROW_FRICTION, ROW_UNILATERAL, type ContactProblem, type ContactSolution } from './problem'
import { relativeAcceleration, residual } from './residual'
import { rowScales, scaleProblem, type ScaledProblem } from './scaling'
import { withSpin } from './with-spin'

export const MAX_ENUMERATED = 12
/** Largest difference of accelerations of the same motion, × the largest of |b| and |a|. */
const SAME_MOTION = 1e-9

/** Whether only the sliding contacts are undecided: every other row is clamped regardless of them. */
export function onlySlidingUndecided({ kind, friction, spin }: ContactProblem): boolean {
  if ((spin ?? []).length > 0 || friction.some(contact => contact.state !== 'sliding')) return false
  const normals = new Set(friction.map(contact => contact.normal))
  return kind.every((type, row) => type === ROW_EQUALITY || type === ROW_FRICTION || (type === ROW_UNILATERAL && normals.has(row)))
}

/** Basic solutions in the order of their subsets (empty subset first), or the reason why there was no enumeration. */
export function basicSolutions(problem: ContactProblem): ContactSolution[] | 'too many contacts' {
  const sliding = slidingContacts(problem)
  if (sliding.length > MAX_ENUMERATED) return 'too many contacts'
  const scales = rowScales(problem)
  const load = problem.b.reduce((most, value, i) => Math.max(most, Math.abs(value * scales[i]!)), 0)
  const found: ContactSolution[] = []
  const keep = (candidate: ContactSolution | undefined): void => {
    if (candidate && !found.some(other => sameMotion(other.a, candidate.a, scales, load))) found.push(candidate)
  }
  if (onlySlidingUndecided(problem)) {
    const scaled = scaleProblem(problem)
    const reduced = polyhedralProblem(scaled, frictionOf(problem), 0)
    for (const z of allBasicSolutions(reduced.M, reduced.q)) keep(withForces(problem, scaled, reduced.forces(z)))
  } else {
    for (const candidate of bySubsets(problem, SOLVED_RESIDUAL, reduced => withSpin(fastDantzig).solve(reduced))) keep(candidate)
  }
  return found.map(solution => leastNorm(problem, solution))
}

/** The solution with these equilibrated forces, if they are valid. */
function withForces(problem: ContactProblem, scaled: ScaledProblem, force: Float64Array): ContactSolution | undefined {
  const { basis, slip } = readIndexSet(scaled, force, relativeAcceleration(scaled, force), STILL)
  const { f, a } = solveFrozen(problem, basis, slip)
  const worst = residual(problem, f, a)
  if (worst <= SOLVED_RESIDUAL) return solution({ f, a, residual: worst, basis, slip }, 'solved', 0, false)
  const given = unscale(scaled, force)
  const rates = relativeAcceleration(problem, given)
  const error = residual(problem, given, rates)
  return error <= SOLVED_RESIDUAL ? solution({ f: given, a: rates, residual: error, basis, slip }, 'solved', 0, false) : undefined
}

/** Relative acceleration below which a static contact would stick. Without effect here: there are no static contacts. */
const STILL = 1e-9

/** @param s scales of the rows; @param load the largest |b|, equilibrated */
function sameMotion(x: Float64Array, y: Float64Array, s: Float64Array, load: number): boolean {
  for (let i = 0; i < s.length; i++) {
    const scale = Math.max(load, Math.abs(x[i]! * s[i]!), Math.abs(y[i]! * s[i]!))
    if (Math.abs(x[i]! - y[i]!) * s[i]! > SAME_MOTION * scale) return false
  }
  return true
}
