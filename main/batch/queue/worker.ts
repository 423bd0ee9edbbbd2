/**
 * A machine that runs jobs of sweeps. It executes scenes, with scripts in the sandbox, and nothing else. A job's lease is renewed while its run computes in a
 * thread; after the lease of a killed or disconnected worker the job goes to another one.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DelayedError, UnrecoverableError, Worker, type Job } from 'bullmq'
import type { Redis } from 'ioredis'
import { ENGINE_VERSION } from '../../../core/simulation'
import { trajectoryName } from '../local'
import type { PreparedSweep } from '../plan'
import { poolFor, type Pool } from '../pool'
import { storeOf } from '../open-store'
import type { Store } from '../store'
import type { QueueServer } from './connection'
import { bullConnection, JobQueue, MAX_TRIES, queueName, type RunJob } from './jobs'
import { Ledger } from './ledger'

export interface WorkerOptions {
  readonly server: QueueServer
  /** Number of concurrent runs. */
  readonly concurrency: number
  /** s without a sign of life after which a worker's job goes to another one. */
  readonly lease: number
  /** Destination of trajectories; null: as the sweep specifies. */
  readonly store: Store | null
  /** Prints a status line. */
  readonly log: (line: string) => void
  readonly workerUrl?: URL
}

/** A sweep with jobs, and the threads for it. */
interface KnownSweep {
  readonly sweep: PreparedSweep
  readonly store: Store | null
  readonly pool: Pool
  used: number
}

/** ms after which threads of a sweep without jobs are terminated, and between two checks for cancellation. */
const UNUSED = 60_000
const CANCEL_INTERVAL = 2000

export class SweepWorker {
  private readonly redis: Redis
  private readonly bullRedis: Redis
  private readonly ledger: Ledger
  private readonly known = new Map<string, Promise<KnownSweep>>()
  private readonly cancelled = new Map<string, { readonly time: number; readonly answer: boolean }>()
  private readonly worker: Worker<RunJob>
  private readonly scratch = mkdtempSync(join(tmpdir(), 'cairn-worker-'))
  private readonly sweeper: NodeJS.Timeout
  private ending = false
  /** Number of rows that were the first of their run. */
  done = 0

  constructor(private readonly options: WorkerOptions) {
    this.redis = options.server.connect()
    this.bullRedis = options.server.connect()
    this.ledger = new Ledger(this.redis)
    const lease = 1000 * options.lease
    this.worker = new Worker<RunJob>(queueName(), (job, token) => this.process(job, token), {
      connection: bullConnection(this.bullRedis), concurrency: options.concurrency, lockDuration: lease, stalledInterval: lease / 2,
      maxStalledCount: MAX_TRIES - 1,
    })
    this.worker.on('error', () => undefined) // it reconnects automatically
    this.worker.on('failed', (job, error) => options.log(`Run ${job?.data.run ?? '?'} of sweep ${job?.data.sweep ?? '?'}: ${error.message}`))
    this.sweeper = setInterval(() => void this.dropUnused(), UNUSED)
  }

  /** Reports sweeps of other versions, whose jobs this worker cannot run. */
  async tellOthers(): Promise<void> {
    for (const { id, engine, done, total, cancelled } of await this.ledger.list()) {
      if (engine === ENGINE_VERSION || cancelled || done >= total) continue
      const jobs = new JobQueue(this.redis, engine)
      const { waiting } = await jobs.counts()
      await jobs.close()
      if (waiting > 0) this.options.log(`Sweep ${id} is for engine ${engine}; this worker is ${ENGINE_VERSION} and does not run it.`)
    }
  }

  /** Returns running jobs to the queue, and ends. */
  async close(): Promise<void> {
    this.ending = true
    clearInterval(this.sweeper)
    const pools = (await Promise.allSettled(this.known.values())).flatMap(result => result.status === 'fulfilled' ? [result.value.pool] : [])
    for (const pool of pools) pool.cancel()
    await this.worker.close()
    await Promise.all(pools.map(pool => pool.close()))
    this.redis.disconnect()
    this.bullRedis.disconnect()
    rmSync(this.scratch, { recursive: true, force: true })
  }

  private async process(job: Job<RunJob>, token: string | undefined): Promise<void> {
    const { sweep: id, run, engine } = job.data
    if (engine !== ENGINE_VERSION) throw new UnrecoverableError(`the job is for engine ${engine}, and this is ${ENGINE_VERSION}`)
    if (this.ending) return this.giveBack(job, token)
    if (await this.isCancelled(id) || await this.ledger.has(id, run)) return
    const { sweep, pool, store } = await this.sweep(id)
    if (run >= sweep.total) throw new UnrecoverableError(`the sweep has ${sweep.total} runs`)
    const name = trajectoryName(run)
    const path = join(this.scratch, `${id}-${job.attemptsStarted}-${name}`)
    const outcome = await pool.run({ run, scene: sweep.sceneOf(run), changes: sweep.changesOf(run), path })
    if (outcome === null) return this.giveBack(job, token)
    if ('kind' in outcome) throw new Error(outcome.message)
    if (outcome.kept !== '') {
      if (store === null) throw new UnrecoverableError('neither the sweep nor this worker has a --store for its trajectory')
      await store.put(path, `${id}/${name}`)
    }
    if (await this.ledger.note(id, outcome.kept === '' ? outcome : { ...outcome, kept: name })) this.done++
    else this.options.log(`Run ${run} of sweep ${id} already has a row: another worker was faster.`)
  }

  private async giveBack(job: Job<RunJob>, token: string | undefined): Promise<never> {
    await job.moveToDelayed(Date.now(), token)
    throw new DelayedError()
  }

  private sweep(id: string): Promise<KnownSweep> {
    let known = this.known.get(id)
    if (!known) {
      known = this.load(id)
      this.known.set(id, known)
      known.catch(() => this.known.delete(id))
    }
    return known.then(found => {
      found.used = performance.now()
      return found
    })
  }

  private async load(id: string): Promise<KnownSweep> {
    const { sweep, store } = await this.ledger.sweep(id)
    const pool = poolFor(sweep, this.options.concurrency, this.options.workerUrl)
    return { sweep, pool, store: this.options.store ?? (store === '' ? null : await storeOf(store)), used: performance.now() }
  }

  private async isCancelled(id: string): Promise<boolean> {
    const last = this.cancelled.get(id)
    if (last && performance.now() - last.time < CANCEL_INTERVAL) return last.answer
    const answer = await this.ledger.isCancelled(id)
    this.cancelled.set(id, { time: performance.now(), answer })
    return answer
  }

  private async dropUnused(): Promise<void> {
    for (const [id, loading] of this.known) {
      const { pool, used } = await loading
      if (performance.now() - used < UNUSED || pool.busy) continue
      this.known.delete(id)
      this.cancelled.delete(id)
      await pool.close()
    }
  }
}
