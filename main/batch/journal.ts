/**
 * Progress of a sweep, in shards: each process appends to its own file, one entry per line with a checksum, so that a line that was being
 * written when the process was killed is ignored. A run is marked as begun, then gets a row. A run that was begun too often without a row
 * kills its process.
 */
import { closeSync, fsyncSync, ftruncateSync, openSync, readdirSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import * as z from 'zod'
import { SWEEP_STATUSES, type SweepRow } from '../protocol/sweeps'
import { systemReason } from '../protocol/problem-file'
import { sweepFault } from './fault'

const extension = '.rows.jsonl'
/** ms between two syncs of rows to the disk. */
const syncInterval = 1000
const readBytes = 1 << 20
/** Maximum length of a line; messages are cut to much less. */
const maxLine = 1 << 20

const rowSchema = z.object({
  run: z.int().min(0), status: z.enum(SWEEP_STATUSES), reason: z.string(), message: z.string(), sceneHash: z.string(), finalHash: z.string(),
  simulatedTime: z.number(), frames: z.int().min(0), steps: z.number(), measures: z.array(z.number().nullable()), kept: z.string(), wallTime: z.number(),
})

/** Checks a row from outside; null if it is invalid. */
export function rowOf(value: unknown): SweepRow | null {
  const parsed = rowSchema.safeParse(value)
  return parsed.success ? parsed.data : null
}

export class JournalWriter {
  private readonly fd: number
  private length = 0
  private synced = performance.now()

  /** @throws HostError if it cannot be created; so do all other methods, if it cannot be written */
  constructor(private readonly path: string) {
    try {
      this.fd = openSync(path, 'ax')
    } catch (error) {
      throw this.fault(error)
    }
  }

  begin(run: number): void {
    this.write({ begin: run })
  }

  row(row: SweepRow): void {
    this.write(row)
    if (performance.now() - this.synced > syncInterval) this.sync()
  }

  close(): void {
    this.sync()
    closeSync(this.fd)
  }

  private sync(): void {
    fsyncSync(this.fd)
    this.synced = performance.now()
  }

  private write(fact: object): void {
    const line = lineOf(fact)
    try {
      for (let written = 0; written < line.length;) written += writeSync(this.fd, line, written)
      this.length += line.length
    } catch (error) {
      try {
        ftruncateSync(this.fd, this.length) // an incomplete line would hide the next one
      } catch {
        throw this.fault(error)
      }
      throw this.fault(error)
    }
  }

  private fault(error: unknown) {
    const { code } = error as NodeJS.ErrnoException
    return sweepFault(`"${this.path}" cannot be written: ${systemReason(error)}.`, { value: this.path }, code === 'ENOSPC' || code === 'EDQUOT' ? 'DiskFull' : 'OutputNotCreated')
  }
}

function lineOf(fact: object): Buffer {
  const text = JSON.stringify(fact)
  return Buffer.from(`${crc32(text).toString(16).padStart(8, '0')} ${text}\n`)
}

/** Position of a row: its shard, and its bytes there. */
interface RowPlace {
  readonly shard: number
  readonly at: number
}

/** Rows of all shards of some folders, indexed by run number; only their positions are kept in memory. */
export class JournalReader {
  private readonly shards: string[] = []
  private readonly places: Map<number, RowPlace> = new Map()
  /** Runs that were begun but have no row, with the number of attempts. */
  readonly begun = new Map<number, number>()
  /** Number of rows whose status is not `completed`. */
  failed = 0

  /** @param total number of runs of the sweep; rows with larger run numbers are ignored */
  constructor(folders: readonly string[], private readonly total: number) {
    for (const folder of folders) {
      for (const name of readdirSync(folder).filter(file => file.endsWith(extension)).sort()) this.take(join(folder, name))
    }
    for (const run of this.places.keys()) this.begun.delete(run)
  }

  get count(): number {
    return this.places.size
  }

  has(run: number): boolean {
    return this.places.has(run)
  }

  /** The row of one run; null if it has none. */
  row(run: number): SweepRow | null {
    for (const row of this.places.has(run) ? this.read([run]) : []) return row
    return null
  }

  /** Rows in order of run number. */
  rows(): Iterable<SweepRow> {
    return this.read([...this.places.keys()].sort((a, b) => a - b))
  }

  /** Rows in order of writing. */
  arrived(): Iterable<SweepRow> {
    return this.read(this.places.keys())
  }

  private* read(runs: Iterable<number>): Iterable<SweepRow> {
    const open = new Map<number, number>()
    try {
      for (const run of runs) {
        const { shard, at } = this.places.get(run)!
        let fd = open.get(shard)
        if (fd === undefined) open.set(shard, fd = openSync(this.shards[shard]!, 'r'))
        yield readRow(fd, at)
      }
    } finally {
      for (const fd of open.values()) closeSync(fd)
    }
  }

  private take(path: string): void {
    const shard = this.shards.push(path) - 1
    for (const { text, at } of linesOf(path)) {
      const fact = factOf(text)
      if (fact === null) continue
      const begin = (fact as { begin?: unknown }).begin
      if (typeof begin === 'number') {
        this.begun.set(begin, (this.begun.get(begin) ?? 0) + 1)
        continue
      }
      const row = rowOf(fact)
      // The first row of a run counts; a second one has the same contents.
      if (row === null || row.run >= this.total || this.places.has(row.run)) continue
      this.places.set(row.run, { shard, at })
      if (row.status !== 'completed') this.failed++
    }
  }
}

function factOf(line: string): unknown {
  const text = line.slice(9)
  if (line[8] !== ' ' || crc32(text).toString(16).padStart(8, '0') !== line.slice(0, 8)) return null
  return JSON.parse(text) as unknown
}

function* linesOf(path: string): Iterable<{ text: string; at: number }> {
  const fd = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(readBytes)
    let rest = Buffer.alloc(0)
    let at = 0
    for (let read = readSync(fd, bytes); read > 0; read = readSync(fd, bytes)) {
      let data = Buffer.concat([rest, bytes.subarray(0, read)])
      for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10)) {
        yield { text: data.toString('utf8', 0, end), at }
        at += end + 1
        data = data.subarray(end + 1)
      }
      rest = Buffer.from(data)
      if (rest.length > maxLine) return // not written by Cairn
    }
  } finally {
    closeSync(fd)
  }
}

function readRow(fd: number, at: number): SweepRow {
  let bytes = Buffer.alloc(4096)
  for (;;) {
    const read = readSync(fd, bytes, 0, bytes.length, at)
    const end = bytes.subarray(0, read).indexOf(10)
    if (end >= 0) return rowOf(factOf(bytes.toString('utf8', 0, end)))!
    bytes = Buffer.alloc(4 * bytes.length)
  }
}

/** Path of a new shard with a unique name. */
export function newShard(folder: string, unique: string): string {
  return join(folder, `${unique}${extension}`)
}
