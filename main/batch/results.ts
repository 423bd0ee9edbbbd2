/** The table of a sweep: one row per run, in order of run number, independent of where and when they ran. */
import { createHash } from 'node:crypto'
import { ENGINE_VERSION } from '../../core/simulation'
import type { SweepRow } from '../protocol/sweeps'
import { Batch, FileSink, writeTable, type Column, type TableSource } from '../tables'
import type { PreparedSweep } from './plan'

/** Rows per group of the file: a few megabytes at twenty columns. */
const groupRows = 1 << 14

/** Columns: run, scene if there are several, parameters, measures, and how the run ended. */
export class ResultTable implements TableSource {
  readonly columns: readonly Column[]
  readonly metadata: Readonly<Record<string, string>>
  private readonly numeric: readonly boolean[]

  constructor(private readonly sweep: PreparedSweep, private readonly rows: () => Iterable<SweepRow>) {
    const { plan, measures } = sweep
    this.numeric = plan.parameters.map(({ values }) => values.kind === 'range' || values.values.every(value => typeof value === 'number'))
    this.metadata = {
      sweep: sweep.id, engine: ENGINE_VERSION, measures: JSON.stringify(Object.fromEntries(measures.map(({ name, text }) => [name, text]))),
      paths: JSON.stringify(Object.fromEntries(plan.parameters.map(({ name, paths }) => [name, paths]))),
    }
    this.columns = [
      { name: 'run', kind: 'integer', unit: '' }, ...(plan.scenes.length > 1 ? [{ name: 'scene', kind: 'text', unit: '' } as const] : []),
      ...plan.parameters.map(({ name }, k): Column => ({ name, kind: this.numeric[k] ? 'real' : 'text', unit: '' })),
      ...measures.map(({ name }): Column => ({ name, kind: 'real', unit: '', optional: true })),
      { name: 'status', kind: 'text', unit: '' }, { name: 'reason', kind: 'text', unit: '' }, { name: 'message', kind: 'text', unit: '' },
      { name: 'sceneHash', kind: 'text', unit: '' }, { name: 'finalHash', kind: 'text', unit: '' }, { name: 'simulatedTime', kind: 'real', unit: 's' },
      { name: 'frames', kind: 'integer', unit: '' }, { name: 'steps', kind: 'real', unit: '' }, { name: 'kept', kind: 'text', unit: '' },
      { name: 'wallTime', kind: 'real', unit: 's' },
    ]
  }

  * batches(): Iterable<Batch> {
    const batch = new Batch(this.columns, groupRows)
    for (const row of this.rows()) {
      batch.push(this.cells(row))
      if (!batch.full) continue
      yield batch
      batch.clear()
    }
    if (batch.length > 0) yield batch
  }

  /** A row's cells, in the order of the columns. */
  cells(row: SweepRow): (number | string)[] {
    const { sweep, numeric } = this
    const { scenes } = sweep.plan
    return [
      row.run, ...(scenes.length > 1 ? [scenes[sweep.sceneOf(row.run)]!.name] : []),
      ...sweep.valuesOf(row.run).map((value, k) => numeric[k] ? value as number : typeof value === 'string' ? value : JSON.stringify(value)),
      ...row.measures.map(value => value ?? NaN),
      row.status, row.reason, row.message, row.sceneHash, row.finalHash, row.simulatedTime, row.frames, row.steps, row.kept, row.wallTime,
    ]
  }
}

export interface Collected {
  readonly rows: number
  readonly failed: number
  /** SHA-256 of all cells except wall times: equal results have equal hashes. */
  readonly contentHash: string
}

/** Writes `results.parquet` completely or not at all. @throws HostError */
export async function writeResults(sweep: PreparedSweep, rows: () => Iterable<SweepRow>, path: string): Promise<Collected> {
  const content = createHash('sha256')
  let [count, failed] = [0, 0]
  const table: ResultTable = new ResultTable(sweep, function* () {
    for (const row of rows()) {
      content.update(JSON.stringify(table.cells(row).slice(0, -1)))
      count++
      if (row.status !== 'completed') failed++
      yield row
    }
  })
  await writeTable(table, 'parquet', new FileSink(path))
  return { rows: count, failed, contentHash: content.digest('hex') }
}
