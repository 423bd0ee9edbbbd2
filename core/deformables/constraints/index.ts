/** Constraints by multipliers. */

export { addConstraintForces, projectPositions, projectVelocities, rattle, type Feedback, type ProjectionReport, type RattleStep } from './dynamics'
export { multipliers, type MultiplierSolver, type Multipliers, type SolveReport } from './multipliers'
export { rankAt, type Rank } from './rank'
