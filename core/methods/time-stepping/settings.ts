/** Settings of the time-stepping method, and the tolerances that follow from them. */

import type { ContactModel } from './contact-model'

export type StepSolverName = 'auto' | 'dantzig' | 'lemke' | 'slack' | 'gauss-seidel' | 'jacobi' | 'sor' | 'accelerated'

export interface TimeSteppingSettings {
  /** s, the longest step; it is shortened so that whole numbers of steps end at output times, breakpoints and spawns. */
  readonly step: number
  readonly contactModel: ContactModel
  /** m: largest distance between touching bodies at the end of a step; null: chosen by the accuracy of each island (`gapTarget`). */
  readonly tolerance: number | null
  /** Largest number of linearisations in a step, even if overlaps remain; null: until none remains. */
  readonly linearizations: number | null
  readonly solver: StepSolverName
  /** Edges of the polyhedral friction cone; 0 for the exact cone. */
  readonly frictionDirections: number
  readonly sleep: boolean
  /** Of deformables. */
  readonly implicitMethod: 'euler' | 'tr-bdf2'
  /** m/s: slower impacts have no restitution. */
  readonly restingSpeed: number
  /** Simultaneous impacts are part of the step's own problem; sequential ones are resolved before it. */
  readonly impact: 'simultaneous' | 'sequential' | 'energy-consistent'
  /** Overlaps at the start, or of spawned bodies, are removed at any depth. */
  readonly separate: boolean
}

/** Least approach speed of an impact with restitution, × the velocity change of a step's acceleration. */
export const BOUNCE = 2
/** Most halvings of a step. */
export const MAX_HALVINGS = 12
/**
 * Largest island, in rows besides those of joints, with steps of second order: open contacts are closed, rolling is corrected, leapfrog steps persistent
 * contacts, and those beside joints hold at the end of a step. Forty contacts, as in a stack of ten; larger islands have not been measured.
 */
export const SECOND_ORDER_ROWS = 120
