/** Accuracy of an implicit stage, and what its solver reports. */

import type { LinearSolver } from './stage-matrix'

export interface StageSettings {
  /** Most Newton iterations; 1 gives the notes' linearised step. */
  readonly iterations: number
  /** Largest residual of the equation of motion, × the largest force of one element, load or inertia. */
  readonly tolerance: number
  /** Relative residual of the linear systems, if solved iteratively. */
  readonly linearTolerance: number
  /** If absent, chosen by the fill-in of the direct factor. */
  readonly solver?: LinearSolver
  /** Called in every Newton iteration; may throw to end the stage. */
  readonly interrupt?: () => void
}

export const STAGE_SETTINGS: StageSettings = { iterations: 50, tolerance: 1e-8, linearTolerance: 1e-3 }

export interface StageReport {
  converged: boolean
  /** Newton iterations. */
  iterations: number
  /** Iterations of the linear solver; 1 for each direct solve. */
  linearIterations: number
  /** Largest residual of the equation of motion, × the largest force. */
  residual: number
  /** Newton steps whose exact Hessian was indefinite and was replaced by a semidefinite one. */
  indefinite: number
  /** Whether the stage was accepted at its iteration limit before full convergence. */
  exhausted: boolean
}
