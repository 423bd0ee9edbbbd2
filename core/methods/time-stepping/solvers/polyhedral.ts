/**
 * Lemke's algorithm on the linear complementarity problem of Stewart and Trinkle [PEG17 eq. 8–9]: the friction cone is a pyramid and stays one. A block that
 * is pushed between two of its d directions meets only cos(π/d) of its friction; that error falls with d².
 */

import { frictionOf } from '../../../lcp/coefficients'
import { unscale } from '../../../lcp/cone'
import { lemke } from '../../../lcp/lemke'
import { polyhedralProblem } from '../../../lcp/polyhedral'
import { scaleProblem } from '../../../lcp/scaling'
import type { StepSolver } from '../step-problem'
import { denseProblem, NEARLY_SOLVED } from './exact'

const NONE = new Float64Array(0)

/** @param directions corners of the pyramid's section, even, the first along the first tangent */
export function exactPolyhedral(directions: number): StepSolver {
  return {
    name: 'lemke',
    exact: true,
    solve(step) {
      const problem = denseProblem(step)
      const scaled = scaleProblem(problem)
      const pyramid = polyhedralProblem(scaled, frictionOf(problem), directions)
      const { status, z, pivots } = lemke(pyramid.M, pyramid.q)
      const residual = status === 'solved' ? violation(pyramid.M, pyramid.q, z) : 1
      const solved = residual <= NEARLY_SOLVED
      if (solved) step.p.set(unscale(scaled, pyramid.forces(z)))
      return { solved, solver: 'lemke', iterations: pivots, residual, basisHit: false, history: NONE }
    },
  }
}

/** Largest |min(z, M z + q)|, relative to the largest of z and q. */
function violation(M: Float64Array, q: Float64Array, z: Float64Array): number {
  const n = q.length
  let worst = 0
  let scale = Number.MIN_VALUE
  for (let i = 0; i < n; i++) {
    let w = q[i]!
    for (let j = 0; j < n; j++) w += M[i * n + j]! * z[j]!
    worst = Math.max(worst, Math.abs(Math.min(z[i]!, w)))
    scale = Math.max(scale, Math.abs(z[i]!), Math.abs(q[i]!))
  }
  return worst / scale
}
