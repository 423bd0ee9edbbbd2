/** Jobs of sweeps: one per run, in one BullMQ queue per engine version, so that workers of other versions never get them. */
import { Queue, type ConnectionOptions } from 'bullmq'
import type { Redis } from 'ioredis'
import { ENGINE_VERSION } from '../../../core/simulation'

export interface RunJob {
  readonly sweep: string
  readonly run: number
  readonly engine: string
}

/** Number of workers that may die with a run before it gets a failed row. */
export const MAX_TRIES = 3
/** Number of attempts of a job whose worker fails, because its store refuses or its disk is full. */
const ATTEMPTS = 5
/** ms before the second attempt; doubled for each further one. */
const BACK_OFF = 1000

export const queueName = (engine: string = ENGINE_VERSION): string => `cairn-sweeps-${engine}`

export const jobId = (sweep: string, run: number): string => `${sweep}-${run}`

/** Our ioredis has another major version than BullMQ's types; BullMQ supports both. */
export const bullConnection = (redis: Redis): ConnectionOptions => redis as unknown as ConnectionOptions

export class JobQueue {
  private readonly queue: Queue<RunJob>

  constructor(private readonly redis: Redis, engine: string = ENGINE_VERSION) {
    this.queue = new Queue(queueName(engine), { connection: bullConnection(redis) })
    this.queue.on('error', () => undefined) // it reconnects automatically
  }

  /** Adds jobs; existing ones are unchanged. */
  async add(sweep: string, runs: readonly number[]): Promise<void> {
    await this.queue.addBulk(runs.map(run => ({
      name: 'run', data: { sweep, run, engine: ENGINE_VERSION },
      opts: { jobId: jobId(sweep, run), attempts: ATTEMPTS, backoff: { type: 'exponential', delay: BACK_OFF }, removeOnComplete: true },
    })))
  }

  /** States of jobs: waiting or running, missing, or failed, with the reason. */
  async states(sweep: string, runs: readonly number[]): Promise<('there' | 'gone' | { readonly failed: string })[]> {
    const pipeline = this.redis.pipeline()
    const failed = this.queue.toKey('failed')
    for (const run of runs) {
      const id = jobId(sweep, run)
      pipeline.exists(this.queue.toKey(id)).zscore(failed, id).hget(this.queue.toKey(id), 'failedReason')
    }
    const answers = (await pipeline.exec() ?? []).map(([error, value]) => {
      if (error) throw error
      return value
    })
    return runs.map((_, k) => {
      const [exists, score, reason] = answers.slice(3 * k, 3 * k + 3) as [number, string | null, string | null]
      return score !== null ? { failed: reason ?? '' } : exists === 1 ? 'there' : 'gone'
    })
  }

  /** Removes jobs that have not begun or have failed. */
  async remove(sweep: string, runs: readonly number[]): Promise<void> {
    for (const run of runs) {
      const job = await this.queue.getJob(jobId(sweep, run))
      await job?.remove().catch(() => undefined) // a running job is locked: its worker checks before each run whether the sweep was cancelled
    }
  }

  /** Number of waiting and running jobs, and of connected workers. */
  async counts(): Promise<{ waiting: number; running: number; workers: number }> {
    const { waiting = 0, delayed = 0, prioritized = 0, active = 0 } = await this.queue.getJobCounts('waiting', 'delayed', 'prioritized', 'active')
    return { waiting: waiting + delayed + prioritized, running: active, workers: await this.queue.getWorkersCount() }
  }

  async close(): Promise<void> {
    await this.queue.close()
  }
}
