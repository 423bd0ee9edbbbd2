/** Tables of a whole run for spreadsheets and notebooks: every channel of its file. */
import { MemorySink, writeTable, type TableSource } from '../../tables'
import type { TableFormat, TableName } from '../../protocol/runs'
import type { TrajectoryReader } from '../reader'
import { bodies } from './bodies'
import { certificate, solves } from './certificate'
import { contacts } from './contacts'
import type { RunTable } from './definition'
import { deformables, elements, reactions, vertices } from './deformables'
import { events } from './events'
import { forces, rates } from './forces'
import { joints } from './joints'
import { logs, plots } from './script'
import { sensors } from './sensors'

export const runTables: Readonly<Record<TableName, RunTable>> = {
  bodies, contacts, joints, forces, rates, sensors, deformables, vertices, elements, reactions, events, certificate, solves, plots, logs,
}

export const tableNames = Object.keys(runTables) as TableName[]

/** A table of a run, ready to be written; facts about the run are its metadata. */
export function tableOf(reader: TrajectoryReader, what: TableName): TableSource {
  const { engine, sceneHash, sceneName, method } = reader.header
  const { columns, batches } = runTables[what]
  return {
    columns, batches: () => batches(reader),
    metadata: { table: what, engine, sceneHash, sceneName, method, complete: String(reader.complete) },
  }
}

/** The whole table as a file. */
export async function tableFile(reader: TrajectoryReader, what: TableName, format: TableFormat): Promise<Uint8Array> {
  const sink = new MemorySink()
  await writeTable(tableOf(reader, what), format, sink)
  return sink.bytes()
}
