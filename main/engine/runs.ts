/**
 * Runs: starts them, reuses them by the hash of their scene, watches, lists, renames and deletes them; and holds the
 * readers of their files.
 */
import { createHash, randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import { parseScene, sceneHash } from '../../core/scene'
import { ENGINE_VERSION } from '../../core/simulation'
import { HostError } from '../protocol/host'
import type { LiveFrame, LiveInput } from '../protocol/live'
import type { RunInfo } from '../protocol/runs'
import { withoutFile } from '../protocol/problem-file'
import type { RunReport } from '../run/job'
import { launchRun } from '../run/launch'
import type { RunCache, RunRecord } from './cache'
import { damageOfInTurns } from './integrity'
import { TrajectoryReader } from './reader'
import { refusal } from './refusal'
import { AHEAD, applyReport, idleRun, keyOf, nameFor, openFile, restoredRun, type Run, type StartOptions } from './run'
import { endOf, instantAt } from './run-start'

/** ms between two notifications of one run; of a live session, whose frames are awaited. */
const noticeInterval = 50
const sessionNoticeInterval = 200
/** Maximum number of open files of finished runs. */
const openFiles = 16

export class Runs {
  private readonly runs = new Map<string, Run>()
  private readonly notices = new Map<string, NodeJS.Timeout>()
  /** Runs that have not begun, by the tickets of their requests. */
  private readonly starting = new Map<string, () => Promise<void>>()

  constructor(
    private readonly cache: RunCache,
    private readonly changed: (run: RunInfo) => void,
    private readonly trouble: (message: string) => void,
    private readonly workerUrl: URL | undefined,
    private readonly pictured: (frame: LiveFrame) => void = () => undefined,
  ) {
    for (const record of cache.ended().reverse()) this.runs.set(record.id, restoredRun(record, cache.pathOf(record.id)))
  }

  /** Cache key of a run of this scene: the result depends on nothing else. @throws HostError with the problems of the scene */
  static keyOf(text: string): string {
    const parsed = parseScene(text)
    if (!parsed.ok) throw refusal(parsed.problems)
    return keyOf(sceneHash(parsed.resolved), ENGINE_VERSION)
  }

  /** @throws HostError: the reason of a refusal, or `Cancelled` if it was cancelled by its ticket before it began */
  async start(text: string, options: StartOptions): Promise<RunInfo> {
    const own = Runs.keyOf(text)
    const from = options.from && instantAt(this.reader(options.from.run), options.from.time)
    const start = options.after !== undefined ? endOf(this.reader(options.after), this.known(options.after).path) : from && { kind: 'instant', instant: from } as const
    const key = options.from ? createHash('sha256').update(JSON.stringify([own, options.from])).digest('hex') : own
    const existing = options.reuse && !from ? this.reusable(key) : undefined
    if (existing && await this.isSound(existing)) {
      this.update(existing, { usedAt: Date.now() })
      return this.info(existing.record.id)
    }
    const createdAt = Date.now()
    const id = `${createdAt.toString(36)}-${randomBytes(4).toString('hex')}`
    const ticket = options.ticket ?? id
    const run: Run = {
      ticket, record: { id, name: options.name ?? nameFor(createdAt), key, createdAt, usedAt: options.ahead ? AHEAD : createdAt, pid: process.pid, status: 'running', problem: null },
      path: this.cache.pathOf(id), foreign: false, header: null, end: null, status: 'running', problem: null, frames: 0, time: 0, bytes: 0,
      startedAt: performance.now(), launched: null, reader: null, preparing: null, verified: true, session: options.live === true, input: [],
    }
    await new Promise<void>((begun, refused) => {
      const abandon = (error: HostError) => {
        refused(error)
        return run.launched?.terminate().then(() => this.cache.delete(id)) ?? Promise.resolve()
      }
      this.starting.set(ticket, () => abandon(new HostError('Cancelled', 'The run was cancelled before it began.')))
      const request = { scene: text, output: run.path, ...start === undefined ? {} : { start }, ...options.live === undefined ? {} : { live: options.live } }
      run.launched = launchRun(request, report => {
        if (report.kind === 'refused') {
          this.cache.delete(id)
          return refused(refusal(report.problems))
        }
        if (report.kind === 'begun') {
          try {
            this.cache.save(run.record)
          } catch (error) {
            return void abandon(error as HostError)
          }
          this.starting.delete(ticket)
          this.runs.set(id, run)
        }
        this.take(run, report)
        if (report.kind === 'failed' && run.header === null) refused(new HostError('RunFailed', report.message, run.problem ? [run.problem] : []))
        // A disk that is full at the first byte ends the run before it began.
        if (report.kind === 'ended' && run.header === null) refused(new HostError(report.end.reason, report.end.message, run.problem ? [run.problem] : []))
        if (report.kind === 'begun') begun()
      }, this.workerUrl)
    }).finally(() => this.starting.delete(ticket))
    this.cache.trim(other => this.runs.get(other)?.status === 'running')
    return this.info(id)
  }

  /** @param id of a run, or the ticket of one that has not ended */
  cancel(id: string): void {
    const begun = () => [...this.runs.values()].find(({ ticket }) => ticket === id) ?? this.known(id)
    if (!this.cancelStart(id)) begun().launched?.cancel()
  }

  /** @returns whether a run of this ticket had not begun */
  cancelStart(ticket: string): boolean {
    return this.starting.get(ticket)?.() !== undefined
  }

  /** Passes user input to a running session. */
  sendInput(id: string, input: LiveInput): void {
    this.known(id).launched?.input(input)
  }

  /** User input of a finished session, in the order of time. */
  inputOf(id: string): readonly { readonly time: number; readonly input: LiveInput }[] {
    return this.known(id).input
  }

  list(): RunInfo[] {
    return [...this.runs.keys()].reverse().map(id => this.info(id))
  }

  info(id: string): RunInfo {
    const run = this.known(id)
    const { record, header, status, end } = run
    if (header === null && status !== 'running') this.open(run)
    const wallTime = end?.wallTime ?? (performance.now() - run.startedAt) / 1000
    const begin = this.startOf(run)
    const share = run.header && run.time > begin ? (run.time - begin) / (run.header.duration - begin) : 0
    return {
      id, name: record.name, status: run.status, sceneHash: record.key, header: run.header, frames: run.frames, simulatedTime: run.time, wallTime,
      startTime: begin, timeLeft: run.status === 'running' && share > 0 ? wallTime * (1 - share) / share : null,
      end: run.end, preparing: run.status === 'running' ? run.preparing : null, problem: run.problem && withoutFile(run.problem), warnings: run.end?.warnings ?? [], bytes: run.bytes,
    }
  }

  /** s: time of the first frame. */
  private startOf(run: Run): number {
    if (run.frames === 0) return 0
    run.firstTime ??= this.reader(run.record.id).frame(0).time
    return run.firstTime
  }

  /** Resolves once the run has ended. */
  over = async (id: string): Promise<void> => this.known(id).launched?.over

  /** The run is used, so that the cache keeps it. */
  touch = (id: string): void => this.update(this.known(id), { usedAt: Date.now() })

  /** Bytes of the runs that were recorded ahead and never used. */
  bytesAhead = (): number => [...this.runs.values()].reduce((sum, run) => run.record.usedAt === AHEAD ? sum + run.bytes : sum, 0)

  rename(id: string, name: string): void {
    this.update(this.known(id), { name })
    this.changed(this.info(id))
  }

  async delete(id: string): Promise<void> {
    const run = this.known(id)
    await run.launched?.terminate()
    run.reader?.close()
    this.runs.delete(id)
    if (!run.foreign) this.cache.delete(id)
  }

  /** Adds an external `.mcap` after verifying every checksum. @throws HostError if it is not a run of Cairn */
  async adopt(path: string, name = basename(path)): Promise<RunInfo> {
    const id = `file-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`
    this.runs.get(id)?.reader?.close()
    const createdAt = Date.now()
    const run = idleRun({ id, name, key: '', createdAt, usedAt: createdAt, pid: 0, status: 'failed', problem: null }, path, true)
    this.open(run)
    if (!run.header) throw new HostError('InvalidTrajectory', run.problem?.message ?? 'The file cannot be read.', run.problem ? [run.problem] : [])
    run.record = { ...run.record, key: keyOf(run.header.sceneHash, run.header.engine) }
    this.runs.set(id, run)
    await this.isSound(run)
    return this.info(id)
  }

  /** Verifies every checksum of a run's file, once; a fault becomes the run's problem. @throws HostError if there is no such run */
  async verify(id: string): Promise<void> {
    await this.isSound(this.known(id))
  }

  /** A reader of the run's file, as far as it has been written. @throws HostError */
  reader(id: string): TrajectoryReader {
    const run = this.known(id)
    const reader = this.open(run)
    if (!reader) throw new HostError('InvalidTrajectory', run.problem?.message ?? 'The file cannot be read.', run.problem ? [run.problem] : [])
    if (run.status === 'running') reader.extend(run.bytes)
    return reader
  }

  /** Cancels active runs, so that their files are finished, and terminates those that do not respond. */
  async dispose(): Promise<void> {
    await Promise.all([...this.starting.values()].map(abandon => abandon()))
    await Promise.all([...this.runs.values()].map(async run => {
      const { launched } = run
      launched?.cancel()
      await launched?.over
      await launched?.terminate()
      run.reader?.close()
    }))
    for (const timer of this.notices.values()) clearTimeout(timer)
    this.runs.clear()
  }

  private known(id: string): Run {
    const run = this.runs.get(id)
    if (!run) throw new HostError('UnknownRun', `There is no run "${id}".`)
    return run
  }

  private reusable(key: string): Run | undefined {
    return [...this.runs.values()].reverse().find(run => run.record.key === key && (run.status === 'running' || run.status === 'completed'))
  }

  /** False if the run's file is damaged or unreadable, with the reason in its problem. */
  private async isSound(run: Run): Promise<boolean> {
    if (run.status === 'running') return true
    const reader = this.open(run)
    if (reader === null) return false
    if (run.verified) return run.problem?.name !== 'DamagedFile'
    const own = new TrajectoryReader(run.path) // the run's own reader may be closed between turns, in favour of others
    const damage = await damageOfInTurns(own).finally(() => own.close())
    run.verified = true
    const [first] = damage
    if (first === undefined) return true
    run.status = 'failed'
    run.problem = { ...first, message: damage.length === 1 ? first.message : `${first.message}; and ${damage.length - 1} more` }
    if (this.runs.has(run.record.id)) this.update(run, { status: run.status, problem: run.problem })
    this.changed(this.info(run.record.id))
    return false
  }

  private take(run: Run, report: RunReport): void {
    if (report.kind === 'live') {
      const { kind: _, ...picture } = report
      return this.pictured({ run: run.record.id, ...picture })
    }
    applyReport(run, report)
    if (report.kind === 'input' || report.kind === 'refused') return
    if (report.kind !== 'ended' && report.kind !== 'failed') return this.notify(run.record.id)
    run.launched = null
    if (!this.runs.has(run.record.id)) return
    this.update(run, { pid: 0, status: run.status, problem: run.problem })
    this.settle(run)
    clearTimeout(this.notices.get(run.record.id))
    this.notices.delete(run.record.id)
    this.changed(this.info(run.record.id))
  }

  /** Updates the counts from the contents of the finished file. */
  private settle(run: Run): void {
    run.reader?.close()
    run.reader = null
    this.open(run)
  }

  private open(run: Run): TrajectoryReader | null {
    if (run.reader) return run.reader
    const reader = openFile(run)
    if (reader) this.closeOthers(run)
    return reader
  }

  /** Closes the files of finished runs that are open beyond the limit, except this run's. */
  private closeOthers(used: Run): void {
    const open = [...this.runs.values()].filter(run => run.reader && run !== used && run.status !== 'running')
    for (const run of open.slice(0, Math.max(0, open.length - openFiles + 1))) {
      run.reader?.close()
      run.reader = null
    }
  }

  private update(run: Run, change: Partial<RunRecord>): void {
    run.record = { ...run.record, ...change }
    if (run.foreign) return
    try {
      this.cache.save(run.record)
    } catch (error) {
      // The run's own file has its status: only its name and its last use are lost.
      this.trouble(`The record of run "${run.record.name}" was not updated: ${(error as Error).message}`)
    }
  }

  /** Reports progress, but not more often than users can see. */
  private notify(id: string): void {
    if (this.notices.has(id)) return
    this.notices.set(id, setTimeout(() => {
      this.notices.delete(id)
      if (this.runs.has(id)) this.changed(this.info(id))
    }, this.runs.get(id)?.session ? sessionNoticeInterval : noticeInterval))
  }
}
