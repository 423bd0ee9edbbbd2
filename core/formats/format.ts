/** The face of every exporter: a pure function from a scene to files and an honest list of what the target cannot say [exchange]. */

import type { ResolvedScene } from '../scene'

export interface ExportFile {
  readonly name: string
  readonly text: string
}

/** One thing that the target cannot say. */
export interface Loss {
  /** JSON path in the scene. */
  readonly path: string
  readonly message: string
  /** What was written instead. */
  readonly instead: string
}

export interface ExportResult {
  readonly files: readonly ExportFile[]
  readonly losses: readonly Loss[]
}

export interface Exporter {
  /** As in `cairn export --to`. */
  readonly id: string
  readonly label: string
  /** With the dot. */
  readonly extension: string
  /** @param name file name without extension */
  run(scene: ResolvedScene, name: string): ExportResult
}
