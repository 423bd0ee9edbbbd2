/**
 * A contact problem with a pyramid as its friction cone, solved as a linear complementarity problem [PEG17 eq. 8–9], with slack variables where normal rows
 * have alternatives [PEG17 eq. 48–49].
 *
 * Boxes that lie on each other have more contacts than degrees of freedom. M is then singular, and rounding may lead either algorithm to a false ray. In
 * this case the algorithm is repeated with a small term on the diagonal, and the resulting error is removed by refinement on the index set found.
 *
 * Slack variables have no inertia, and their part of M is not positive semidefinite. With them Lemke's algorithm may end on a ray although solutions exist;
 * the paper reports this of pivoting in traps.
 */

import { luFactor, luSolve } from '../math/factor'
import { frictionOf } from './coefficients'
import { unscale } from './cone'
import { lemke } from './lemke'
import { polyhedralProblem } from './polyhedral'
import { principalPivoting } from './principal-pivoting'
import type { Alternatives, ContactProblem } from './problem'
import { scaleProblem } from './scaling'

/** Terms on the diagonal of the equilibrated problem, tried in turn. */
const EXTRA = [0, 1e-9, 1e-7, 1e-5]
const REFINEMENTS = 6

export interface PyramidSolution {
  /** Multipliers, one per row; null if no algorithm found any. */
  readonly f: Float64Array | null
  readonly solver: 'lemke' | 'dantzig'
  readonly pivots: number
  /** Largest |min(z, M z + q)| of the equilibrated problem, relative to the largest of z and q. */
  readonly residual: number
}

/**
 * @param directions edges of the pyramid, an even number, the first along the first tangent
 * @param algorithms tried in turn
 * @param most largest residual that counts as solved
 */
export function solvePyramid(
  problem: ContactProblem, directions: number, algorithms: readonly PyramidSolution['solver'][], most: number, alternatives: readonly Alternatives[] = [],
): PyramidSolution {
  const scaled = scaleProblem(problem)
  const pyramid = polyhedralProblem(scaled, frictionOf(problem), directions, alternatives)
  let pivots = 0
  let residual = 1
  for (const extra of EXTRA) {
    const M = pyramid.M.slice()
    for (let i = 0; i < M.length; i += pyramid.q.length + 1) M[i]! += extra
    for (const solver of algorithms) {
      const found = (solver === 'lemke' ? lemke : principalPivoting)(M, pyramid.q)
      pivots += found.pivots
      if (found.status !== 'solved') continue
      if (extra > 0) refine(pyramid.M, M, pyramid.q, found.z)
      residual = violation(pyramid.M, pyramid.q, found.z)
      if (residual <= most) return { f: unscale(scaled, pyramid.forces(found.z)), solver, pivots, residual }
    }
  }
  return { f: null, solver: 'lemke', pivots, residual }
}

/**
 * Solves M z = −q on the index set of z by iterative refinement. z solves the problem of `near`; each step reduces the error in proportion to the difference
 * of the two matrices.
 */
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
