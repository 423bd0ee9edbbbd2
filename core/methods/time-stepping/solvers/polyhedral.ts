/**
 * The linear complementarity problem of Stewart and Trinkle [PEG17 eq. 8–9], by Lemke's algorithm or by Dantzig's pivoting: the friction cone is a pyramid
 * and stays one. A block that is pushed between two of its d directions meets only cos(π/d) of its friction; that error falls with d². Where
 * pivoting finds nothing that stops it, which an unsymmetric matrix allows, Lemke's algorithm answers.
 *
 * Where boxes lie on each other there are more contacts than bodies can tell apart, M is singular, and rounding may lead either algorithm onto a ray that is
 * none. Then it is asked again with a little on the diagonal, and what that leaves is refined away on the index set found.
 */

import { frictionOf } from '../../../lcp/coefficients'
import { unscale } from '../../../lcp/cone'
import { lemke } from '../../../lcp/lemke'
import { polyhedralProblem } from '../../../lcp/polyhedral'
import { principalPivoting } from '../../../lcp/principal-pivoting'
import { scaleProblem } from '../../../lcp/scaling'
import { luFactor, luSolve } from '../../../math/factor'
import type { StepSolver } from '../step-problem'
import { denseProblem, NEARLY_SOLVED } from './exact'

const NONE = new Float64Array(0)
/** On the diagonal of the equilibrated problem, one after another. */
const EXTRA = [0, 1e-9, 1e-7, 1e-5]
const REFINEMENTS = 6

/** @param directions corners of the pyramid's section, even, the first along the first tangent */
export function exactPolyhedral(name: 'lemke' | 'dantzig', directions: number): StepSolver {
  return {
    name,
    exact: true,
    solve(step) {
      const problem = denseProblem(step)
      const scaled = scaleProblem(problem)
      const pyramid = polyhedralProblem(scaled, frictionOf(problem), directions)
      let iterations = 0
      let residual = 1
      for (const extra of EXTRA) {
        const M = pyramid.M.slice()
        for (let i = 0; i < M.length; i += pyramid.q.length + 1) M[i]! += extra
        for (const solver of name === 'lemke' ? [name] : [name, 'lemke'] as const) {
          const { status, z, pivots } = (solver === 'lemke' ? lemke : principalPivoting)(M, pyramid.q)
          iterations += pivots
          if (status !== 'solved') continue
          if (extra > 0) refine(pyramid.M, M, pyramid.q, z)
          residual = violation(pyramid.M, pyramid.q, z)
          if (residual > NEARLY_SOLVED) continue
          step.p.set(unscale(scaled, pyramid.forces(z)))
          return { solved: true, solver, iterations, residual, basisHit: false, history: NONE }
        }
      }
      return { solved: false, solver: 'lemke', iterations, residual, basisHit: false, history: NONE }
    },
  }
}

/** Solves M z = −q on the index set of z, which is a solution for `near` instead of M, by refinement: what is left shrinks by their difference each time. */
function refine(M: Float64Array, near: Float64Array, q: Float64Array, z: Float64Array): void {
  const n = q.length
  const set = [...z.keys()].filter(i => z[i]! > 0)
  const size = set.length
  const A = new Float64Array(size * size)
  set.forEach((r, a) => set.forEach((c, b) => { A[a * size + b] = near[r * n + c]! }))
  const factor = luFactor(A, size)
  if (size === 0 || factor.pivotRatio === 0) return
  for (let k = 0; k < REFINEMENTS; k++) {
    const change = luSolve(factor, Float64Array.from(set, r => set.reduce((sum, c) => sum - M[r * n + c]! * z[c]!, -q[r]!)))
    set.forEach((i, k) => { z[i] = Math.max(0, z[i]! + change[k]!) })
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
