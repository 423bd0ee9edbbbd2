/** Problems that the engine reports of a scene or a request. */

import type { Problem as SceneProblem } from '../../core/scene/problem'

/** One error of a scene or a request: what, where, the value found, and what is allowed. */
export interface Problem extends Omit<SceneProblem, 'name'> {
  /** Typed name, e.g. `UnknownKey`, `InitialPenetration`. */
  readonly name: string
  /** s, for Go to time. */
  readonly time?: number
  /** Full path of the invalid file. Never sent to a page: `problem-file.ts`. */
  readonly file?: string
}
