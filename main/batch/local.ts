/** A sweep on this machine: one concurrent run for each thread, rows written as they complete, resumable. */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { SweepProgress, SweepRow } from '../protocol/sweeps'
import { SweepFolder } from './folder'
import { JournalReader, JournalWriter, newShard } from './journal'
import { sweepFault } from './fault'
import type { PreparedSweep } from './plan'
import { poolFor, type Outcome, type Pool } from './pool'
import { writeResults, type Collected } from './results'
import type { Store } from './store'

export interface LocalSweep {
  readonly sweep: PreparedSweep
  readonly folder: string
  readonly threads: number
  /** One shard of a scheduler's array job: runs whose number modulo `count` is `index`; null: all. */
  readonly shard: { readonly index: number; readonly count: number } | null
  /** Destination of kept trajectories; null: `runs/` in the folder. */
  readonly store: Store | null
  readonly progress: (progress: SweepProgress) => void
  /** Called with each row once it is on the disk. */
  readonly row?: (row: SweepRow) => void
  /** Ends the sweep cleanly; running runs are left for later. */
  readonly signal: AbortSignal
  readonly workerUrl?: URL
}

export interface SweepOutcome {
  readonly status: 'completed' | 'cancelled'
  readonly progress: SweepProgress
  /** Null if the results are not collected yet: cancelled, or one shard of several. */
  readonly collected: Collected | null
}

/** Number of attempts without a result after which a run is assumed to kill its process. */
const MAX_TRIES = 3

/** @throws HostError if the folder belongs to another sweep, is in use, or cannot be written */
export async function runSweep(options: LocalSweep): Promise<SweepOutcome> {
  const { sweep } = options
  const folder = new SweepFolder(options.folder)
  folder.take(sweep)
  const lock = folder.lock(options.shard)
  try {
    return await new Sitting(options, folder, lock.folder).run()
  } finally {
    lock.release()
  }
}

class Sitting {
  private readonly known: JournalReader
  private readonly journal: JournalWriter
  private readonly pool: Pool
  private readonly started = performance.now()
  private readonly total: number
  private done = 0
  private failed = 0
  /** Number of rows of this process. */
  private came = 0
  private running = 0
  private fault: Error | null = null

  constructor(private readonly options: LocalSweep, private readonly folder: SweepFolder, rowFolder: string) {
    const { sweep, shard } = options
    this.known = new JournalReader(shard === null ? folder.rowFolders() : [rowFolder], sweep.total)
    this.total = shard === null ? sweep.total : Math.max(0, Math.ceil((sweep.total - shard.index) / shard.count))
    this.done = this.known.count
    this.failed = this.known.failed
    this.journal = new JournalWriter(newShard(rowFolder, `${Date.now().toString(36)}-${hostname().replace(/[^\w.-]/g, '_')}-${process.pid}-${randomBytes(3).toString('hex')}`))
    this.pool = poolFor(sweep, Math.max(1, Math.min(options.threads, this.total)), options.workerUrl)
  }

  async run(): Promise<SweepOutcome> {
    const { options, pool } = this
    const stop = (): void => pool.cancel()
    options.signal.addEventListener('abort', stop)
    try {
      await this.all()
    } finally {
      options.signal.removeEventListener('abort', stop)
      await pool.close()
      this.journal.close()
    }
    if (this.fault) throw this.fault
    if (options.signal.aborted) return { status: 'cancelled', progress: this.progress(), collected: null }
    return { status: 'completed', progress: this.progress(), collected: options.shard === null ? await collect(options.sweep, this.folder) : null }
  }

  private async all(): Promise<void> {
    const { sweep, shard, signal } = this.options
    const [first, stride] = shard === null ? [0, 1] : [shard.index, shard.count]
    const under = new Set<Promise<void>>()
    this.options.progress(this.progress())
    for (let run = first; run < sweep.total && !signal.aborted && !this.fault; run += stride) {
      if (this.known.has(run)) continue
      const tries = this.known.begun.get(run) ?? 0
      if (tries >= MAX_TRIES) {
        this.take(lostRun(sweep, run, `The process ended ${tries} times while this run was computed.`))
        continue
      }
      this.journal.begin(run)
      const one: Promise<void> = this.one(run).catch((error: Error) => {
        this.fault ??= error
      }).finally(() => under.delete(one))
      under.add(one)
      while (!this.pool.idle) await Promise.race(under)
    }
    if (this.fault) this.pool.cancel()
    await Promise.all(under)
  }

  private async one(run: number): Promise<void> {
    const { sweep, store } = this.options
    const name = trajectoryName(run)
    const path = join(this.folder.runs, name)
    this.running++
    let outcome: Outcome
    try {
      outcome = await this.pool.run({ run, scene: sweep.sceneOf(run), changes: sweep.changesOf(run), path })
    } finally {
      this.running--
    }
    if (outcome === null) return // cancelled: left for later
    if ('kind' in outcome) throw sweepFault(outcome.message, { value: outcome.file }, outcome.name)
    if (outcome.kept === '') return this.take(outcome)
    await store?.put(path, `${sweep.id}/${name}`)
    this.take({ ...outcome, kept: name })
  }

  private take(row: SweepRow): void {
    this.journal.row(row)
    this.done++
    this.came++
    if (row.status !== 'completed') this.failed++
    this.options.row?.(row)
    this.options.progress(this.progress())
  }

  private progress(): SweepProgress {
    const { total, done, failed, running, came } = this
    const seconds = (performance.now() - this.started) / 1000
    const rate = came > 0 ? came / seconds : null
    return { total, done, failed, running, rate, timeLeft: rate === null ? null : (total - done) / rate }
  }
}

/** Name of a run's kept trajectory. */
export function trajectoryName(run: number): string {
  return `${String(run).padStart(7, '0')}.mcap`
}

/** The row of a run that was repeatedly lost with its process. */
export function lostRun(sweep: PreparedSweep, run: number, message: string): SweepRow {
  return {
    run, status: 'failed', reason: 'Lost', message, sceneHash: '', finalHash: '', simulatedTime: 0, frames: 0, steps: 0, measures: sweep.measures.map(() => null),
    kept: '', wallTime: 0,
  }
}

/**
 * Joins the rows of all shards into `results.parquet`.
 *
 * @param partial collect even if runs are missing
 * @throws HostError if runs are missing, or the file cannot be written
 */
export async function collect(sweep: PreparedSweep, folder: SweepFolder, partial = false): Promise<Collected> {
  const journal = new JournalReader(folder.rowFolders(), sweep.total)
  if (!partial && journal.count < sweep.total) {
    throw sweepFault(`${sweep.total - journal.count} of ${sweep.total} runs have no result yet.`, { value: journal.count, allowed: 'to run the rest, or --partial' }, 'Incomplete')
  }
  return writeResults(sweep, () => journal.rows(), join(folder.path, 'results.parquet'))
}
