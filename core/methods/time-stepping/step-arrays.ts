/** Shared arrays of the solution of one step. */

import type { BodyMotions } from './body-motions'
import type { Leapfrog } from './leapfrog'
import type { ImpulseMemory } from './memory'
import type { Passages } from './passage'
import type { ProblemWorkspaces } from './problem-workspace'

export interface StepArrays {
  /** s: length of the step. */
  readonly h: number
  /** State at the end of the step. */
  readonly end: Float64Array
  readonly motions: BodyMotions
  readonly passages: Passages
  readonly memory: ImpulseMemory
  readonly leapfrog: Leapfrog
  /** By body: scratch, its index among its island's bodies. */
  readonly slots: Int32Array
  readonly workspaces: ProblemWorkspaces
  /** Throws where the run was cancelled. */
  readonly interrupt: () => void
}
