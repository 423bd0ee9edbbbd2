import { spawn } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Batch, csvMetadata, FileSink, StreamSink, writeTable, type Column, type TableFormat, type TableSource } from '../../../../main/tables'
import { scratch } from '../built'
import { startDuck, type Duck } from './duckdb'

const folder = scratch()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const columns: readonly Column[] = [
  { name: 'frame', kind: 'integer', unit: '' }, { name: 'gap', kind: 'real', unit: 'm' }, { name: 'upper', kind: 'real', unit: 'N', optional: true },
  { name: 'body', kind: 'text', unit: '' }, { name: 'note', kind: 'text', unit: '', optional: true },
]

const awkward: readonly (readonly (number | string)[])[] = [
  [0, -0, NaN, 'box', ''],
  [1, 5e-324, Infinity, 'größe "1", 2', 'two\nlines'],
  [2147483647, 0.1 + 0.2, -Infinity, '🎲'.repeat(3), 'a'],
  [-2147483648, NaN, 1.7976931348623157e308, '', 'it\'s \\ back'],
]

/** Repeats the rows, in batches of `size`. */
const source = (rows: number, size: number): TableSource => ({
  columns, metadata: { sceneHash: 'ab'.repeat(32) },
  *batches() {
    const batch = new Batch(columns, size)
    for (let row = 0; row < rows; row++) {
      batch.push(awkward[row % awkward.length]!)
      if (!batch.full) continue
      yield batch
      batch.clear()
    }
    yield batch
  },
})

async function written(format: TableFormat, rows: number, size = 3): Promise<Buffer> {
  const path = join(folder, `t.${format}`)
  await writeTable(source(rows, size), format, new FileSink(path))
  expect(readdirSync(folder).filter(name => name.endsWith('.tmp'))).toStrictEqual([])
  return readFileSync(path)
}

const arrayBuffer = (bytes: Buffer) => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
const present = (value: number | string, optional: boolean) => (optional && (Number.isNaN(value) || value === '') ? null : value)
const expected = (rows: number) => Array.from({ length: rows }, (_, row) => Object.fromEntries(columns.map(({ name, optional }, k) => [name, present(awkward[row % 4]![k]!, optional ?? false)])))

describe('Parquet', () => {
  let duck: Duck
  beforeAll(async () => {
    duck = await startDuck()
  })

  it.each([0, 1, 4, 10])('of %i rows is read by hyparquet unchanged, bit for bit', async rows => {
    const file = arrayBuffer(await written('parquet', rows))
    const read = await parquetReadObjects({ file })
    expect(read).toStrictEqual(expected(rows))
    if (rows > 0) expect(Object.is(read[0]!.gap, -0)).toBe(true)
    const { key_value_metadata: entries, num_rows: count } = await parquetMetadataAsync(file)
    expect(Number(count)).toBe(rows)
    expect(Object.fromEntries(entries!.map(({ key, value }) => [key, value]))).toStrictEqual({ sceneHash: 'ab'.repeat(32), units: '{"gap":"m","upper":"N"}' })
  })

  it('is read by DuckDB: values, nulls, and kinds', async () => {
    duck.file('t.parquet', await written('parquet', 10))
    expect(duck.query('select * from \'t.parquet\'')).toStrictEqual(expected(10))
    expect(duck.query('select count(*) as n, count(upper) as uppers, max(frame) as most from \'t.parquet\' where not isnan(gap)')).toStrictEqual([{ n: 8n, uppers: 5n, most: 2147483647 }])
    expect(duck.query('describe select * from \'t.parquet\'').map(row => row.column_type)).toStrictEqual(['INTEGER', 'DOUBLE', 'DOUBLE', 'VARCHAR', 'VARCHAR'])
  })
})

describe('CSV', () => {
  it('is read by DuckDB unchanged', async () => {
    const duck = await startDuck()
    duck.file('t.csv', await written('csv', 10))
    const types = '{frame: \'INTEGER\', gap: \'DOUBLE\', upper: \'DOUBLE\', body: \'VARCHAR\', note: \'VARCHAR\'}'
    const read = duck.query(`select * from read_csv('t.csv', header = true, columns = ${types}, nullstr = '', quote = '"', escape = '"')`)
    const nulls = (row: Record<string, unknown>) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, Number.isNaN(value) || value === '' ? null : value]))
    expect(read).toStrictEqual(expected(10).map(nulls))
  })

  it('has a file beside it with types and units', () => {
    const described = JSON.parse(csvMetadata('t.csv', columns, { table: 'contacts' })) as { url: string; tableSchema: { columns: object[] } }
    expect(described).toMatchObject({ 'url': 't.csv', 'schema:table': 'contacts' })
    expect(described.tableSchema.columns[1]).toMatchObject({ name: 'gap', datatype: 'double', 'schema:unitText': 'm' })
  })
})

describe('NPY', () => {
  it('has the header that NumPy expects, and rows of fixed width', async () => {
    const bytes = await written('npy', 10)
    expect([...bytes.subarray(0, 8)]).toStrictEqual([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 2, 0])
    const length = bytes.readUInt32LE(8)
    expect((12 + length) % 64).toBe(0)
    const header = bytes.subarray(12, 12 + length).toString('latin1')
    const fields = '(\'frame\', \'<i4\'), ((\'gap [m]\', \'gap\'), \'<f8\'), ((\'upper [N]\', \'upper\'), \'<f8\'), (\'body\', \'<U12\'), (\'note\', \'<U11\')'
    expect(header.trimEnd()).toBe(`{'descr': [${fields}], 'fortran_order': False, 'shape': (10,), }`)
    expect(header.endsWith('\n')).toBe(true)
    const row = 4 + 8 + 8 + 4 * 12 + 4 * 11
    expect(bytes.length).toBe(12 + length + 10 * row)
    const second = bytes.subarray(12 + length + row)
    expect([second.readInt32LE(0), second.readDoubleLE(4), second.readDoubleLE(12)]).toStrictEqual([1, 5e-324, Infinity])
    expect(String.fromCodePoint(...Array.from({ length: 12 }, (_, k) => second.readUInt32LE(20 + 4 * k)))).toBe('größe "1", 2')
    const third = bytes.subarray(12 + length + 2 * row)
    expect(Array.from({ length: 12 }, (_, k) => third.readUInt32LE(20 + 4 * k))).toStrictEqual([...Array<number>(3).fill(0x1f3b2), ...Array<number>(9).fill(0)])
  })
})

describe('errors', () => {
  const broken: TableSource = {
    ...source(10, 3),
    *batches() {
      const batch = new Batch(columns, 3)
      batch.push(awkward[0]!)
      yield batch
      throw new Error('the run is damaged')
    },
  }

  it('in the source leave no new file, and an old one unchanged', async () => {
    const path = join(folder, 'old.csv')
    writeFileSync(path, 'old')
    await expect(writeTable(broken, 'csv', new FileSink(path))).rejects.toThrow('the run is damaged')
    expect(readFileSync(path, 'utf8')).toBe('old')
    await expect(writeTable(broken, 'parquet', new FileSink(join(folder, 'new.parquet')))).rejects.toThrow('the run is damaged')
    expect(readdirSync(folder).filter(name => name.startsWith('new') || name.endsWith('.tmp'))).toStrictEqual([])
  })

  it.skipIf(!existsSync('/dev/full')).each(['csv', 'npy', 'parquet'] as const)('a full disk, as %s', async format => {
    await expect(writeTable(source(10, 3), format, new FileSink('/dev/full'))).rejects.toMatchObject({ name: 'DiskFull', problems: [{ value: '/dev/full' }] })
  })

  it('are thrown for a file that cannot be created', () => {
    expect(() => new FileSink(folder)).toThrow(expect.objectContaining({ name: 'OutputNotCreated' }) as Error)
    expect(() => new FileSink(join(folder, 'nowhere', 't.csv'))).toThrow(expect.objectContaining({ name: 'OutputNotCreated' }) as Error)
  })

  it('are thrown for rows that do not fit', () => {
    const batch = new Batch(columns, 1)
    expect(() => batch.push([1, 2, 3, 'a'])).toThrow('A row has 4 cells')
    expect(() => batch.push([1.5, 2, 3, 'a', 'b'])).toThrow('1.5 is no integer for the column "frame"')
    expect(() => batch.push([1, 'x', 3, 'a', 'b'])).toThrow('"x" is no real')
    batch.push([1, 2, 3, 'a', 'b'])
    expect(() => batch.push([1, 2, 3, 'a', 'b'])).toThrow('full')
  })

  it('a slow reader slows the writer, and a closed one ends it', async () => {
    let most = 0
    let taken = 0
    const slow = new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _encoding, done) {
        most = Math.max(most, slow.writableLength)
        taken += chunk.length
        setTimeout(done, 1)
      },
    })
    await writeTable(source(10_000, 100), 'csv', new StreamSink(slow))
    expect(taken).toBeGreaterThan(100_000)
    expect(most).toBeLessThan(100_000)
    const gone = spawn('true', [], { stdio: ['pipe', 'ignore', 'ignore'] })
    gone.stdin.on('error', () => undefined)
    await new Promise(done => gone.once('exit', done))
    await expect(writeTable(source(1_000_000, 1000), 'csv', new StreamSink(gone.stdin))).rejects.toMatchObject({ code: expect.stringMatching(/EPIPE|ERR_STREAM|ECONNRESET/) as string })
  })
})
