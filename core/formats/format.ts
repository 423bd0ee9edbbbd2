/**
 * The interface of exchange formats: pure functions between a scene and files, each with a list of what the conversion loses [exchange]. A format is a
 * folder with one `Format` record and a line in index.ts; the command line and the editor use only these records.
 */

import type { ResolvedScene, Scene } from '../scene'
import type { TrajectoryFrame } from './motion'

/** A file of a format: text or bytes. */
export interface FormatFile {
  /** Relative to the main file, with '/' between folders. */
  readonly name: string
  readonly content: string | Uint8Array
}

/** One thing that the target cannot represent. */
export interface Loss {
  /** JSON path in the scene when exporting, with [] for all elements; element and line of the file when importing. */
  readonly path: string
  /** What is lost, without a full stop at the end. */
  readonly message: string
  /** What was written instead. */
  readonly instead: string
}

/** A user option of an export or import, as data: the command line and the dialogs build their controls from it. */
export type FormatOption = {
  /** Name on the command line: `--option id=value`. */
  readonly id: string
  readonly label: string
  /** One sentence about the effect. */
  readonly help?: string
} & (
  | { readonly kind: 'flag'; readonly default: boolean }
  | { readonly kind: 'choice'; readonly default: string; readonly choices: readonly { readonly id: string; readonly label: string }[] }
  | { readonly kind: 'number'; readonly default: number; readonly unit?: string; readonly least?: number; readonly most?: number; /** Meaning of the value 0. */ readonly zero?: string }
  | { readonly kind: 'text'; readonly default: string }
)

export type OptionValues = Readonly<Record<string, boolean | string | number>>

/** Finds a file by the name that the main file uses, relative to the main file; null if it does not exist. Never fetches anything. */
export type Resolve = (path: string) => FormatFile | null

export interface ImportResult {
  /** A document in the form that a person would write; not yet checked by `parseScene`. */
  readonly scene: Scene
  readonly losses: readonly Loss[]
  /** Names of missing files, each once, as written in the file. */
  readonly missing: readonly string[]
  /** Assumptions to show to the user: units, up axis, how the root is held. */
  readonly notes: readonly ImportNote[]
}

export interface ImportNote {
  readonly label: string
  readonly value: string
}

export interface Importer {
  /** With the dot, lower case. */
  readonly extensions: readonly string[]
  /** Whether this looks like a file of this format, judged by its name and its beginning (several formats end in .xml). Never throws. */
  recognises(file: FormatFile): boolean
  readonly options: readonly FormatOption[]
  /**
   * @param options every option by its id: `completeOptions` fills in the defaults
   * @throws FormatError if the file cannot be read
   */
  run(main: FormatFile, resolve: Resolve, options: OptionValues): ImportResult | Promise<ImportResult>
}

export interface ExportResult {
  /** The main file first. */
  readonly files: readonly FormatFile[]
  readonly losses: readonly Loss[]
}

export interface Exporter {
  /** Extension of the main file, with the dot. */
  readonly extension: string
  readonly options: readonly FormatOption[]
  /**
   * @param name file name of the main file, without extension
   * @param options every option by its id
   */
  run(scene: ResolvedScene, name: string, options: OptionValues): ExportResult | Promise<ExportResult>
}

/** Writes a run for playback in other programs: the motion of the bodies, with keys at the given instants. */
export interface MotionExporter {
  readonly extension: string
  readonly options: readonly FormatOption[]
  /** @param frames in order of time, each with the pose of every body in document order */
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
