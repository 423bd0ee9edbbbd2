/** Trials of one kind in a thread. A trial that takes too long is cancelled, and the thread is terminated if it does not respond. */
import { Worker } from 'node:worker_threads'
import type { Outcome } from './outcome'

export interface Trial extends Outcome {
  readonly kind: string
  readonly seed: number
  /** Of the processor, s. */
  readonly seconds: number
}

export interface Patience {
  /** ms of processor time after which a trial is cancelled; other load does not count. */
  readonly limit: number
  /** ms of processor time within which it then has to respond. */
  readonly answer: number
  /** Whether the application also terminates such a thread and reports it; no response is then not a fault. */
  readonly watched?: boolean
}

/** Runs the seeds in turn and calls `told` with each result. */
export async function runTrials(workerUrl: URL, kind: string, seeds: Iterable<number>, patience: Patience, told: (trial: Trial) => void): Promise<void> {
  const control = new SharedArrayBuffer(4)
  const words = new Int32Array(control)
  let worker: Worker | null = null
  for (const seed of seeds) {
    worker ??= new Worker(workerUrl, { workerData: { kind, control }, resourceLimits: { maxOldGenerationSizeMb: 2048 } })
    Atomics.store(words, 0, 0)
    const { trial, lost } = await one(worker, kind, seed, words, patience)
    if (lost) {
      await worker.terminate()
      worker = null
    }
    told(trial)
  }
  await worker?.terminate()
}

/** A waiting thread uses no processor time. It is cancelled, and then terminated, after this many times the limit in wall-clock time. */
const WAITING = 30
/** ms between two looks at what a trial has used. */
const LOOK = 50

function one(worker: Worker, kind: string, seed: number, words: Int32Array, { limit, answer, watched = false }: Patience): Promise<{ trial: Trial; lost: boolean }> {
  return new Promise(done => {
    const used = process.cpuUsage()
    const started = performance.now()
    const processor = () => {
      const { user, system } = process.cpuUsage(used)
      return (user + system) / 1000
    }
    const after = (ms: number) => processor() >= ms || performance.now() - started >= WAITING * ms
    const lost = (outcome: Trial['outcome'], detail: string) => finish({ kind, seed, outcome, detail, seconds: processor() / 1000 }, true)
    const look = () => {
      if (after(limit)) Atomics.store(words, 0, 1)
      if (after(limit + answer)) lost(watched ? 'stopped' : 'silent', watched ? 'ended by the watchdog' : 'no answer to a cancel')
    }
    const looking = setInterval(look, LOOK)
    const finish = (trial: Trial, isLost: boolean) => {
      clearInterval(looking)
      worker.off('message', onMessage).off('error', onError)
      done({ trial, lost: isLost })
    }
    const onMessage = (trial: Omit<Trial, 'kind'>) => finish({ kind, ...trial }, false)
    const onError = (error: Error) => lost('failed', `the thread ended: ${error.message}`)
    worker.on('message', onMessage).on('error', onError)
    worker.postMessage(seed)
    look()
  })
}
