import { basename } from 'node:path'
import { writeWhole } from '../engine/files'
import type { TrajectoryReader } from '../engine/reader'
import { tableNames, tableOf } from '../engine/tables'
import type { TableName } from '../protocol/runs'
import { csvMetadata, FileSink, StreamSink, tableFormats, writeTable, type TableFormat } from '../tables'
import { Arguments } from './arguments'
import { damageIn, openReader } from './inspect'
import { exitCodes, printJson, log, usage } from './output'

export const tableOptions = { what: { type: 'string' }, to: { type: 'string' }, output: { type: 'string', short: 'o' }, json: { type: 'boolean' } } as const

/** `cairn table <run.mcap> --what … --to csv|npy|parquet`: to a file or standard output, for runs of any length. */
export async function table(args: readonly string[]): Promise<number> {
  const given = Arguments.parse(args, tableOptions, ['run.mcap'])
  const what = given.choice('what', tableNames)
  if (what === undefined) throw usage('--what is missing.', tableNames.join(', '))
  const to = given.choice('to', tableFormats)
  if (to === undefined) throw usage('--to is missing.', tableFormats.join(', '))
  const output = given.text('output')
  const reader = openReader(given.positionals[0]!)
  try {
    damageIn(reader, { sound: true }) // a table could not mark its damaged numbers
    await write(reader, what, to, output)
    const { complete, frames } = reader
    if (!complete) log(`The run's file is incomplete: the table has its ${frames} frames.`)
    if (given.flag('json') && output !== undefined) printJson({ status: 'completed', output, what, format: to, frames, complete })
  } finally {
    reader.close()
  }
  return exitCodes.done
}

async function write(reader: TrajectoryReader, what: TableName, to: TableFormat, output: string | undefined): Promise<void> {
  const source = tableOf(reader, what)
  await writeTable(source, to, output === undefined ? new StreamSink(process.stdout) : new FileSink(output))
  if (to === 'csv' && output?.endsWith('.csv')) writeWhole(`${output}-metadata.json`, csvMetadata(basename(output), source.columns, source.metadata))
}
