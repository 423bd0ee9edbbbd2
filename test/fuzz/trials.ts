/** Trials of one kind in a thread, which is cancelled after a while and ended when it does not answer that. */
import { Worker } from 'node:worker_threads'
import type { Outcome } from './outcome'

export interface Trial extends Outcome {
  readonly kind: string
  readonly seed: number
  /** Of the processor, s; of the clock where there was no answer. */
  readonly seconds: number
}

export interface Patience {
  /** ms of the clock after which a trial is cancelled. */
  readonly limit: number
  /** ms after that within which it has to answer. */
  readonly answer: number
  /** Whether the application too ends such a thread after a while, and says so: then no answer is no fault. */
  readonly watched?: boolean
}

/** Runs the seeds in turn; `told` hears of each. */
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

function one(worker: Worker, kind: string, seed: number, words: Int32Array, { limit, answer, watched = false }: Patience): Promise<{ trial: Trial; lost: boolean }> {
  return new Promise(done => {
    const started = performance.now()
    const seconds = () => (performance.now() - started) / 1000
    let silence: NodeJS.Timeout | undefined
    const cancel = setTimeout(() => {
      Atomics.store(words, 0, 1)
      silence = setTimeout(() => finish({
        kind, seed, outcome: watched ? 'stopped' : 'silent', detail: watched ? 'ended by the watchdog' : 'no answer to a cancel', seconds: seconds(),
      }, true), answer)
    }, limit)
    const finish = (trial: Trial, lost: boolean) => {
      clearTimeout(cancel)
      clearTimeout(silence)
      worker.off('message', onMessage).off('error', onError)
      done({ trial, lost })
    }
    const onMessage = (trial: Omit<Trial, 'kind'>) => finish({ kind, ...trial }, false)
    const onError = (error: Error) => finish({ kind, seed, outcome: 'failed', detail: `the thread ended: ${error.message}`, seconds: seconds() }, true)
    worker.on('message', onMessage).on('error', onError)
    worker.postMessage(seed)
  })
}
