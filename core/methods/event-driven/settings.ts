/** Settings of the event-driven method. */

import type { RootMethod } from '../../collision/root'
import type { Integrator } from '../../dynamics/integrator'
import type { Finishing } from '../finishing'
import type { ImpactSettings } from '../impacts/context'
import type { Feedback } from '../../contact/island'
import type { FrictionLaw } from '../../contact/friction-law'

export interface EventDrivenSettings extends ImpactSettings {
  /** Returns a new integrator. */
  readonly integrator: () => Integrator
  /** s */
  readonly longestStep: number
  /** Feedback of joints; null: they are projected. */
  readonly feedback: Feedback | null
  /** Whether contact points cross flat spots by a zeroth-order impact, or time-stepping finishes the interval. */
  readonly flatSpots: 'impulse' | 'time-stepping'
  /** Friction law between impacts; impacts always use Coulomb's law. */
  readonly friction: FrictionLaw
  /** Root-finding method for times of collision. */
  readonly rootMethod: RootMethod
  /** × scene size. */
  readonly contactTolerance: number
  readonly maxEventsPerFrame: number
  /** Overlaps at the start or at a spawn are moved apart, at any depth. */
  readonly separate: boolean
  /** Finishes an interval with too many events; null: the run stops. */
  readonly finishing: Finishing | null
  /** Solutions at indeterminate instants, by the number of their event. */
  readonly branch: readonly { readonly event: number; readonly solution: number }[]
}
