/** Jobs of sweeps: one a run, in one queue of BullMQ's for each version of the engine, so that no worker of another version ever has one. */
import { Queue, type ConnectionOptions } from 'bullmq'
import type { Redis } from 'ioredis'
import { ENGINE_VERSION } from '../../../core/simulation'

export interface RunJob {
  readonly sweep: string
  readonly run: number
  readonly engine: string
}

/** Times that a run is taken up by workers that die with it, after which it has a failed row. */
export const MAX_TRIES = 3
/** Number of attempts of a job whose worker fails: its store refuses, its disk is full. */
const ATTEMPTS = 5
/** ms before the second attempt; twice as long before each further one. */
const BACK_OFF = 1000

export const queueName = (engine: string = ENGINE_VERSION): string => `cairn-sweeps-${engine}`

export const jobId = (sweep: string, run: number): string => `${sweep}-${run}`

/** Our ioredis is of another major version than the one that BullMQ's types were made with; it takes both. */
export const bullConnection = (redis: Redis): ConnectionOptions => redis as unknown as ConnectionOptions

export class JobQueue {
  private readonly queue: Queue<RunJob>

  constructor(private readonly redis: Redis, engine: string = ENGINE_VERSION) {
    this.queue = new Queue(queueName(engine), { connection: bullConnection(redis) })
    this.queue.on('error', () => undefined) // the connection comes back by itself
  }

  /** Adds jobs; of one that is there already nothing changes. */
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

  /** Takes jobs away that nobody has begun, and those that were given up. */
  async remove(sweep: string, runs: readonly number[]): Promise<void> {
    for (const run of runs) {
      const job = await this.queue.getJob(jobId(sweep, run))
      await job?.remove().catch(() => undefined) // a running one is locked: its worker checks before each run whether the sweep was cancelled
    }
  }

  /** Jobs that wait or run, and workers that are connected. */
  async counts(): Promise<{ waiting: number; running: number; workers: number }> {
    const { waiting = 0, delayed = 0, prioritized = 0, active = 0 } = await this.queue.getJobCounts('waiting', 'delayed', 'prioritized', 'active')
    return { waiting: waiting + delayed + prioritized, running: active, workers: await this.queue.getWorkersCount() }
  }

  async close(): Promise<void> {
    await this.queue.close()
  }
}
