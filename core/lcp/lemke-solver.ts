/**
 * Lemke's algorithm as a solver of contact problems. The friction cone is approximated by a pyramid (`polyhedral.ts`); then Newton's method on the index set
 * found gives the exact cone. If that index set is not valid for the cone, sweeps continue from the pyramid's forces to a valid one (`swept.ts`). On a ray
 * the LCP has no solution that Lemke's algorithm can reach. In a sliding configuration this is Painlevé's inconsistency, and the ray is the contact impulse
 * [Baraff92 §13.2].
 */

import { SOLVED_RESIDUAL } from '../math/tolerances'
import { tryBasis } from './basis'
import { exactOnIndexSet, solution, unscale, type Candidate } from './cone'
import { frictionOf, solveWithOnset } from './coefficients'
import { readIndexSet } from './index-set'
import { lemke } from './lemke'
import { polyhedralProblem } from './polyhedral'
import type { ContactProblem, ContactSolution, ContactSolver, SolveOptions } from './problem'
import { relativeAcceleration, residual } from './residual'
import { scaleProblem, type ScaledProblem } from './scaling'
import { bySweeps } from './swept'

export const lemkeSolver: ContactSolver = { name: 'lemke', solve }

/** Edges of the friction pyramid, tried in turn; problems of more than `FINE_ROWS` rows use the coarse ones, because the tableau grows with them. */
const FINE = [8, 16, 32] as const
const COARSE = [8, 6, 16] as const
const FINE_ROWS = 60
/** Relative acceleration below which a contact sticks in the pyramid's solution, × the largest of |b| and |f|. */
const STILL = 1e-9

function solve(problem: ContactProblem, options: SolveOptions = {}): ContactSolution {
  const tolerance = options.tolerance ?? SOLVED_RESIDUAL
  if (options.start) {
    const hit = tryBasis(problem, options.start, tolerance)
    if (hit) return hit
  }
  return solveWithOnset(problem, tolerance, uniform => {
    const scaled = scaleProblem(uniform)
    return solveByLemke(uniform, scaled, tolerance, Infinity, options.maxPivots,
      pyramid => bySweeps(uniform, scaled, frictionOf(uniform), tolerance, pyramid.slice()))
  })
}

/**
 * One coefficient per contact, no warm start; problems of more than `mostRows` rows are not attempted. `refine` may lead from the pyramid's equilibrated
 * forces to those of the cone.
 */
export function solveByLemke(
  problem: ContactProblem, scaled: ScaledProblem, tolerance: number, mostRows: number, maxPivots?: number,
  refine?: (pyramid: Float64Array) => Candidate | undefined,
): ContactSolution {
  const friction = frictionOf(problem)
  const statics = problem.friction.some(contact => contact.state === 'static')
  let pivots = 0
  let best: Candidate | undefined
  let status: 'ray' | 'limit' = 'limit'
  let ray: Float64Array | undefined
  const pyramids = problem.size <= FINE_ROWS ? FINE : COARSE
  for (const edges of problem.size > mostRows ? [] : statics ? pyramids : pyramids.slice(0, 1)) {
    const pyramid = polyhedralProblem(scaled, friction, edges)
    const found = lemke(pyramid.M, pyramid.q, maxPivots)
    pivots += found.pivots
    if (found.status === 'ray') {
      ray = unscale(scaled, pyramid.direction(found.ray))
      if (problem.level === 'acceleration') status = 'ray'
      break
    }
    const f = pyramid.forces(found.z)
    const set = readIndexSet(scaled, f, relativeAcceleration(scaled, f), STILL)
    let exact = exactOnIndexSet(problem, scaled, set.basis, set.slip, f, tolerance)
    if (exact.residual > tolerance) exact = refine?.(f) ?? exact
    if (!best || exact.residual < best.residual) best = exact
    if (best.residual <= tolerance) return solution(best, 'solved', pivots, false)
  }
  const f = new Float64Array(problem.size)
  const a = relativeAcceleration(problem, f)
  best ??= { f, a, residual: residual(problem, f, a), ...readIndexSet(scaled, f, relativeAcceleration(scaled, f), STILL) }
  return solution(best, status, pivots, false, ray)
}
