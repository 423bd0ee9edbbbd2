/**
 * The folder of a sweep's results: `sweep.json` (the plan), `rows/` (the journal), `runs/` (trajectories that are kept), and once all runs are there,
 * `results.parquet`. Shards of a scheduler have `rows/<i>-of-<n>/` each.
 */
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { ENGINE_VERSION } from '../../core/simulation'
import { isAlive } from '../run/alive'
import { sweepPlanSchema } from '../protocol/sweep-schema'
import type { SweepPlan } from '../protocol/sweeps'
import { systemReason } from '../protocol/problem-file'
import { sweepFault } from './fault'
import { PreparedSweep } from './plan'
import { writeAtomically } from './write-atomically'

const format = 'cairn-sweep'
const manifestBytes = 256 * 1024 * 1024

const manifestSchema = z.object({ format: z.literal(format), version: z.literal(1), engine: z.string(), id: z.string(), plan: sweepPlanSchema })

/** Checks a plan's schema. @throws HostError */
export function planOf(value: unknown): SweepPlan {
  const parsed = sweepPlanSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw sweepFault(`The sweep's plan is invalid: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}.`)
}

export class SweepFolder {
  readonly runs: string

  constructor(readonly path: string) {
    this.runs = join(path, 'runs')
  }

  /** The stored plan; null if the folder is not a sweep's. @throws HostError */
  manifest(): { engine: string; id: string; plan: SweepPlan } | null {
    const file = join(this.path, 'sweep.json')
    if (!existsSync(file)) return null
    if (statSync(file).size > manifestBytes) throw sweepFault(`"${file}" is too large for a sweep's plan.`, { value: file })
    try {
      return manifestSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
    } catch (error) {
      throw sweepFault(`"${file}" is not a sweep's plan: ${(error as Error).message.slice(0, 200)}`, { value: file })
    }
  }

  /** The stored sweep. @throws HostError if there is none, or another engine made it */
  prepared(): PreparedSweep {
    const found = this.manifest()
    if (found === null) throw sweepFault(`"${this.path}" contains no sweep.`, { value: this.path }, 'FileNotFound')
    if (found.engine !== ENGINE_VERSION) throw otherEngine(found.engine)
    return new PreparedSweep(found.plan)
  }

  /** Initialises the folder for this sweep, or resumes it. @throws HostError if it belongs to another, or cannot be written */
  take(sweep: PreparedSweep): void {
    const found = this.manifest()
    if (found !== null && found.engine !== ENGINE_VERSION) throw otherEngine(found.engine)
    if (found !== null && found.id !== sweep.id) {
      throw sweepFault(`"${this.path}" contains another sweep: its scene, parameters, measures or design differ.`, { value: this.path, allowed: 'another folder, or the same sweep' }, 'OutputExists')
    }
    try {
      mkdirSync(join(this.path, 'rows'), { recursive: true })
      if (found === null) writeAtomically(join(this.path, 'sweep.json'), `${JSON.stringify({ format, version: 1, engine: ENGINE_VERSION, id: sweep.id, plan: sweep.plan }, null, 1)}\n`)
      if (sweep.plan.keep.kind !== 'none') mkdirSync(this.runs, { recursive: true })
    } catch (error) {
      throw sweepFault(`"${this.path}" cannot be written: ${systemReason(error)}.`, { value: this.path }, (error as NodeJS.ErrnoException).code === 'ENOSPC' ? 'DiskFull' : 'OutputNotCreated')
    }
  }

  /** Folders with rows: of the whole sweep and of shards. */
  rowFolders(): string[] {
    const rows = join(this.path, 'rows')
    if (!existsSync(rows)) return []
    return [rows, ...readdirSync(rows, { withFileTypes: true }).filter(entry => entry.isDirectory()).map(entry => join(rows, entry.name)).sort()]
  }

  /** Journal of this process, locked until `release`. @throws HostError if another process has it */
  lock(shard: { index: number; count: number } | null): { folder: string; release: () => void } {
    const folder = shard === null ? join(this.path, 'rows') : join(this.path, 'rows', `${shard.index}-of-${shard.count}`)
    mkdirSync(folder, { recursive: true })
    const lock = join(folder, 'lock')
    for (;;) {
      try {
        const fd = openSync(lock, 'wx')
        writeSync(fd, JSON.stringify({ pid: process.pid, host: hostname() }))
        closeSync(fd)
        return { folder, release: () => rmSync(lock, { force: true }) }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw sweepFault(`"${lock}" cannot be written: ${systemReason(error)}.`, { value: lock }, 'OutputNotCreated')
      }
      const holder = holderOf(lock)
      if (holder !== null && (holder.host !== hostname() || (holder.pid === process.pid || isAlive(holder.pid, holder.since)))) {
        const where = holder.host === hostname() ? `process ${holder.pid}` : `process ${holder.pid} on ${holder.host}`
        throw sweepFault(`"${folder}" is being written by ${where}.`, { value: lock, allowed: 'wait for its end; if it no longer exists, delete the file' }, 'InUse')
      }
      rmSync(lock, { force: true })
    }
  }
}

function holderOf(lock: string): { pid: number; host: string; since: number } | null {
  try {
    return { ...z.object({ pid: z.int(), host: z.string() }).parse(JSON.parse(readFileSync(lock, 'utf8'))), since: statSync(lock).mtimeMs }
  } catch {
    return null // released just now, or incomplete
  }
}

function otherEngine(engine: string) {
  return sweepFault(`The sweep was begun by engine ${engine}; this is ${ENGINE_VERSION}, whose results differ.`, { value: engine, allowed: ENGINE_VERSION }, 'OtherEngine')
}
