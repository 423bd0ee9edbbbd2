/** What the solution of one step works on. */

import type { BodyMotions } from './body-motions'
import type { ImpulseMemory } from './memory'
import type { Passages } from './passage'

export interface StepArrays {
  readonly h: number
  readonly end: Float64Array
  readonly motions: BodyMotions
  readonly passages: Passages
  readonly memory: ImpulseMemory
  readonly slots: Int32Array
  /** m/s */
  readonly stickSpeed: number
  /** Whether the scene has many bodies: then velocities are not found better than the linearisation that they come from. */
  readonly crowd: boolean
}
