/** Documents by handles, without paths, as the editor uses them. */

import type { RunInfo } from './runs'

/** Identifies a file, a document or an example without revealing its path. */
export type Handle = string

export interface OpenedDocument {
  /** For saving and autosaving. Examples and recovered documents have one too, but are not `savable` until saved elsewhere. */
  readonly handle: Handle
  /** File name for the title bar. */
  readonly name: string
  /** The text as it is on disk. */
  readonly text: string
  readonly savable: boolean
  /** Revision of the text, required by `save`; null if it has no file. */
  readonly revision: string | null
  /** The run in an opened `.mcap` file. */
  readonly run: RunInfo | null
}

/** Prefab files by their paths from the scene's folder, including those inside other prefabs. */
export interface PrefabTexts {
  readonly files: readonly { readonly file: string; readonly source: string }[]
  /** Files that could not be read, with the reason. */
  readonly missing: readonly { readonly file: string; readonly reason: string }[]
}

export interface RecentDocument {
  readonly handle: Handle
  readonly name: string
  /** Shortened folder, to distinguish files of the same name. */
  readonly location: string
  /** ms since the epoch. */
  readonly openedAt: number
}

export interface ExampleInfo {
  readonly handle: Handle
  readonly name: string
  readonly description: string
  /** "What to look at", plain text. */
  readonly lookAt: string
  /** What the scene contains, in words: `joints`, `impacts`. */
  readonly tags: readonly string[]
  /** PNG as a data URL, or null. */
  readonly picture: string | null
}

/** Identifies the unsaved work of one window on one document: two windows with the same file have a draft each. Chosen by the page. */
export type Draft = string

export interface RecoverableDocument {
  readonly handle: Handle
  readonly draft: Draft
  readonly name: string
  /** ms since the epoch. */
  readonly savedAt: number
}

export type SaveResult =
  | { readonly status: 'saved'; readonly handle: Handle; readonly name: string; readonly revision: string }
  /** The file changed on disk since it was read: ask, then save again with `overwrite`. */
  | { readonly status: 'changed-on-disk' }
