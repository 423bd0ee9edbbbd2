/** Documents as the editor knows them: by handles, never by paths. */

import type { RunInfo } from './runs'

/** Names a file, a document or an example without saying where it is. */
export type Handle = string

export interface OpenedDocument {
  /** For saving and autosaving; examples and recovered documents have one too, but `savable: false` until saved elsewhere. */
  readonly handle: Handle
  /** File name for the title bar. */
  readonly name: string
  /** The text as it is on disk. */
  readonly text: string
  readonly savable: boolean
  /** What the text is now, to `save` it with; null where it has no file. */
  readonly revision: string | null
  /** The run that is inside when an `.mcap` was opened. */
  readonly run: RunInfo | null
}

/** Files of prefabs by their paths from the scene's folder, those that they name themselves among them. */
export interface PrefabTexts {
  readonly files: readonly { readonly file: string; readonly source: string }[]
  /** What could not be read, and why. */
  readonly missing: readonly { readonly file: string; readonly reason: string }[]
}

export interface RecentDocument {
  readonly handle: Handle
  readonly name: string
  /** Folder, shortened, for telling two files of one name apart. */
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
  readonly tags: readonly string[]
  /** PNG as a data URL, or null. */
  readonly picture: string | null
}

/** Names the unsaved work of one window on one document: two windows on one file have a draft each. Chosen by the page. */
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
