/** Shared data of the time-stepping method during one run. */

import type { Drive, JointSpin } from '../../contact/constraints'
import type { ContactSet } from '../../contact/contact-set'
import type { EquationsOfMotion } from '../../contact/equations'
import type { World } from '../../contact/world'
import type { MethodCounts, MethodEnvironment } from '../method'
import type { Leapfrog } from './leapfrog'
import type { LocalScales } from './local-scales'
import type { TimeSteppingSettings } from './settings'

export interface StepContext {
  readonly world: World
  readonly settings: TimeSteppingSettings
  readonly environment: MethodEnvironment
  readonly equations: EquationsOfMotion
  readonly contacts: ContactSet
  /** Replaced when controllers change drives, or joints break. */
  drives: readonly Drive[]
  jointSpins: readonly JointSpin[]
  readonly counts: MethodCounts
  readonly scales: LocalScales
  /** m: gap target of contacts with exact solvers. */
  readonly gap: number
  /** s */
  time: number
  /** s: length of the present steps, as long as none is halved. */
  step: number
  /** State vector at `time`; behind the bodies the works of the energy audit. */
  readonly state: Float64Array
  readonly leapfrog: Leapfrog
  /** Whether persistent contacts are stepped by leapfrog, and steps are divided at impacts. */
  readonly smooth: boolean
  /** J: see `MethodFrame`. */
  impactWork: number
  kinematicImpactWork: number
  spawnedEnergy: number
  numericalWork: number
  readonly warnings: string[]
  /** Number of solves so far, by solver. */
  readonly solves: Map<string, number>
}
