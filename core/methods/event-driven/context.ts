/** Shared data of the event-driven method during one run. */

import type { Drive, JointSpin } from '../../contact/constraints'
import type { ImpactContext } from '../impacts/context'
import type { EventDrivenSettings } from './settings'

/** Smallest and largest normal force compatible with the same motion, N. */
export type PointInterval = readonly [number, number]

/** Forces of an island in one frame. */
export interface KnownForces {
  readonly f: Float64Array
  /** By point of the island; null if not computed. */
  readonly intervals: readonly (PointInterval | null)[] | null
}

export interface RunContext extends ImpactContext {
  readonly settings: EventDrivenSettings
  drives: Drive[]
  jointSpins: readonly JointSpin[]
  /** Bodies of the island whose index set ended with the last step; null if the step ended for another reason. */
  concerned: readonly number[] | null
  spawnedEnergy: number
  numericalWork: number
  readonly warnings: string[]
  /** s: latest instant for which `pastNormalForce` is known. */
  pastForcesTime: number
  /** Forces of the last frame, by contact set (as text), with their intervals if computed. */
  knownSets: ReadonlyMap<string, KnownForces>
  /** Sets of sliding contacts (as text) for which the last restart searched several solutions, with the result; and those of the present restart. */
  slidingSets: ReadonlyMap<string, 'one' | 'many'>
  nextSlidingSets: Map<string, 'one' | 'many'>
  /** Number of events so far, which is also the number of the next event; and the event numbers at which `settings.branch` was applied. */
  readonly events: { count: number; readonly branched: Set<number> }
}
