/** Implicit integration: stages, the methods made of them, adaptive steps, and the energy balance. */

export { adaptiveSteps, StepTooShort, type AdvanceReport, type StepLimits } from './adaptive'
export { stepAudit, twoStageAudit, type StepAudit } from './audit'
export { implicitEuler, type ImplicitEuler, type ImplicitMethod } from './euler'
export { stageSolver, type StageSolver } from './stage'
export type { StageStart } from './stage-problem'
export type { LinearSolver } from './stage-matrix'
export { STAGE_SETTINGS, type StageReport, type StageSettings } from './stage-settings'
export { settle, type SettleReport } from './settle'
export { GAMMA, trBdf2, WEIGHTS, type StageCoupling, type TrBdf2, type TwoStages } from './tr-bdf2'
