/** What a run's thread is told and what it tells; plain data both ways. */
import type { TrajectoryEnd, TrajectoryHeader } from '../../core/trajectory/frame'
import type { RecordedInstant } from '../../core/simulation'
import type { MessagePort } from 'node:worker_threads'
import type { LiveInput } from '../protocol/live'
import type { Problem } from '../protocol/problem'

export interface RunRequest {
  /** Text of the scene. */
  readonly scene: string
  /** File to write. */
  readonly output: string
  /** Where to begin; absent: at 0. */
  readonly start?: RunStart
  /** Work between checkpoints, where it is not the usual. */
  readonly checkpointWork?: number
  /** A session on the clock, with what a person does; absent: as fast as it goes. */
  readonly live?: { readonly port: MessagePort }
  /** `controlLength` 32-bit integers, shared: indices below. */
  readonly control: SharedArrayBuffer
}

/**
 * In the file that is there, behind its last checkpoint; in a new one, at a recorded instant; or in a new one behind what is in another, up to the checkpoint
 * that this ends with.
 */
export type RunStart =
  | { readonly kind: 'checkpoint'; readonly bytes: number; readonly state: string }
  | { readonly kind: 'further'; readonly of: string; readonly state: string }
  | { readonly kind: 'instant'; readonly instant: RecordedInstant }

export const controlLength = 3
/** Set to 1 to cancel. */
export const cancelIndex = 0
/** Odd while a script runs; moves with every entry and exit. */
export const activityIndex = 1
/** Moves whenever a person said something in a session, or cancelled: who sleeps on it wakes. */
export const spokenIndex = 2

export type RunReport =
  | { readonly kind: 'begun'; readonly header: TrajectoryHeader }
  /** How far the work before the next frame has come, in words. */
  | { readonly kind: 'preparing'; readonly progress: string }
  /** The file can be read up to byte `bytes`. */
  | { readonly kind: 'flushed'; readonly bytes: number; readonly frames: number; readonly time: number }
  /** What a person is to see now. */
  | { readonly kind: 'live'; readonly frame: Uint8Array; readonly contacts: Uint8Array; readonly deformables: Uint8Array | null; readonly heard: number; readonly pace: number; readonly cost: number }
  /** Everything that the person did, in the order of time: it comes right before the end. */
  | { readonly kind: 'input'; readonly done: readonly { readonly time: number; readonly input: LiveInput }[] }
  /** Before the first frame; nothing was written, or nothing that counts. */
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] }
  /** `problem` says why it stopped, with the script's place if a script is to blame. */
  | { readonly kind: 'ended'; readonly end: TrajectoryEnd; readonly problem: Problem | null; readonly complete: boolean }
  /** A fault of ours. */
  | { readonly kind: 'failed'; readonly message: string }
