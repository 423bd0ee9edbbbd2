/** Solvers of contact forces: one problem, one result, and the solvers by the names that a scene gives them. */

export * from './problem'
export { residual, relativeAcceleration, rowResiduals } from './residual'
export { solveFrozen, type FrozenForces } from './frozen'
export { leastNorm } from './least-norm'
export { tryBasis } from './basis'
export { dantzig } from './dantzig'
