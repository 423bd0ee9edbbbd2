/** Messages to and from a run's thread; plain data in both directions. */
import type { TrajectoryEnd, TrajectoryHeader } from '../../core/trajectory/frame'
import type { RecordedInstant } from '../../core/simulation'
import type { MessagePort } from 'node:worker_threads'
import type { LiveFrame, LiveInput } from '../protocol/live'
import type { Problem } from '../protocol/problem'

export interface RunRequest {
  /** Text of the scene. */
  readonly scene: string
  /** File to write. */
  readonly output: string
  /** Initial state; absent: the scene's, at time 0. */
  readonly start?: RunStart
  /** Work between checkpoints; absent: the default. */
  readonly checkpointWork?: number
  /** A live session with user input, paced by the wall clock; absent: as fast as possible. */
  readonly live?: { readonly port: MessagePort }
  /** `controlLength` 32-bit integers, shared: indices below. */
  readonly control: SharedArrayBuffer
}

/**
 * Continues in the existing file after its last checkpoint; or writes a new file from a recorded instant; or writes a new file that starts
 * with the contents of another, up to that file's final checkpoint.
 */
export type RunStart =
  | { readonly kind: 'checkpoint'; readonly bytes: number; readonly state: string }
  | { readonly kind: 'further'; readonly of: string; readonly state: string }
  | { readonly kind: 'instant'; readonly instant: RecordedInstant }

export const controlLength = 3
/** Set to 1 to cancel. */
export const cancelIndex = 0
/** Odd while a script runs; changes with every entry and exit. */
export const activityIndex = 1
/** Changes with every user input in a session, and on cancelling, to wake the waiting thread. */
export const inputIndex = 2

export type RunReport =
  | { readonly kind: 'begun'; readonly header: TrajectoryHeader }
  /** Progress of work before the next frame. */
  | { readonly kind: 'preparing'; readonly progress: string }
  /** The file can be read up to byte `bytes`. */
  | { readonly kind: 'flushed'; readonly bytes: number; readonly frames: number; readonly time: number }
  /** Picture for immediate display. */
  | { readonly kind: 'live' } & Omit<LiveFrame, 'run'>
  /** All user input in order of time; sent right before the end. */
  | { readonly kind: 'input'; readonly done: readonly { readonly time: number; readonly input: LiveInput }[] }
  /** Sent before the first frame; nothing usable was written. */
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] }
  /** `problem` says why it stopped, with the position in a script if the script caused it. */
  | { readonly kind: 'ended'; readonly end: TrajectoryEnd; readonly problem: Problem | null; readonly complete: boolean }
  /** Internal error. */
  | { readonly kind: 'failed'; readonly message: string }
