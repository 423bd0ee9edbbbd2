/** A sweep by a queue, on the collecting side: adds the jobs and fetches all rows as they arrive. */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { ENGINE_VERSION } from '../../../core/simulation'
import type { SweepProgress } from '../../protocol/sweeps'
import { SweepFolder } from '../folder'
import { JournalReader, JournalWriter, newShard } from '../journal'
import { collect, lostRun, type SweepOutcome } from '../local'
import type { PreparedSweep } from '../plan'
import type { QueueServer } from './connection'
import { JobQueue } from './jobs'
import { Ledger } from './ledger'

export interface QueuedSweep {
  readonly sweep: PreparedSweep
  readonly folder: string
  readonly server: QueueServer
  /** Destination of trajectories; empty: none are kept. */
  readonly store: string
  readonly progress: (progress: SweepProgress) => void
  /** Leaves the sweep to the workers; the same command can fetch the rest later. */
  readonly signal: AbortSignal
}

/** Jobs added, or rows fetched, per request. */
const BATCH = 500
/** ms between two requests for rows, and between two checks for lost jobs. */
const FETCH_INTERVAL = 200
const LOST_INTERVAL = 3000
/** Number of runs without a row whose jobs are checked at a time. */
const LOOKED_AFTER = 2000

/** @throws HostError */
export async function runQueuedSweep(options: QueuedSweep): Promise<SweepOutcome> {
  const folder = new SweepFolder(options.folder)
  folder.take(options.sweep)
  const lock = folder.lock(null)
  const redis = options.server.connect()
  const jobs = new JobQueue(redis)
  const journal = new JournalWriter(newShard(lock.folder, `${Date.now().toString(36)}-${hostname().replace(/[^\w.-]/g, '_')}-queue-${randomBytes(3).toString('hex')}`))
  try {
    return await new Coordinator(options, folder, new Ledger(redis), jobs, journal).run()
  } finally {
    journal.close()
    await jobs.close()
    redis.disconnect()
    lock.release()
  }
}

class Coordinator {
  private readonly started = performance.now()
  /** By run: 1 if its row is in the folder. */
  private readonly here: Uint8Array
  private done: number
  private failed: number
  private came = 0
  /** Number of rows read from the server. */
  private fetched = 0
  private running = 0

  constructor(
    private readonly options: QueuedSweep, private readonly folder: SweepFolder, private readonly ledger: Ledger, private readonly jobs: JobQueue,
    private readonly journal: JournalWriter,
  ) {
    const { total } = options.sweep
    const known = new JournalReader(folder.rowFolders(), total)
    this.here = Uint8Array.from({ length: total }, (_, run) => known.has(run) ? 1 : 0)
    this.done = known.count
    this.failed = known.failed
  }

  async run(): Promise<SweepOutcome> {
    const { options: { sweep, store, signal }, ledger, jobs } = this
    await ledger.add(sweep, ENGINE_VERSION, store)
    await this.fetch()
    for (const batch of this.missing(sweep.total)) {
      if (signal.aborted) break
      await jobs.add(sweep.id, batch)
    }
    let looked = performance.now()
    while (this.done < sweep.total && !signal.aborted) {
      if (await this.fetch()) continue
      if (performance.now() - looked > LOST_INTERVAL) {
        await this.lookAfterLost()
        looked = performance.now()
      }
      await pause(FETCH_INTERVAL)
    }
    if (this.done < sweep.total) return { status: 'cancelled', progress: this.progress(), collected: null }
    const collected = await collect(sweep, this.folder)
    await ledger.finished(sweep.id)
    return { status: 'completed', progress: this.progress(), collected }
  }

  /** @returns whether there were new rows */
  private async fetch(): Promise<boolean> {
    const { id } = this.options.sweep
    const rows = await this.ledger.rows(id, this.fetched, BATCH)
    this.fetched += rows.length
    for (const row of rows) {
      if (this.here[row.run] !== 0) continue
      this.journal.row(row)
      this.here[row.run] = 1
      this.done++
      this.came++
      if (row.status !== 'completed') this.failed++
    }
    this.options.progress(this.progress())
    return rows.length > 0
  }

  /** Writes rows for failed jobs, and adds lost ones again (after a restart of a server without persistence). */
  private async lookAfterLost(): Promise<void> {
    const { options: { sweep, store }, ledger, jobs } = this
    this.running = (await jobs.counts()).running
    let again = 0
    for (const batch of this.missing(LOOKED_AFTER)) {
      const states = await jobs.states(sweep.id, batch)
      const gone: number[] = []
      for (const [k, run] of batch.entries()) {
        const state = states[k]!
        if (state === 'there' || await ledger.has(sweep.id, run)) continue
        if (state === 'gone') gone.push(run)
        else await ledger.note(sweep.id, lostRun(sweep, run, `The run failed: ${state.failed}.`))
      }
      if (gone.length > 0 && again === 0) await ledger.add(sweep, ENGINE_VERSION, store)
      again += gone.length
      await jobs.add(sweep.id, gone)
    }
    // A server that lost its data numbers rows from 0 again.
    if (again > 0) this.fetched = 0
  }

  /** Runs without a row in the folder, in batches; at most `most`. */
  private* missing(most: number): Iterable<number[]> {
    let batch: number[] = []
    let count = 0
    for (let run = 0; run < this.here.length && count < most; run++) {
      if (this.here[run] !== 0) continue
      count++
      batch.push(run)
      if (batch.length < BATCH) continue
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
  }

  private progress(): SweepProgress {
    const { done, failed, running, came, options: { sweep: { total } } } = this
    const seconds = (performance.now() - this.started) / 1000
    const rate = came > 0 ? came / seconds : null
    return { total, done, failed, running, rate, timeLeft: rate === null ? null : (total - done) / rate }
  }
}
