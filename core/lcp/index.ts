/** Contact-force solvers: one problem type, one result type, and the solvers by their names in scenes. */

import { dantzig as withoutSpin } from './dantzig'
import { lemkeSolver as lemkeWithoutSpin } from './lemke-solver'
import type { ContactSolver } from './problem'
import { projectedGaussSeidel, projectedJacobi, projectedSor } from './projected'
import { qp } from './qp'
import { withSpin } from './with-spin'

export * from './problem'
export { residual, relativeAcceleration, rowResiduals } from './residual'
export { solveFrozen, type FrozenForces } from './frozen'
export { leastNorm } from './least-norm'
export { tryBasis } from './basis'
export { lemke, type LcpResult } from './lemke'
export { solvePyramid, type PyramidSolution } from './pyramid'
export { principalPivoting } from './principal-pivoting'
export { projectedGaussSeidel, projectedJacobi, projectedSor } from './projected'
export { boxQp, qp, type QpResult } from './qp'
export {
  crawl, crawlProblem, decoupledProblem, lotstedt, lotstedtProblem, signGuess, staticFrictionIteration, type ApproximateSolution, type StaticApproximation,
} from './static-approximations'
export { forceIntervals, MAX_INTERVAL_CONTACTS, type ForceIntervals, type NoIntervals } from './intervals'
export { basicSolutions, MAX_ENUMERATED } from './enumerate'

export const dantzig = withSpin(withoutSpin)
export const lemkeSolver = withSpin(lemkeWithoutSpin)
export const SOLVERS: readonly ContactSolver[] = [
  dantzig, lemkeSolver, withSpin(projectedGaussSeidel), withSpin(projectedJacobi), withSpin(projectedSor), withSpin(qp),
]

/** The solver of that name; undefined for an unknown name. */
export function solverByName(name: string): ContactSolver | undefined {
  return SOLVERS.find(solver => solver.name === name)
}
