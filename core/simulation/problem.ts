/** Reasons that prevent a run: like problems of the scene, with further names and a time. */

import type { Problem as SceneProblem } from '../scene'

export interface Problem extends Omit<SceneProblem, 'name'> {
  readonly name: string
  /** s */
  readonly time?: number
}

/** Error for a scene that is refused before the first frame. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'

  constructor(readonly problems: readonly Problem[]) {
    super(problems[0]?.message ?? 'the scene was refused')
  }
}

/** Features of a scene that this version does not support; refused, never ignored. */
export function notSupported(path: string, what: string, value: unknown, ids: readonly string[] = [], allowed?: string): Problem {
  return { name: 'NotSupported', severity: 'error', message: `not supported yet: ${what}`, path, value, ids, ...(allowed === undefined ? {} : { allowed }) }
}
