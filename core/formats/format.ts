/**
 * The face of every exchange format: pure functions between a scene and files, each with an honest list of what one side cannot say of the other
 * [exchange]. A format is a folder with one `Format` record and a line in index.ts; the command line and the editor read only these records.
 */

import type { ResolvedScene, Scene } from '../scene'
import type { TrajectoryFrame } from './motion'

/** A file of a format: text, or bytes as they stand on the disk. */
export interface FormatFile {
  /** Relative to the main file, with '/' between folders. */
  readonly name: string
  readonly content: string | Uint8Array
}

/** One thing that is not said on the other side. */
export interface Loss {
  /** JSON path in the scene when exporting, with [] where it is every element; element and line of the file when importing. */
  readonly path: string
  readonly message: string
  /** What was written instead. */
  readonly instead: string
}

/** A choice that a person has when exporting or importing, as data: the command line and the dialogs make their controls from it. */
export type FormatOption = {
  /** As on the command line: `--option id=value`. */
  readonly id: string
  readonly label: string
  /** A sentence: what it does. */
  readonly help?: string
} & (
  | { readonly kind: 'flag'; readonly default: boolean }
  | { readonly kind: 'choice'; readonly default: string; readonly choices: readonly { readonly id: string; readonly label: string }[] }
  | { readonly kind: 'number'; readonly default: number; readonly unit?: string; readonly least?: number; readonly most?: number; /** What 0 stands for. */ readonly zero?: string }
  | { readonly kind: 'text'; readonly default: string }
)

export type OptionValues = Readonly<Record<string, boolean | string | number>>

/** Finds a file by the name that the main file gives it, relative to the main file; null where there is none. Never fetches anything. */
export type Resolve = (path: string) => FormatFile | null

export interface ImportResult {
  /** A document as a person would write it; `parseScene` has not seen it yet. */
  readonly scene: Scene
  readonly losses: readonly Loss[]
  /** Names of files that were asked for and not found, each once, as the file names them. */
  readonly missing: readonly string[]
  /** What was assumed, for people to see: units, up axis, how the root is held. */
  readonly notes: readonly ImportNote[]
}

export interface ImportNote {
  readonly label: string
  readonly value: string
}

export interface Importer {
  /** With the dot, lower case. */
  readonly extensions: readonly string[]
  /** Whether this looks like a file of this format, from its name and its beginning; several formats end in .xml. Never throws. */
  recognises(file: FormatFile): boolean
  readonly options: readonly FormatOption[]
  /**
   * @param options every option by its id: `completeOptions` fills in the defaults
   * @throws FormatError where the file cannot be read
   */
  run(main: FormatFile, resolve: Resolve, options: OptionValues): ImportResult | Promise<ImportResult>
}

export interface ExportResult {
  /** The main file first. */
  readonly files: readonly FormatFile[]
  readonly losses: readonly Loss[]
}

export interface Exporter {
  /** Of the main file, with the dot. */
  readonly extension: string
  readonly options: readonly FormatOption[]
  /**
   * @param name file name of the main file, without extension
   * @param options every option by its id
   */
  run(scene: ResolvedScene, name: string, options: OptionValues): ExportResult | Promise<ExportResult>
}

/** Writes a run for playing back elsewhere: the bodies' motion, keyed at the given instants. */
export interface MotionExporter {
  readonly extension: string
  readonly options: readonly FormatOption[]
  /** @param frames in order of time, each with the pose of every body in the order of the document */
  run(scene: ResolvedScene, frames: readonly TrajectoryFrame[], name: string, options: OptionValues): ExportResult | Promise<ExportResult>
}

export interface Format {
  /** As in `cairn export --to`. */
  readonly id: string
  readonly label: string
  readonly exporter: Exporter | null
  readonly importer: Importer | null
  readonly motion: MotionExporter | null
}
