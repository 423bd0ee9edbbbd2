/**
 * The linear complementarity problem of Stewart and Trinkle [PEG17 eq. 8–9], by Lemke's algorithm or by Dantzig's pivoting, with a friction pyramid
 * instead of the cone. A block pushed midway between two of its d directions has only cos(π/d) of its friction; the relative error decreases with d².
 * If pivoting fails, which is possible with an unsymmetric matrix, Lemke's algorithm is used.
 *
 * `slack` is the paper's mixed problem [PEG17 eq. 48–49], by Lemke's algorithm: constraints include all candidates, and the solution itself selects
 * the one that separates the features, instead of an outer loop.
 */

import { solvePyramid } from '../../../lcp/pyramid'
import type { StepSolver } from '../step-problem'
import { denseProblem, NEARLY_SOLVED } from './exact'

const NONE = new Float64Array(0)
const ALGORITHMS = { lemke: ['lemke'], dantzig: ['dantzig', 'lemke'], slack: ['lemke'] } as const

/** @param directions corners of the pyramid's cross-section, even, the first along the first tangent */
export function exactPolyhedral(name: keyof typeof ALGORITHMS, directions: number): StepSolver {
  return {
    name,
    exact: true,
    solve(step) {
      const { f, solver, pivots, residual } = solvePyramid(denseProblem(step), directions, ALGORITHMS[name], NEARLY_SOLVED, step.alternatives)
      if (f !== null) step.p.set(f)
      return { solved: f !== null, solver: name === 'slack' ? name : solver, iterations: pivots, residual, basisHit: false, history: NONE }
    },
  }
}
