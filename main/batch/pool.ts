/**
 * Threads that run a sweep, each one run at a time. A run that exceeds its limits is cancelled by the flag, and with its thread if that does not
 * respond; if a thread dies its run is lost, and the thread is replaced.
 */
import { Worker } from 'node:worker_threads'
import type { SweepRow, SweepStatus } from '../protocol/sweeps'
import type { PreparedSweep } from './plan'
import { activityIndex, cancelIndex, controlLength, type WorkerAnswer, type WorkerSetup, type WorkerTask } from './worker-messages'

export interface PoolOptions {
  readonly setup: Omit<WorkerSetup, 'control' | 'memory'>
  readonly threads: number
  /** s and MB per run; null: no limit. */
  readonly timeLimit: number | null
  readonly memoryLimit: number | null
  readonly workerUrl?: URL
}

/** ms until an unresponsive cancelled run is terminated with its thread. */
const patience = 2000
/** ms for one call of a script. */
const scriptPatience = 10_000
/** MB for new objects of a thread. */
const youngGeneration = 24

/** Beside this module in the build; the tests name their own. */
const defaultWorker = new URL('./sweep-worker.js', import.meta.url)

/** Result of a run: its row, null if it was cancelled, or a failure to write its trajectory. */
export type Outcome = SweepRow | null | Extract<WorkerAnswer, { kind: 'output' }>

export class Pool {
  private readonly threads: Thread[]

  constructor(options: PoolOptions) {
    this.threads = Array.from({ length: options.threads }, () => new Thread(options))
  }

  get size(): number {
    return this.threads.length
  }

  /** Whether a thread is free. */
  get idle(): boolean {
    return this.threads.some(thread => !thread.busy)
  }

  /** Whether any thread has a run. */
  get busy(): boolean {
    return this.threads.some(thread => thread.busy)
  }

  /** Runs a task in a free thread. */
  run(task: WorkerTask): Promise<Outcome> {
    const thread = this.threads.find(candidate => !candidate.busy)
    if (!thread) throw new Error('Every thread already has a run.')
    return thread.run(task)
  }

  /** Cancels all runs; their promises resolve to null. */
  cancel(): void {
    for (const thread of this.threads) thread.cancel(null)
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map(thread => thread.close()))
  }
}

/** Threads for the runs of a sweep. */
export function poolFor({ plan, measures }: PreparedSweep, threads: number, workerUrl?: URL): Pool {
  return new Pool({
    threads, timeLimit: plan.timeLimit, memoryLimit: plan.memoryLimit, ...(workerUrl ? { workerUrl } : {}),
    setup: {
      scenes: plan.scenes.map(({ text }) => text), measures: plan.measures, measureCount: measures.length, keep: plan.keep.kind,
      condition: plan.keep.kind === 'where' ? plan.keep.expression : '',
    },
  })
}

class Thread {
  private worker: Worker | null = null
  private readonly words = new Int32Array(new SharedArrayBuffer(4 * controlLength))
  private present: { readonly task: WorkerTask; readonly started: number; readonly done: (outcome: Outcome) => void } | null = null
  /** Why the current run is being ended; null: it is cancelled. */
  private ending: { status: SweepStatus; reason: string; message: string } | null = null
  private timers: NodeJS.Timeout[] = []

  constructor(private readonly options: PoolOptions) {}

  get busy(): boolean {
    return this.present !== null
  }

  run(task: WorkerTask): Promise<Outcome> {
    this.worker ??= this.launch()
    Atomics.store(this.words, cancelIndex, 0)
    this.ending = null
    const { timeLimit } = this.options
    return new Promise(done => {
      this.present = { task, started: performance.now(), done }
      if (timeLimit !== null) this.after(1000 * timeLimit, () => this.cancel({ status: 'timeLimit', reason: 'TimeLimit', message: `The run took longer than ${timeLimit} s.` }))
      this.watchScripts()
      this.worker!.postMessage(task)
    })
  }

  cancel(why: Thread['ending']): void {
    if (!this.present || Atomics.load(this.words, cancelIndex) !== 0) return
    this.ending = why
    Atomics.store(this.words, cancelIndex, 1)
    this.after(patience, () => this.replace(why === null ? null : this.lost(why)))
  }

  async close(): Promise<void> {
    const { worker } = this
    this.worker = null
    this.finish(null)
    await worker?.terminate()
  }

  private launch(): Worker {
    const { setup, memoryLimit, workerUrl = defaultWorker } = this.options
    const worker = new Worker(workerUrl, {
      workerData: {
        ...setup, memory: memoryLimit === null ? Infinity : memoryLimit * 1024 * 1024, control: this.words.buffer as SharedArrayBuffer,
      } satisfies WorkerSetup,
      resourceLimits: { maxYoungGenerationSizeMb: youngGeneration, ...(memoryLimit === null ? {} : { maxOldGenerationSizeMb: memoryLimit }) },
    })
    worker.on('message', (answer: WorkerAnswer) => {
      if (worker === this.worker) this.finish(answer.kind === 'ran' ? this.finalRow(answer.row) : answer)
    })
    worker.on('error', (error: NodeJS.ErrnoException) => {
      if (worker !== this.worker) return
      const memory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      this.replace(this.lost({
        status: memory ? 'memoryLimit' : 'failed', reason: memory ? 'MemoryLimit' : 'RunFailed',
        message: memory ? 'The run exceeded the memory limit.' : `The run's thread failed: ${error.message}`,
      }))
    })
    worker.on('exit', code => {
      if (worker === this.worker) this.replace(this.lost({ status: 'failed', reason: 'RunFailed', message: `The run's thread ended (exit code ${code}).` }))
    })
    return worker
  }

  /** A cancelled run has no row, unless it was cancelled for exceeding a limit. */
  private finalRow(row: SweepRow | null): SweepRow | null {
    return row ?? (this.ending === null ? null : this.lost(this.ending))
  }

  private lost(why: NonNullable<Thread['ending']>): SweepRow {
    const { task, started } = this.present ?? { task: { run: 0 }, started: performance.now() }
    const count = this.options.setup.measureCount
    return {
      run: task.run, ...why, sceneHash: '', finalHash: '', simulatedTime: 0, frames: 0, steps: 0, measures: new Array<null>(count).fill(null), kept: '',
      wallTime: (performance.now() - started) / 1000,
    }
  }

  /** Terminates the thread; the next run gets a new one. */
  private replace(outcome: Outcome): void {
    const { worker } = this
    this.worker = null
    void worker?.terminate()
    this.finish(outcome)
  }

  private finish(outcome: Outcome): void {
    for (const timer of this.timers) clearTimeout(timer)
    this.timers = []
    const { present } = this
    this.present = null
    present?.done(outcome)
  }

  /** A script's budget counts interpreter steps; a few built-in functions take long without any. */
  private watchScripts(): void {
    const look = (activity: number): void => this.after(scriptPatience, () => {
      const current = Atomics.load(this.words, activityIndex)
      if (current !== activity || current % 2 === 0) return look(current)
      return this.replace(this.lost({ status: 'stopped', reason: 'ScriptError', message: `A script took longer than ${scriptPatience / 1000} s in one call and was stopped.` }))
    })
    look(Atomics.load(this.words, activityIndex))
  }

  private after(ms: number, action: () => void): void {
    this.timers.push(setTimeout(action, ms))
  }
}
