/** A run in the engine: its record, the state of its file, and the reports of its thread. */
import { createHash } from 'node:crypto'
import type { TrajectoryEnd, TrajectoryHeader } from '../../core/trajectory/frame'
import type { LiveInput } from '../protocol/live'
import type { Problem } from '../protocol/problem'
import { systemReason } from '../protocol/problem-file'
import type { RunMoment, RunStatus } from '../protocol/runs'
import type { RunReport } from '../run/job'
import type { LaunchedRun } from '../run/launch'
import type { RunRecord } from './cache'
import { TrajectoryFileError, TrajectoryReader } from './reader'

export interface Run {
  record: RunRecord
  readonly path: string
  /** Whether the file is the user's own; it is then never deleted or changed. */
  readonly foreign: boolean
  header: TrajectoryHeader | null
  end: TrajectoryEnd | null
  status: RunStatus
  problem: Problem | null
  frames: number
  time: number
  bytes: number
  /** Wall-clock time of the start, ms. */
  readonly startedAt: number
  launched: LaunchedRun | null
  reader: TrajectoryReader | null
  /** Description of the work before the next frame. */
  preparing: string | null
  /** Whether every checksum of the file was verified, or it was written by this process. */
  verified: boolean
  /** s: time of the first frame, once it has been read. */
  firstTime?: number
  /** Whether it is a live session. */
  readonly session?: boolean
  /** Of the request that started it. */
  readonly ticket?: string
  /** User input of a session, in the order of time. */
  input: readonly { readonly time: number; readonly input: LiveInput }[]
}

/** A run that is not computed by this process, before its file is read. */
export function idleRun(record: RunRecord, path: string, foreign: boolean): Run {
  return {
    record, path, foreign, header: null, end: null, status: record.status, problem: record.problem, frames: 0, time: 0, bytes: 0,
    startedAt: performance.now(), launched: null, reader: null, preparing: null, verified: false, input: [],
  }
}

/** A run of the cache. If it was still being computed when its process ended, it is marked as interrupted. */
export function restoredRun(record: RunRecord, path: string): Run {
  const run = idleRun(record, path, false)
  if (record.status !== 'running') return run
  run.status = 'failed'
  run.problem = { name: 'Interrupted', severity: 'error', message: 'Cairn ended while this run was computed.', path: '', ids: [] }
  return run
}

/** Updates the run's state from a report of its thread. */
export function applyReport(run: Run, report: RunReport): void {
  switch (report.kind) {
    case 'begun':
      run.header = report.header
      break
    case 'input':
      run.input = report.done
      break
    case 'preparing':
      run.preparing = report.progress
      break
    case 'flushed':
      run.preparing = null
      run.bytes = report.bytes
      run.frames = report.frames
      run.time = report.time
      break
    case 'ended':
      run.end = report.end
      run.status = report.end.status
      run.problem = report.problem
      break
    case 'failed':
      run.status = 'failed'
      run.problem = { name: 'RunFailed', severity: 'error', message: report.message, path: '', ids: [], time: run.time }
      break
  }
}

/** The reader of a run's file, opened if necessary; null with the reason in the run's problem if that fails. */
export function openFile(run: Run): TrajectoryReader | null {
  if (run.reader) return run.reader
  try {
    const reader = new TrajectoryReader(run.path, run.status === 'running' ? run.bytes : undefined)
    run.reader = reader
    run.header = reader.header
    if (run.status !== 'running') {
      run.frames = reader.frames
      run.bytes = reader.bytes
      run.time = reader.frames > 0 ? reader.frame(reader.frames - 1).time : 0
      run.end ??= reader.end
      if (run.end && run.foreign && run.problem?.name !== 'DamagedFile') run.status = run.end.status
      if (!run.end && run.foreign && run.problem === null) {
        run.problem = { name: 'Incomplete', severity: 'warning', message: 'The file is incomplete: it ends before its run.', path: '', ids: [], time: run.time }
      }
    }
    return reader
  } catch (error) {
    const message = error instanceof TrajectoryFileError ? error.message : `The run's file cannot be read: ${systemReason(error)}.`
    run.problem = { name: 'InvalidTrajectory', severity: 'error', message, path: '', ids: [] }
    return null
  }
}

/** Cache key of a run. */
export function keyOf(scene: string, engine: string): string {
  return createHash('sha256').update(`${scene} ${engine}`).digest('hex')
}

/** How a run starts. */
export interface StartOptions {
  /** Returns a recorded run of the same scene instead, if there is one. */
  readonly reuse: boolean
  readonly name?: string
  readonly ticket?: string
  readonly live?: boolean
  /** A session's run, from whose end it continues: its file then begins with that session's recorded frames. */
  readonly after?: string
  /** Starts from another run's frame at this time, or the frame before it; such a run is never reused. */
  readonly from?: RunMoment
  /** Nobody asked for it, so it is the first one to be deleted. */
  readonly ahead?: boolean
}

/** Time of last use of a run that was recorded ahead and never used. */
export const AHEAD = 0

/** Name of a run that was given none: the time of day. */
export function nameFor(time: number): string {
  return new Date(time).toLocaleTimeString([], { hour12: false })
}
