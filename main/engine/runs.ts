/** Runs: started, reused by the hash of their scene, watched, listed, renamed, deleted; and the readers of their files. */
import { createHash, randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import { parseScene, sceneHash } from '../../core/scene'
import { ENGINE_VERSION } from '../../core/simulation'
import type { TrajectoryEnd, TrajectoryHeader } from '../../core/trajectory/frame'
import { HostError } from '../protocol/host'
import type { Problem } from '../protocol/problem'
import type { RunInfo, RunStatus } from '../protocol/runs'
import { systemReason, withoutFile } from '../protocol/problem-file'
import type { RunReport } from '../run/job'
import { launchRun, type LaunchedRun } from '../run/launch'
import { isAlive, type RunCache, type RunRecord } from './cache'
import { TrajectoryFileError, TrajectoryReader } from './reader'

/** ms between two notices of one run. */
const noticeInterval = 50
/** Files kept open besides those of runs under way. */
const openFiles = 16

interface Run {
  record: RunRecord
  readonly path: string
  /** Of a person's own file, which is never deleted or changed. */
  readonly foreign: boolean
  header: TrajectoryHeader | null
  end: TrajectoryEnd | null
  status: RunStatus
  problem: Problem | null
  frames: number
  time: number
  bytes: number
  /** ms, of the wall clock at the start. */
  readonly startedAt: number
  launched: LaunchedRun | null
  reader: TrajectoryReader | null
}

export class Runs {
  private readonly runs = new Map<string, Run>()
  private readonly notices = new Map<string, NodeJS.Timeout>()

  constructor(
    private readonly cache: RunCache,
    private readonly changed: (run: RunInfo) => void,
    private readonly workerUrl: URL | undefined,
  ) {
    for (const record of cache.list().reverse()) if (!isAlive(record.pid)) this.runs.set(record.id, this.restored(record))
  }

  /** Key that a run of this scene has: what is computed depends on nothing else. @throws HostError with the problems of the scene */
  static keyOf(text: string): string {
    const parsed = parseScene(text)
    if (!parsed.ok) throw refusal(parsed.problems)
    return keyOf(sceneHash(parsed.resolved), ENGINE_VERSION)
  }

  async start(text: string, options: { reuse: boolean; name?: string }): Promise<RunInfo> {
    const key = Runs.keyOf(text)
    const existing = options.reuse ? this.reusable(key) : undefined
    if (existing) {
      this.update(existing, { usedAt: Date.now() })
      return this.info(existing.record.id)
    }
    const createdAt = Date.now()
    const id = `${createdAt.toString(36)}-${randomBytes(4).toString('hex')}`
    const run: Run = {
      record: { id, name: options.name ?? nameFor(createdAt), key, createdAt, usedAt: createdAt, pid: process.pid, status: 'running', problem: null },
      path: this.cache.pathOf(id), foreign: false, header: null, end: null, status: 'running', problem: null, frames: 0, time: 0, bytes: 0,
      startedAt: performance.now(), launched: null, reader: null,
    }
    await new Promise<void>((begun, refused) => {
      run.launched = launchRun({ scene: text, output: run.path }, report => {
        if (report.kind === 'refused') {
          this.cache.delete(id)
          return refused(refusal(report.problems))
        }
        if (report.kind === 'begun') {
          this.runs.set(id, run)
          this.cache.save(run.record)
        }
        this.take(run, report)
        if (report.kind === 'failed' && run.header === null) refused(new HostError('RunFailed', report.message, run.problem ? [run.problem] : []))
        // A disk that is full at the first byte ends the run before it began.
        if (report.kind === 'ended' && run.header === null) refused(new HostError(report.end.reason, report.end.message, run.problem ? [run.problem] : []))
        if (report.kind === 'begun') begun()
      }, this.workerUrl)
    })
    this.cache.trim(other => this.runs.get(other)?.status === 'running')
    return this.info(id)
  }

  cancel(id: string): void {
    this.known(id).launched?.cancel()
  }

  list(): RunInfo[] {
    return [...this.runs.keys()].reverse().map(id => this.info(id))
  }

  info(id: string): RunInfo {
    const run = this.known(id)
    const { record, header, status, end } = run
    if (header === null && status !== 'running') this.open(run)
    const wallTime = end?.wallTime ?? (performance.now() - run.startedAt) / 1000
    const share = run.header && run.time > 0 ? run.time / run.header.duration : 0
    return {
      id, name: record.name, status: run.status, sceneHash: record.key, header: run.header, frames: run.frames, simulatedTime: run.time, wallTime,
      timeLeft: run.status === 'running' && share > 0 ? wallTime * (1 - share) / share : null,
      end: run.end, problem: run.problem && withoutFile(run.problem), warnings: run.end?.warnings ?? [], bytes: run.bytes,
    }
  }

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

  /** Takes in a person's own `.mcap`. @throws HostError when it is none of ours */
  adopt(path: string): RunInfo {
    const id = `file-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`
    this.runs.get(id)?.reader?.close()
    const createdAt = Date.now()
    const run: Run = {
      record: { id, name: basename(path), key: '', createdAt, usedAt: createdAt, pid: 0, status: 'failed', problem: null },
      path, foreign: true, header: null, end: null, status: 'failed', problem: null, frames: 0, time: 0, bytes: 0, startedAt: performance.now(),
      launched: null, reader: null,
    }
    this.open(run)
    if (!run.header) throw new HostError('InvalidTrajectory', run.problem?.message ?? 'The file cannot be read.', run.problem ? [run.problem] : [])
    run.record = { ...run.record, key: keyOf(run.header.sceneHash, run.header.engine) }
    this.runs.set(id, run)
    return this.info(id)
  }

  /** The run's file as far as it is written. @throws HostError */
  reader(id: string): TrajectoryReader {
    const run = this.known(id)
    const reader = this.open(run)
    if (!reader) throw new HostError('InvalidTrajectory', run.problem?.message ?? 'The file cannot be read.', run.problem ? [run.problem] : [])
    if (run.status === 'running') reader.extend(run.bytes)
    return reader
  }

  /** Cancels what is under way, so that its files are finished as far as they go, and by force when that is not heard. */
  async dispose(): Promise<void> {
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

  private restored(record: RunRecord): Run {
    const interrupted = record.status === 'running'
    return {
      record, path: this.cache.pathOf(record.id), foreign: false, header: null, end: null, status: interrupted ? 'failed' : record.status,
      problem: interrupted ? { name: 'Interrupted', severity: 'error', message: 'Cairn ended while this run was computed.', path: '', ids: [] } : record.problem,
      frames: 0, time: 0, bytes: 0, startedAt: performance.now(), launched: null, reader: null,
    }
  }

  private take(run: Run, report: RunReport): void {
    switch (report.kind) {
      case 'begun':
        run.header = report.header
        break
      case 'flushed':
        run.bytes = report.bytes
        run.frames = report.frames
        run.time = report.time
        break
      case 'ended':
        run.end = report.end
        run.status = report.end.status
        run.problem = report.problem
        break
      case 'failed':
        run.status = 'failed'
        run.problem = { name: 'RunFailed', severity: 'error', message: report.message, path: '', ids: [], time: run.time }
        break
      case 'refused': return
    }
    if (report.kind !== 'ended' && report.kind !== 'failed') return this.notify(run.record.id)
    run.launched = null
    if (!this.runs.has(run.record.id)) return
    this.update(run, { pid: 0, status: run.status, problem: run.problem })
    this.settle(run)
    clearTimeout(this.notices.get(run.record.id))
    this.notices.delete(run.record.id)
    this.changed(this.info(run.record.id))
  }

  /** Counts what the finished file really holds. */
  private settle(run: Run): void {
    run.reader?.close()
    run.reader = null
    this.open(run)
  }

  private open(run: Run): TrajectoryReader | null {
    if (run.reader) return run.reader
    try {
      const reader = new TrajectoryReader(run.path, run.status === 'running' ? run.bytes : undefined)
      run.reader = reader
      run.header = reader.header
      if (run.status !== 'running') {
        run.frames = reader.frames
        run.bytes = reader.bytes
        run.time = reader.frames > 0 ? reader.frame(reader.frames - 1).time : 0
        run.end ??= reader.end
        if (run.end && run.foreign) run.status = run.end.status
        if (!run.end && run.foreign) {
          run.problem = { name: 'Incomplete', severity: 'warning', message: 'The file ends before its run does: it was cut off.', path: '', ids: [], time: run.time }
        }
      }
      this.closeOthers(run)
      return reader
    } catch (error) {
      const message = error instanceof TrajectoryFileError ? error.message : `The run's file cannot be read: ${systemReason(error)}.`
      run.problem = { name: 'InvalidTrajectory', severity: 'error', message, path: '', ids: [] }
      return null
    }
  }

  private closeOthers(used: Run): void {
    const open = [...this.runs.values()].filter(run => run.reader && run !== used && run.status !== 'running')
    for (const run of open.slice(0, Math.max(0, open.length - openFiles + 1))) {
      run.reader?.close()
      run.reader = null
    }
  }

  private update(run: Run, change: Partial<RunRecord>): void {
    run.record = { ...run.record, ...change }
    if (!run.foreign) this.cache.save(run.record)
  }

  /** Tells of progress, but not more often than people can see. */
  private notify(id: string): void {
    if (this.notices.has(id)) return
    this.notices.set(id, setTimeout(() => {
      this.notices.delete(id)
      if (this.runs.has(id)) this.changed(this.info(id))
    }, noticeInterval))
  }
}

function keyOf(scene: string, engine: string): string {
  return createHash('sha256').update(`${scene} ${engine}`).digest('hex')
}

function nameFor(time: number): string {
  return new Date(time).toLocaleTimeString([], { hour12: false })
}

export function refusal(problems: readonly Problem[]): HostError {
  const errors = problems.filter(problem => problem.severity === 'error')
  return new HostError('Refused', errors[0]?.message ?? 'The scene was refused.', problems)
}
