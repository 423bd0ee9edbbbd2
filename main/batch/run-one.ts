/** One run of a sweep, in the calling thread: from the scene's text to its row. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { getHeapStatistics } from 'node:v8'
import { parseScene } from '../../core/scene'
import { RefusedError, simulateParsed } from '../../core/simulation'
import type { ParsedMeasure } from '../../core/analysis/measure'
import type { TrajectoryEnd } from '../../core/trajectory/frame'
import type { SweepRow, SweepStatus } from '../protocol/sweeps'
import { scriptRuntimeFor } from '../run/script-runtime'
import { OutputError } from '../run/mcap-writer'
import { Recorder } from '../run/recorder'
import { MeasuringSink } from './measuring-sink'

export interface OneRun {
  readonly run: number
  /** The scene with the run's values. */
  readonly text: string
  readonly measures: readonly ParsedMeasure[]
  readonly keep: 'all' | 'failed' | 'none' | 'where'
  /** The condition of `where` comes after the measures. */
  readonly condition: readonly ParsedMeasure[]
  /** Path of a kept trajectory. */
  readonly path: string
  /** Maximum bytes outside of the heap; Infinity: no limit. The thread limits the heap itself. */
  readonly memory: number
  readonly control: RunControl
}

export interface RunControl {
  cancelled(): boolean
  /** For the sandbox: odd while a script runs. */
  readonly activity: Int32Array
}

/** Arrays outside of the heap exceeded the run's limit. */
class MemoryLimit extends Error {
  override readonly name = 'MemoryLimit'
}

/** Frames between two checks of the memory. */
const MEMORY_INTERVAL = 16

const now = () => performance.now() / 1000

/**
 * @returns the row; null if the run was cancelled
 * @throws OutputError if the trajectory cannot be written, which is not the run's fault
 */
export async function runOne(task: OneRun): Promise<SweepRow | null> {
  const { measures, condition, control, keep, path } = task
  const started = now()
  const parsed = parseScene(task.text)
  const scripts = await scriptRuntimeFor(parsed, control.activity)
  // Written to a temporary path until complete, so that the file is never partial.
  const part = `${path}.part`
  const recorder = keep === 'none' ? null : new Recorder({ path: part, scene: task.text, now, progress: () => undefined })
  let frames = 0
  const sink = new MeasuringSink([...measures, ...condition], recorder, () => {
    if (++frames % MEMORY_INTERVAL === 0 && externalMemory() > task.memory) throw new MemoryLimit('The run exceeded the memory limit.')
  })
  let end: TrajectoryEnd | null = null
  let fault: { status: SweepStatus; reason: string; message: string } | null = null
  try {
    end = simulateParsed(parsed, { sink, cancelled: () => control.cancelled(), scripts, now })
  } catch (error) {
    if (error instanceof OutputError) throw error
    fault = faultOf(error)
  } finally {
    scripts.dispose()
    if (end === null) recorder?.abandon()
  }
  if (end?.status === 'cancelled') {
    recorder?.abandon()
    rmSync(part, { force: true })
    return null
  }
  const results = sink.results()
  const status = end === null ? fault!.status : end.status === 'completed' ? 'completed' : 'stopped'
  const met = results[measures.length]
  const kept = recorder !== null && sink.begun !== null
    && (keep === 'all' || (keep === 'failed' && status !== 'completed') || (keep === 'where' && met !== 0 && !Number.isNaN(met)))
  if (end !== null) recorder?.end(end)
  if (kept) settle(part, path)
  else if (recorder !== null) rmSync(part, { force: true })
  return {
    run: task.run, status, reason: end?.reason ?? fault!.reason, message: end?.message ?? fault!.message, sceneHash: sink.begun?.sceneHash ?? '',
    finalHash: end?.finalHash ?? '', simulatedTime: end?.simulatedTime ?? 0, frames: end?.frames ?? 0, steps: end?.steps ?? 0,
    measures: results.slice(0, measures.length).map(value => Number.isFinite(value) ? value : null), kept: kept ? path : '', wallTime: now() - started,
  }
}

function faultOf(error: unknown): { status: SweepStatus; reason: string; message: string } {
  if (error instanceof RefusedError) {
    const [first] = error.problems
    return { status: 'refused', reason: first?.name ?? 'Refused', message: first === undefined ? '' : `${first.path === '' ? '' : `${first.path}: `}${first.message}` }
  }
  if (error instanceof MemoryLimit) return { status: 'memoryLimit', reason: error.name, message: error.message }
  const { name, message } = error as Error
  return { status: 'failed', reason: name, message }
}

/** Syncs a file to the disk and renames it. */
function settle(part: string, path: string): void {
  const fd = openSync(part, 'r')
  fsyncSync(fd)
  closeSync(fd)
  renameSync(part, path)
}

/** Bytes of arrays of this thread. */
function externalMemory(): number {
  return getHeapStatistics().external_memory
}

