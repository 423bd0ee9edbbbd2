/** The folder of recorded runs: one `.mcap` and one `.json` a run, bounded in bytes; the least recently used runs are deleted first. */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { Problem } from '../protocol/problem'
import { isAlive } from '../run/alive'
import { writeWhole } from './files'
import { folderIn } from './home'

/** Data of a run besides its file. */
export interface RunRecord {
  readonly id: string
  readonly name: string
  /** Canonical scene hash and engine version. */
  readonly key: string
  /** ms since the epoch. */
  readonly createdAt: number
  readonly usedAt: number
  /** The process that computes the run; 0 if the run is over. */
  readonly pid: number
  readonly status: 'running' | 'completed' | 'cancelled' | 'stopped' | 'failed'
  readonly problem: Problem | null
}

const recordSchema = z.object({
  id: z.string().regex(/^[a-z0-9-]+$/), name: z.string(), key: z.string(), createdAt: z.number(), usedAt: z.number(), pid: z.number().int(),
  status: z.enum(['running', 'completed', 'cancelled', 'stopped', 'failed']), problem: z.custom<Problem>().nullable(),
})

export class RunCache {
  private readonly folder: string

  constructor(home: string, private readonly maxBytes: number) {
    this.folder = folderIn(home, 'runs')
  }

  pathOf(id: string): string {
    return join(this.folder, `${id}.mcap`)
  }

  /** All records, newest first. Unreadable ones are skipped: the cache may be cleared by hand. */
  list(): RunRecord[] {
    const records = readdirSync(this.folder).filter(name => name.endsWith('.json')).map(name => this.read(name))
    return records.filter(record => record !== null).sort((a, b) => b.createdAt - a.createdAt)
  }

  /** Those that no other process is computing. */
  ended(): RunRecord[] {
    return this.list().filter(({ pid, createdAt }) => !isAlive(pid, createdAt))
  }

  save(record: RunRecord): void {
    writeWhole(join(this.folder, `${record.id}.json`), JSON.stringify(record))
  }

  delete(id: string): void {
    rmSync(this.pathOf(id), { force: true })
    rmSync(join(this.folder, `${id}.json`), { force: true })
  }

  /** Deletes the least recently used runs until the rest fits, except those in `kept`. */
  trim(kept: (id: string) => boolean): void {
    const sizes = this.list().map(record => ({ record, bytes: sizeOf(this.pathOf(record.id)) })).sort((a, b) => a.record.usedAt - b.record.usedAt)
    let total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const { record, bytes } of sizes) {
      if (total <= this.maxBytes) return
      if (kept(record.id) || isAlive(record.pid, record.createdAt)) continue
      this.delete(record.id)
      total -= bytes
    }
  }

  private read(name: string): RunRecord | null {
    try {
      const record = recordSchema.safeParse(JSON.parse(readFileSync(join(this.folder, name), 'utf8')))
      return record.success && `${record.data.id}.json` === name && sizeOf(this.pathOf(record.data.id)) > 0 ? record.data : null
    } catch {
      return null
    }
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}
