/** Solvers of contact forces: one problem, one result, and the solvers by the names that a scene gives them. */

import { dantzig } from './dantzig'
import { lemkeSolver } from './lemke-solver'
import type { ContactSolver } from './problem'
import { projectedGaussSeidel, projectedJacobi, projectedSor } from './projected'
import { qp } from './qp'

export * from './problem'
export { residual, relativeAcceleration, rowResiduals } from './residual'
export { solveFrozen, type FrozenForces } from './frozen'
export { leastNorm } from './least-norm'
export { tryBasis } from './basis'
export { dantzig } from './dantzig'
export { lemke, type LcpResult } from './lemke'
export { lemkeSolver } from './lemke-solver'
export { projectedGaussSeidel, projectedJacobi, projectedSor } from './projected'
export { boxQp, qp, type QpResult } from './qp'
export { crawl, lotstedt, signGuess, staticFrictionIteration, type ApproximateSolution, type StaticApproximation } from './static-approximations'
export { forceIntervals, MAX_INTERVAL_CONTACTS, type ForceIntervals, type NoIntervals } from './intervals'
export { basicSolutions, MAX_ENUMERATED } from './enumerate'

export const SOLVERS: readonly ContactSolver[] = [dantzig, lemkeSolver, projectedGaussSeidel, projectedJacobi, projectedSor, qp]

/** The solver of that name; undefined for a name that no solver has. */
export function solverByName(name: string): ContactSolver | undefined {
  return SOLVERS.find(solver => solver.name === name)
}
