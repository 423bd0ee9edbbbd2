/** Starts runs in threads, and stops them: first by the shared flag, then by terminating the thread. */
import { MessageChannel } from 'node:worker_threads'
import type { TrajectoryEnd } from '../../core/trajectory/frame'
import type { LiveInput } from '../protocol/live'
import { activityIndex, cancelIndex, controlLength, inputIndex, type RunReport, type RunRequest } from './job'
import { releaseThread, acquireThread } from './threads'

/** ms until a cancelled run that does not respond is terminated. */
const patience = 2000
/** ms for one call of a script: its budget counts interpreter steps, but a few built-in functions take long without any. */
const scriptPatience = 10_000
const watchInterval = 500

/** Beside this module in the build; tests pass their own. */
const defaultWorker = new URL('./worker.js', import.meta.url)

export interface LaunchedRun {
  cancel(): void
  /** User input of a live session. */
  input(input: LiveInput): void
  /** Resolves after the last report; within about two seconds after cancelling. */
  readonly over: Promise<void>
  /** Terminates the thread at once, without a report. */
  terminate(): Promise<void>
}

/** Reports end with exactly one `refused`, `ended` or `failed`. */
export function launchRun(
  request: Omit<RunRequest, 'control' | 'live'> & { readonly live?: boolean }, report: (report: RunReport) => void, workerUrl: URL = defaultWorker,
): LaunchedRun {
  const control = new SharedArrayBuffer(4 * controlLength)
  const words = new Int32Array(control)
  const { live, ...plain } = request
  const channel = live === true ? new MessageChannel() : null
  const worker = acquireThread(workerUrl)
  const started = performance.now()
  let last = { frames: 0, time: 0 }
  let solver = ''
  let begun = false
  let over = false
  let resolveEnded = (): void => undefined
  const endReported = new Promise<void>(resolve => { resolveEnded = resolve })
  let force: NodeJS.Timeout | undefined

  /** @param reusable whether the thread has finished the run itself; otherwise it is terminated */
  const finish = async (message: RunReport | null, reusable = false): Promise<void> => {
    if (over) return
    over = true
    clearTimeout(force)
    clearInterval(watch)
    channel?.port2.close()
    if (reusable) releaseThread(workerUrl, worker, (performance.now() - started) / 1000)
    const ended = reusable ? undefined : worker.terminate()
    if (message) report(message)
    resolveEnded()
    await ended
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
      void finish(cutOff('stopped', 'ScriptError', `A script took longer than ${scriptPatience / 1000} s in one call and was stopped.`))
    }
  }, watchInterval)

  worker.on('message', (message: RunReport) => {
    if (over) return
    if (message.kind === 'begun') {
      begun = true
      solver = message.header.solver
    }
    if (message.kind === 'flushed') last = message
    if (message.kind === 'refused' || message.kind === 'ended' || message.kind === 'failed') {
      // After a write error the thread may still have its file open; terminating it closes the file.
      void finish(message, message.kind === 'ended' ? message.complete : message.kind === 'refused' && !begun)
    } else {
      report(message)
    }
  })
  worker.on('error', error => void finish({ kind: 'failed', message: `The run's thread failed: ${error.message}` }))
  worker.on('exit', code => void finish({ kind: 'failed', message: `The run's thread ended (exit code ${code}).` }))
  const job: RunRequest = { ...plain, control, ...(channel === null ? {} : { live: { port: channel.port1 } }) }
  worker.postMessage(job, channel === null ? [] : [channel.port1])

  const wake = (): void => {
    Atomics.add(words, inputIndex, 1)
    Atomics.notify(words, inputIndex)
  }
  return {
    input: input => {
      channel?.port2.postMessage(input)
      wake()
    },
    cancel: () => {
      if (over) return
      Atomics.store(words, cancelIndex, 1)
      wake()
      force ??= setTimeout(() => void finish(cutOff('cancelled', '', '')), patience)
    },
    over: endReported,
    terminate: () => finish(null),
  }
}
