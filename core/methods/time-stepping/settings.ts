/** Settings of the time-stepping method, and the tolerances that follow from them. */

import type { ContactModel } from './contact-model'

export type StepSolverName = 'auto' | 'dantzig' | 'lemke' | 'slack' | 'gauss-seidel' | 'jacobi' | 'sor' | 'accelerated'

export interface TimeSteppingSettings {
  /** s, the longest step; it is shortened so that whole numbers of steps end at output times, breakpoints and spawns. */
  readonly step: number
  readonly contactModel: ContactModel
  /** m: how far above each other bodies may be left at the end of a step; null: as close as their islands are worth (`gapTarget`). */
  readonly tolerance: number | null
  /** Largest number of linearisations in a step, regardless of overlap; null: until nothing overlaps. */
  readonly linearizations: number | null
  readonly solver: StepSolverName
  /** Edges of the polyhedral friction cone; 0: the exact cone. */
  readonly frictionDirections: number
  readonly sleep: boolean
  /** m/s: slower approaches do not bounce. */
  readonly restingSpeed: number
  /** Impacts simultaneously, in the step's own problem, or sequentially before it. */
  readonly impact: 'simultaneous' | 'sequential' | 'energy-consistent'
  /** Overlaps at the start, or at a spawn, are moved apart at any depth. */
  readonly separate: boolean
}

/** m: gap target of contacts, so that rounding and linearisation errors leave true gaps ≥ 0 [physics.md §7]. */
export const GAP_TARGET = 1e-9
/** × size: the same for iterative solvers, which have larger residuals; a smaller target costs more sweeps. */
export const ITERATIVE_GAP = 1e-6
/** × size of the smaller body: the same in piles, whose bodies collide all the time, and where the last digits of a gap would cost most of the time. */
export const PILE_GAP = 1e-4
/** × size: a gap above minus this is called none: rounding of the coordinates. */
export const GAP_ROUNDING = 4 * Number.EPSILON
/** × size: lateral tolerance within which features count as the same place. */
export const LATERAL_TOLERANCE = 1e-6
/** A contact bounces only if its approach is faster than this many times the velocity of a step's acceleration. */
export const BOUNCE = 2
/** Times that a step is halved at most. */
export const MAX_HALVINGS = 12
/** × speed scale: a slip slower than this counts as none. */
export const STICKING = 1e-8
