/** Shared data of the event-driven method during one run. */

import type { Drive, JointSpin } from '../../contact/constraints'
import type { ImpactContext } from '../impacts/context'
import type { EventDrivenSettings } from './settings'

/** Least and greatest normal force with the same motion, N. */
export type PointInterval = readonly [number, number]

/** Forces of an island in one frame. */
export interface KnownForces {
  readonly f: Float64Array
  /** By point of the island; null where none were computed. */
  readonly intervals: readonly (PointInterval | null)[] | null
}

export interface RunContext extends ImpactContext {
  readonly settings: EventDrivenSettings
  drives: Drive[]
  jointSpins: readonly JointSpin[]
  /** Bodies of the island whose index set ended with the last step; null if the step ended for another reason. */
  concerned: readonly number[] | null
  spawnedEnergy: number
  readonly warnings: string[]
  /** s: latest instant whose normal forces `pastNormalForce` has. */
  pastForcesTime: number
  /** By contact set, as text, of the last frame: forces, and their intervals where they were computed. */
  knownSets: ReadonlyMap<string, KnownForces>
  /** Sets of sliding contacts, as text, that might have had several solutions at the last restart, and whether they had; those of the present one. */
  slidingSets: ReadonlyMap<string, 'one' | 'many'>
  nextSlidingSets: Map<string, 'one' | 'many'>
  /** Events so far, which is the number of the next; and the numbers at which `settings.branch` was followed. */
  readonly events: { count: number; readonly branched: Set<number> }
}
