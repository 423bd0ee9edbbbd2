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
  /** m/s: slower impacts have no restitution. */
  readonly restingSpeed: number
  /** Simultaneous impacts are part of the step's own problem; sequential ones are resolved before it. */
  readonly impact: 'simultaneous' | 'sequential' | 'energy-consistent'
  /** Overlaps at the start, or of spawned bodies, are removed at any depth. */
  readonly separate: boolean
}

/** m: gap target of contacts, so that rounding and linearisation errors leave true gaps ≥ 0 [physics.md §7]. */
export const GAP_TARGET = 1e-9
/** × size: the same for iterative solvers, which have larger residuals; a smaller target costs more sweeps. */
export const ITERATIVE_GAP = 1e-6
/**
 * × size of the smaller body: the same in piles, whose bodies collide all the time, and where higher accuracy of the gaps would dominate the cost.
 */
export const PILE_GAP = 1e-4
/** × size: smaller overlaps are rounding errors of the coordinates. */
export const GAP_ROUNDING = 4 * Number.EPSILON
/** × size: lateral tolerance within which features count as the same place. */
export const LATERAL_TOLERANCE = 1e-6
/** Least approach speed of an impact with restitution, × the velocity change of a step's acceleration. */
export const BOUNCE = 2
/** Most halvings of a step. */
export const MAX_HALVINGS = 12
/** × speed scale: slower slip counts as sticking. */
export const STICKING = 1e-8
