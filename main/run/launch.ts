/** Starts runs in threads of their own, and stops them: by the flag first, by force when that is not heard. */
import { MessageChannel, Worker } from 'node:worker_threads'
import type { TrajectoryEnd } from '../../core/trajectory/frame'
import type { LiveInput } from '../protocol/live'
import { activityIndex, cancelIndex, controlLength, type RunReport, type RunRequest } from './job'

/** ms until a cancelled run that does not answer is ended by force. */
const patience = 2000
/** ms that a script may spend in one call: its budget counts steps, and a few built-in functions take long without any. */
const scriptPatience = 10_000
const watchInterval = 500
/** MB for new objects: a step of thousands of contacts leaves ten, which would be copied on and on where there is room for one step only. */
const youngGeneration = 192

/** Beside this module in the build; the tests name their own. */
const defaultWorker = new URL('./worker.js', import.meta.url)

export interface LaunchedRun {
  cancel(): void
  /** In a session: what the person does. */
  input(input: LiveInput): void
  /** Resolves after the last report, in about two seconds when it was cancelled. */
  readonly over: Promise<void>
  /** Ends the thread at once, without a report. */
  terminate(): Promise<void>
}

/** Reports until `refused`, `ended` or `failed`, one of which comes last and once. */
export function launchRun(
  request: Omit<RunRequest, 'control' | 'live'> & { readonly live?: { readonly until: number } }, report: (report: RunReport) => void, workerUrl: URL = defaultWorker,
): LaunchedRun {
  const control = new SharedArrayBuffer(4 * controlLength)
  const words = new Int32Array(control)
  const { live, ...plain } = request
  const channel = live === undefined ? null : new MessageChannel()
  const worker = new Worker(workerUrl, {
    workerData: { ...plain, control, ...(channel === null ? {} : { live: { port: channel.port1, until: live!.until } }) } satisfies RunRequest,
    ...(channel === null ? {} : { transferList: [channel.port1] }), resourceLimits: { maxYoungGenerationSizeMb: youngGeneration },
  })
  const started = performance.now()
  let last = { frames: 0, time: 0 }
  let solver = ''
  let over = false
  let told = (): void => undefined
  const toldOver = new Promise<void>(resolve => { told = resolve })
  let force: NodeJS.Timeout | undefined

  const finish = (message: RunReport | null) => {
    if (over) return
    over = true
    clearTimeout(force)
    clearInterval(watch)
    channel?.port2.close()
    if (message) report(message)
    told()
  }
  const cutOff = (status: TrajectoryEnd['status'], reason: string, message: string): RunReport => ({
    kind: 'ended', complete: false,
    end: {
      status, reason, message, ids: [], simulatedTime: last.time, wallTime: (performance.now() - started) / 1000, frames: last.frames, steps: 0,
      finalHash: '', solver: { name: solver, calls: 0, basisHits: 0, pivots: 0, maxContacts: 0 }, fallbacks: { count: 0, time: 0 }, warnings: [],
    },
    problem: reason === '' ? null : { name: reason, severity: 'error', message, path: '', ids: [], time: last.time },
  })

  let activity = 0
  let since = performance.now()
  const watch = setInterval(() => {
    const current = Atomics.load(words, activityIndex)
    if (current !== activity || current % 2 === 0) {
      activity = current
      since = performance.now()
    } else if (performance.now() - since > scriptPatience) {
      finish(cutOff('stopped', 'ScriptError', `A script took longer than ${scriptPatience / 1000} s in one call and was stopped.`))
      void worker.terminate()
    }
  }, watchInterval)

  worker.on('message', (message: RunReport) => {
    if (over) return
    if (message.kind === 'begun') solver = message.header.solver
    if (message.kind === 'flushed') last = message
    if (message.kind === 'refused' || message.kind === 'ended' || message.kind === 'failed') finish(message)
    else report(message)
  })
  worker.on('error', error => finish({ kind: 'failed', message: `The run's thread failed: ${error.message}` }))
  worker.on('exit', code => finish({ kind: 'failed', message: `The run's thread ended (exit code ${code}).` }))

  return {
    input: input => channel?.port2.postMessage(input),
    cancel: () => {
      Atomics.store(words, cancelIndex, 1)
      force ??= setTimeout(() => {
        finish(cutOff('cancelled', '', ''))
        void worker.terminate()
      }, patience)
    },
    over: toldOver,
    terminate: async () => {
      finish(null)
      await worker.terminate()
    },
  }
}
