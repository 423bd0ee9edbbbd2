/** Sweeps of the editor: run in the background by the code of `cairn sweep`, resumed after a restart, listed with their results. */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { sweepFault } from '../batch/fault'
import { JournalReader } from '../batch/journal'
import { runSweep } from '../batch/local'
import { PreparedSweep } from '../batch/plan'
import { ResultTable } from '../batch/results'
import { HostError } from '../protocol/host'
import type { Problem } from '../protocol/problem'
import type { RunInfo } from '../protocol/runs'
import type { SweepInfo, SweepPlan, SweepProgress, SweepResult, SweepRow, SweepSize, SweepState } from '../protocol/sweeps'
import { MemorySink, writeTable } from '../tables'
import type { Runs } from './runs'
import { SweepRecords, type SweepRecord } from './sweep-records'

/** Maximum number of runs in a sweep of the editor, which holds and draws all rows; the command line accepts far more. */
const MAX_RUNS = 200_000
/** ms between two notifications of one sweep. */
const noticeInterval = 100
/** Rows per answer: a few megabytes. */
const answerRows = 4096

interface Sweep {
  readonly id: string
  record: SweepRecord
  readonly prepared: PreparedSweep | null
  state: SweepState
  progress: SweepProgress
  problem: Problem | null
  /** The running computation; null while it does not run. */
  sitting: { readonly abort: AbortController; readonly over: Promise<void> } | null
  /** Ids of the editor's runs that are trajectories of this sweep. */
  readonly opened: Set<string>
}

export class Sweeps {
  private readonly records: SweepRecords
  private known: Map<string, Sweep> | null = null
  private readonly notices = new Map<string, NodeJS.Timeout>()
  /** Rows of the sweep displayed last, in order of arrival. */
  private shown: { readonly id: string; readonly rows: SweepRow[] } | null = null

  constructor(home: string, private readonly runs: Runs, private readonly changed: (sweep: SweepInfo) => void, private readonly workerUrl: URL | undefined) {
    this.records = new SweepRecords(home)
  }

  /** @throws HostError for any error in the plan */
  check(plan: SweepPlan): SweepSize {
    const { total, measures } = prepare(plan)
    return { runs: total, measures: measures.map(({ name }) => name) }
  }

  start(plan: SweepPlan, { name, workers }: { name: string; workers: number | null }): SweepInfo {
    const prepared = prepare(plan)
    const { id } = prepared
    const present = this.all.get(id)
    if (present?.state === 'running' || present?.state === 'completed') return this.info(id)
    const folder = this.records.folderOf(id)
    folder.take(prepared)
    const record = present?.record ?? { name, createdAt: Date.now(), contentHash: null }
    this.records.save(id, record)
    const sweep: Sweep = {
      id, record, prepared, state: 'cancelled', problem: null, sitting: null, opened: present?.opened ?? new Set(), progress: present?.progress ?? nothingOf(prepared.total),
    }
    this.all.set(id, sweep)
    this.run(sweep, prepared, workers)
    return this.info(id)
  }

  resume(id: string, workers: number | null): SweepInfo {
    const sweep = this.one(id)
    if (sweep.state !== 'running' && sweep.state !== 'completed') this.run(sweep, this.prepared(sweep), workers)
    return this.info(id)
  }

  async cancel(id: string): Promise<void> {
    const { sitting } = this.one(id)
    sitting?.abort.abort()
    await sitting?.over
  }

  async delete(id: string): Promise<void> {
    const { opened } = this.one(id)
    await this.cancel(id)
    for (const run of opened) await this.runs.delete(run).catch(() => undefined) // the user may have deleted it already
    this.all.delete(id)
    this.records.delete(id)
    if (this.shown?.id === id) this.shown = null
  }

  list(): SweepInfo[] {
    return [...this.all.values()].sort((a, b) => b.record.createdAt - a.record.createdAt).map(({ id }) => this.info(id))
  }

  plan(id: string): SweepPlan {
    return this.prepared(this.one(id)).plan
  }

  results(id: string, from: number, count: number): SweepResult[] {
    const prepared = this.prepared(this.one(id))
    if (this.shown?.id !== id) this.shown = { id, rows: [...this.journal(id, prepared).arrived()] }
    return this.shown.rows.slice(from, from + Math.min(count, answerRows)).map(row => ({ row, values: prepared.valuesOf(row.run) }))
  }

  /** @throws HostError if there is no such run, or its scene is refused */
  async openRun(id: string, run: number): Promise<RunInfo> {
    const sweep = this.one(id)
    const prepared = this.prepared(sweep)
    if (run >= prepared.total) throw sweepFault(`The sweep has ${prepared.total} runs.`, { value: run, allowed: `0 to ${prepared.total - 1}` }, 'UnknownRun')
    const name = `${sweep.record.name}, run ${run}`
    const kept = this.journal(id, prepared).row(run)?.kept ?? ''
    const info = kept === '' ? await this.runs.start(prepared.textOf(run), { reuse: true, name }) : await this.runs.adopt(join(this.records.folderOf(id).runs, kept), name)
    if (kept !== '') sweep.opened.add(info.id)
    return info
  }

  async table(id: string, format: 'csv' | 'parquet'): Promise<Uint8Array> {
    const prepared = this.prepared(this.one(id))
    const journal = this.journal(id, prepared)
    const sink = new MemorySink()
    await writeTable(new ResultTable(prepared, () => journal.rows()), format, sink)
    return sink.bytes()
  }

  /** Ends running sweeps; they can be resumed later. */
  async dispose(): Promise<void> {
    const sittings = [...this.known?.values() ?? []].flatMap(({ sitting }) => sitting ?? [])
    for (const { abort } of sittings) abort.abort()
    await Promise.all(sittings.map(({ over }) => over))
    for (const timer of this.notices.values()) clearTimeout(timer)
  }

  private run(sweep: Sweep, prepared: PreparedSweep, workers: number | null): void {
    const abort = new AbortController()
    sweep.state = 'running'
    sweep.problem = null
    const over = runSweep({
      sweep: prepared, folder: this.records.folderOf(sweep.id).path, threads: workers ?? Math.max(1, availableParallelism() - 1), shard: null, store: null,
      signal: abort.signal, ...(this.workerUrl ? { workerUrl: this.workerUrl } : {}),
      progress: progress => {
        sweep.progress = progress
        this.notify(sweep)
      },
      row: row => {
        if (this.shown?.id === sweep.id) this.shown.rows.push(row)
      },
    }).then(({ status, progress, collected }) => {
      sweep.progress = progress
      sweep.state = status
      if (collected === null) return
      sweep.record = { ...sweep.record, contentHash: collected.contentHash }
      this.records.save(sweep.id, sweep.record)
    }).catch((error: unknown) => {
      sweep.state = 'failed'
      sweep.problem = problemOf(error)
    }).finally(() => {
      sweep.sitting = null
      sweep.progress = { ...sweep.progress, running: 0, timeLeft: null }
      this.notifyNow(sweep)
    })
    sweep.sitting = { abort, over }
  }

  private get all(): Map<string, Sweep> {
    return this.known ??= new Map(this.records.list().map(({ id, record }) => [id, this.restored(id, record)]))
  }

  private restored(id: string, record: SweepRecord): Sweep {
    const sweep = { id, record, sitting: null, opened: new Set<string>() }
    try {
      const prepared = this.records.folderOf(id).prepared()
      const { count: done, failed } = this.journal(id, prepared)
      return { ...sweep, prepared, state: record.contentHash === null ? 'cancelled' : 'completed', problem: null, progress: { ...nothingOf(prepared.total), done, failed } }
    } catch (error) {
      return { ...sweep, prepared: null, state: 'failed', problem: problemOf(error), progress: nothingOf(0) }
    }
  }

  private journal(id: string, { total }: PreparedSweep): JournalReader {
    return new JournalReader(this.records.folderOf(id).rowFolders(), total)
  }

  private one(id: string): Sweep {
    const sweep = this.all.get(id)
    if (!sweep) throw sweepFault(`There is no sweep "${id}".`, { value: id }, 'UnknownSweep')
    return sweep
  }

  private prepared({ prepared, problem }: Sweep): PreparedSweep {
    if (prepared) return prepared
    throw new HostError(problem!.name, problem!.message, [problem!])
  }

  private info(id: string): SweepInfo {
    const { record, prepared, state, progress, problem } = this.one(id)
    return {
      id, ...record, state, progress, problem, parameters: prepared?.plan.parameters.map(({ name, paths }) => ({ name, paths })) ?? [],
      measures: prepared?.measures.map(({ name, text }) => ({ name, text })) ?? [],
    }
  }

  private notify(sweep: Sweep): void {
    if (this.notices.has(sweep.id)) return
    this.notices.set(sweep.id, setTimeout(() => this.notifyNow(sweep), noticeInterval))
  }

  private notifyNow(sweep: Sweep): void {
    clearTimeout(this.notices.get(sweep.id))
    this.notices.delete(sweep.id)
    if (this.all.get(sweep.id) === sweep) this.changed(this.info(sweep.id))
  }
}

function prepare(plan: SweepPlan): PreparedSweep {
  const prepared = new PreparedSweep(plan)
  if (prepared.total > MAX_RUNS) throw sweepFault(`The sweep has ${prepared.total} runs.`, { value: prepared.total, allowed: `at most ${MAX_RUNS} in the editor; "cairn sweep" takes more` })
  return prepared
}

function nothingOf(total: number): SweepProgress {
  return { total, done: 0, failed: 0, running: 0, rate: null, timeLeft: null }
}

function problemOf(error: unknown): Problem {
  const { name, message } = error as Error
  return error instanceof HostError && error.problems[0] ? error.problems[0] : { name, severity: 'error', message, path: '', ids: [] }
}
