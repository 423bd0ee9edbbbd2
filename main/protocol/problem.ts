/** What the engine tells of a scene or a request that is at fault. */

/** One fault of a scene or a request: what, where, what was found, what is allowed. */
export interface Problem {
  /** Typed name, e.g. `UnknownKey`, `InitialPenetration`. */
  readonly name: string
  readonly severity: 'error' | 'warning'
  readonly message: string
  /** JSON path in the scene, e.g. `bodies[3].shapes[0].size`; empty where it does not apply. */
  readonly path: string
  readonly value?: unknown
  readonly allowed?: string
  /** Ids of the things concerned, for Select. */
  readonly ids: readonly string[]
  /** s, for Go to time. */
  readonly time?: number
  /** 1-based, in the file's or the script's text. */
  readonly line?: number
  readonly column?: number
  /** Full path of the file at fault. Never crosses to a page: `problem-file.ts`. */
  readonly file?: string
}
