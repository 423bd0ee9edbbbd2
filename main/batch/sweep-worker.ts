/** A thread of a sweep: one run after another, so that modules are loaded once. */
import { parentPort, workerData } from 'node:worker_threads'
import { parseMeasure, parseMeasures } from '../../core/analysis/measure'
import { HostError } from '../protocol/host'
import type { SweepRow } from '../protocol/sweeps'
import { OutputError } from '../run/mcap-writer'
import { runOne } from './run-one'
import { withValues } from './set-values'
import { activityIndex, cancelIndex, type WorkerAnswer, type WorkerSetup, type WorkerTask } from './worker-messages'

const setup = workerData as WorkerSetup
const words = new Int32Array(setup.control)
const measures = setup.measures.trim() === '' ? [] : parseMeasures(setup.measures)
const condition = setup.keep === 'where' ? [parseMeasure(setup.condition)] : []
const control = { cancelled: () => Atomics.load(words, cancelIndex) !== 0, activity: words.subarray(activityIndex, activityIndex + 1) }

parentPort!.on('message', (task: WorkerTask) => void answer(task).then(result => parentPort!.postMessage(result)))

async function answer({ run, scene, changes, path }: WorkerTask): Promise<WorkerAnswer> {
  try {
    const text = withValues(setup.scenes[scene]!, changes)
    return { kind: 'ran', run, row: await runOne({ run, text, measures, keep: setup.keep, condition, path, memory: setup.memory, control }) }
  } catch (error) {
    if (error instanceof OutputError) return { kind: 'output', run, name: error.name, message: error.message, file: error.path }
    // A value whose path does not exist in this scene; other exceptions are internal errors, and a row with the message.
    const { name, message } = error as Error
    return { kind: 'ran', run, row: lost(run, error instanceof HostError ? 'refused' : 'failed', name, message) }
  }
}

function lost(run: number, status: SweepRow['status'], reason: string, message: string): SweepRow {
  return {
    run, status, reason, message, sceneHash: '', finalHash: '', simulatedTime: 0, frames: 0, steps: 0, measures: measures.map(() => null), kept: '', wallTime: 0,
  }
}
