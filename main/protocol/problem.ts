/** What the engine tells of a scene or a request that is at fault. */

import type { Problem as SceneProblem } from '../../core/scene/problem'

/** One fault of a scene or a request: what, where, what was found, what is allowed. */
export interface Problem extends Omit<SceneProblem, 'name'> {
  /** Typed name, e.g. `UnknownKey`, `InitialPenetration`. */
  readonly name: string
  /** s, for Go to time. */
  readonly time?: number
  /** Full path of the file at fault. Never crosses to a page: `problem-file.ts`. */
  readonly file?: string
}
