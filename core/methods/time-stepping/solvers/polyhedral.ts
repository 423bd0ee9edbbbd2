/**
 * The linear complementarity problem of Stewart and Trinkle [PEG17 eq. 8–9], by Lemke's algorithm or by Dantzig's pivoting: the friction cone is a pyramid
 * and stays one. A block that is pushed between two of its d directions meets only cos(π/d) of its friction; that error falls with d². Where
 * pivoting finds nothing that stops it, which an unsymmetric matrix allows, Lemke's algorithm answers.
 *
 * As `slack` it is the paper's mixed problem [PEG17 eq. 48–49], by Lemke's algorithm: constraints bring all their candidates, and which of them keeps the
 * features apart is decided with the impulses instead of from pass to pass.
 */

import { solvePyramid } from '../../../lcp/pyramid'
import type { StepSolver } from '../step-problem'
import { denseProblem, NEARLY_SOLVED } from './exact'

const NONE = new Float64Array(0)
const ALGORITHMS = { lemke: ['lemke'], dantzig: ['dantzig', 'lemke'], slack: ['lemke'] } as const

/** @param directions corners of the pyramid's section, even, the first along the first tangent */
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
