/** Interface of a method that finishes an interval for another one. */

import type { Drive, JointSpin, TouchingLimit, TouchingPoint } from '../contact/constraints'
import type { ContactSet } from '../contact/contact-set'
import type { EquationsOfMotion } from '../contact/equations'
import type { Tolerances } from '../contact/tolerances'
import type { World } from '../contact/world'
import type { MethodCounts, MethodEnvironment } from './method'

/** A run at the start of an interval, which is advanced in place. */
export interface UnfinishedRun {
  readonly world: World
  readonly environment: MethodEnvironment
  readonly equations: EquationsOfMotion
  readonly contacts: ContactSet
  readonly tolerances: Tolerances
  readonly drives: readonly Drive[]
  readonly jointSpins: readonly JointSpin[]
  readonly counts: MethodCounts
  readonly warnings: string[]
  /** s */
  time: number
  readonly state: Float64Array
  points: TouchingPoint[]
  limits: TouchingLimit[]
  /** J: see `MethodFrame`. */
  impactWork: number
  kinematicImpactWork: number
  numericalWork: number
  readonly spawnedEnergy: number
}

/** Advances a run to `until` (s), or until it is cancelled; contacts are discarded, so a restart must follow. @throws StopError */
export type Finishing = (run: UnfinishedRun, until: number) => void
