/** Messages to and from a thread of a sweep; plain data in both directions. */
import type { SweepRow } from '../protocol/sweeps'
import type { SceneValue } from './set-values'

export interface WorkerSetup {
  /** Texts of the sweep's scenes. */
  readonly scenes: readonly string[]
  readonly measures: string
  readonly measureCount: number
  readonly keep: 'all' | 'failed' | 'none' | 'where'
  /** Condition of `where`; else empty. */
  readonly condition: string
  /** Maximum bytes outside of the heap; Infinity: no limit. */
  readonly memory: number
  /** Shared words: `cancelIndex`, `activityIndex`. */
  readonly control: SharedArrayBuffer
}

export const controlLength = 2
/** 1 cancels the current run. */
export const cancelIndex = 0
export const activityIndex = 1

export interface WorkerTask {
  readonly run: number
  readonly scene: number
  readonly changes: readonly SceneValue[]
  readonly path: string
}

/** One for each task. `row` null: cancelled. */
export type WorkerAnswer =
  | { readonly kind: 'ran'; readonly run: number; readonly row: SweepRow | null }
  /** The trajectory cannot be written: the sweep ends, and the run has no row. */
  | { readonly kind: 'output'; readonly run: number; readonly name: string; readonly message: string; readonly file: string }
