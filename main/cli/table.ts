import { closeSync, openSync, writeSync } from 'node:fs'
import { once } from 'node:events'
import { csvLines, tables, type TableName } from '../engine/table'
import { Arguments } from './arguments'
import { withReader } from './inspect'
import { exitCodes, Refusal, usage } from './output'
import { systemReason } from '../protocol/problem-file'
import type { TrajectoryReader } from '../engine/reader'

export const tableOptions = { what: { type: 'string' }, to: { type: 'string' }, output: { type: 'string', short: 'o' }, json: { type: 'boolean' } } as const

/** Characters written at once. */
const batch = 1 << 20

/** `cairn table <run.mcap> --what … --to csv`: to a file, else to standard output. */
export async function table(args: readonly string[]): Promise<number> {
  const given = Arguments.parse(args, tableOptions, ['run.mcap'])
  const what = given.choice('what', tables)
  if (what === undefined) throw usage('--what is missing.', tables.join(', '))
  const to = given.choice('to', ['csv', 'npy', 'parquet'])
  if (to === undefined) throw usage('--to is missing.', 'csv')
  if (to !== 'csv') throw usage(`not supported yet: --to ${to}`, 'csv')
  const output = given.text('output')
  await withReader(given.positionals[0]!, reader => (output === undefined ? toStandardOutput(reader, what) : toFile(reader, what, output)))
  return exitCodes.done
}

function* batches(reader: TrajectoryReader, what: TableName): Iterable<string> {
  let text = ''
  for (const line of csvLines(reader, what)) {
    text += line
    if (text.length < batch) continue
    yield text
    text = ''
  }
  yield text
}

function toFile(reader: TrajectoryReader, what: TableName, output: string): void {
  try {
    const fd = openSync(output, 'w')
    try {
      for (const text of batches(reader, what)) writeSync(fd, text)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    const name = code === 'ENOSPC' ? 'DiskFull' : 'OutputNotCreated'
    throw new Refusal([{ name, severity: 'error', message: `"${output}" cannot be written: ${systemReason(error)}.`, path: '', value: output, ids: [] }])
  }
}

async function toStandardOutput(reader: TrajectoryReader, what: TableName): Promise<void> {
  for (const text of batches(reader, what)) if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}
