/** Exchange of files with other runtimes, between the editor and the engine. */

import type { FormatOption, ImportNote, Loss, OptionValues } from '../../core/formats/format'

export type { FormatOption, ImportNote, Loss, OptionValues }

/** A file of a format with its bytes; names are relative to the main file, with '/' between folders. */
export interface ExchangeFile {
  readonly name: string
  readonly data: Uint8Array
}

/** Capabilities of a format for import or export. */
export interface FormatDirection {
  /** Of the main file, with the dot; the first is the default. */
  readonly extensions: readonly string[]
  readonly options: readonly FormatOption[]
}

export interface FormatInfo {
  /** As in `cairn export --to`. */
  readonly id: string
  readonly label: string
  readonly exports: FormatDirection | null
  readonly imports: FormatDirection | null
  readonly motion: FormatDirection | null
}

export interface ExportResult {
  /** The main file first. */
  readonly files: readonly ExchangeFile[]
  readonly losses: readonly Loss[]
}

export interface ImportRequest {
  /** The main file first, then files beside it that it may refer to. */
  readonly files: readonly ExchangeFile[]
  /** Id of the format; null: detected from the file. */
  readonly format: string | null
  readonly options: Readonly<Record<string, boolean | string | number>>
}

export interface ImportOutcome {
  /** Id of the format that read it. */
  readonly format: string
  /** The scene as text. */
  readonly text: string
  readonly losses: readonly Loss[]
  /** Names of files that were referred to but not given. */
  readonly missing: readonly string[]
  readonly notes: readonly ImportNote[]
}
