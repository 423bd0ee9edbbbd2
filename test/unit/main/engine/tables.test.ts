import { copyFileSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TrajectoryReader } from '../../../../main/engine/reader'
import { runTables, tableNames, tableOf } from '../../../../main/engine/tables'
import type { TableName } from '../../../../main/protocol/runs'
import { Recorder } from '../../../../main/run/recorder'
import { FileSink, writeTable } from '../../../../main/tables'
import { scratch } from '../built'
import { recordFrame, sampleEnd, sampleEvent, sampleHeader, sampleScene } from '../run/trajectory-sample'
import { startDuck } from '../tables/duckdb'

const folder = scratch()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const frames = 20
const path = join(folder, 'run.mcap')
let reader: TrajectoryReader

beforeAll(() => {
  const recorder = new Recorder({ path, scene: sampleScene, now: () => performance.now() / 1000, progress: () => undefined })
  recorder.header({ ...sampleHeader(frames), forceIds: ['wind'], sensorIds: ['feel', 'eye'], sensorTypes: ['imu', 'range'] })
  for (let index = 0; index < frames; index++) {
    recordFrame(recorder, index)
    recorder.sensors({ index, time: index / 240, values: new Float64Array([1, 2, 3, 4, 5, 6, index]) })
    recorder.script({ index, time: index / 240, names: ['height', 'speed'], values: new Float64Array([index, -index]), logs: index === 3 ? ['three'] : [] })
  }
  recorder.event(sampleEvent(0, 0.01))
  recorder.end(sampleEnd(frames))
  reader = new TrajectoryReader(path)
})
afterAll(() => reader.close())

async function parquetOf(from: TrajectoryReader, what: TableName): Promise<Buffer> {
  const output = join(folder, `${what}.parquet`)
  await writeTable(tableOf(from, what), 'parquet', new FileSink(output))
  return readFileSync(output)
}

const arrayBuffer = (bytes: Buffer) => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer

describe('tables of a run', () => {
  it('have one row for each record of the channel', async () => {
    const rows = Object.fromEntries(await Promise.all(tableNames.map(async what => {
      const { num_rows: count } = await parquetMetadataAsync(arrayBuffer(await parquetOf(reader, what)))
      return [what, Number(count)] as const
    })))
    expect(rows).toStrictEqual({ bodies: 40, contacts: 20, joints: 20, forces: 0, rates: 20, events: 1, certificate: 20, solves: 20, plots: 40, logs: 1, sensors: 60,
      deformables: 0, vertices: 0, elements: 0, reactions: 0 })
  })

  it('have one row for each quantity of a sensor, with a distance in x', async () => {
    const rows = await parquetReadObjects({ file: arrayBuffer(await parquetOf(reader, 'sensors')) })
    expect(rows.slice(21, 24)).toEqual([
      { frame: 7, time: 7 / 240, sensor: 'feel', quantity: 'specificForce', unit: 'm/s²', x: 1, y: 2, z: 3, w: null },
      { frame: 7, time: 7 / 240, sensor: 'feel', quantity: 'angularRate', unit: 'rad/s', x: 4, y: 5, z: 6, w: null },
      { frame: 7, time: 7 / 240, sensor: 'eye', quantity: 'distance', unit: 'm', x: 7, y: null, z: null, w: null },
    ].map(row => ({ ...row, frame: row.frame })))
  })

  it('contain what the file contains, with units and the run\'s metadata', async () => {
    const file = arrayBuffer(await parquetOf(reader, 'contacts'))
    const contacts = await parquetReadObjects({ file })
    expect(contacts[7]).toMatchObject({
      frame: 7, time: 7 / 240, bodyA: 'a', bodyB: 'b', featureA: 'vertex 3', featureB: 'face 0', normalForce: 17, frictionForce_x: 3, frictionForce_y: 4,
      intervalLower: 0, intervalUpper: Infinity, mode: 'sticking', staticFriction: 0.6, indexSet: 'C', constraint: 'unilateral',
    })
    const metadata = Object.fromEntries((await parquetMetadataAsync(file)).key_value_metadata!.map(({ key, value }) => [key, value]))
    expect(metadata).toMatchObject({ table: 'contacts', engine: '9.9.9', sceneName: 'Sample', method: 'event-driven', complete: 'true' })
    expect(JSON.parse(metadata.units!)).toMatchObject({ gap: 'm', normalForce: 'N', tangentialAcceleration_z: 'm/s²' })
    const [event] = await parquetReadObjects({ file: arrayBuffer(await parquetOf(reader, 'events')) })
    expect(event).toMatchObject({ kind: 'impact', impulse_z: 5, restTime: null, joint: null, message: 'a, "quoted" message' })
  })

  it('are read by DuckDB', async () => {
    const duck = await startDuck()
    for (const what of ['bodies', 'contacts', 'plots'] as const) duck.file(`${what}.parquet`, await parquetOf(reader, what))
    expect(duck.query(`select body, count(*) as n, min(position_z) as lowest from 'bodies.parquet' group by body order by body`))
      .toStrictEqual(['a', 'b'].map(body => ({ body, n: 20n, lowest: 10 - 4.905 * (19 / 240) * (19 / 240) })))
    expect(duck.query(`select max(c.normalForce) as most from 'contacts.parquet' c join 'plots.parquet' p on c.frame = p.frame where p.name = 'height' and p.value <= 10`))
      .toStrictEqual([{ most: 20 }])
  })

  it('do not depend on the number of rows in a batch', () => {
    const heights = (capacity: number) => Array.from(runTables.bodies.batches(reader, capacity), batch => [...batch.data[5]!.slice(0, batch.length)]).flat()
    expect(heights(3)).toStrictEqual(heights(1000))
    expect(heights(3)).toHaveLength(40)
  })

  it('of a truncated run end with it, and say so', async () => {
    const cut = join(folder, 'cut.mcap')
    copyFileSync(path, cut)
    truncateSync(cut, Math.floor(statSync(path).size / 2))
    const truncated = new TrajectoryReader(cut)
    const { key_value_metadata: metadata } = await parquetMetadataAsync(arrayBuffer(await parquetOf(truncated, 'bodies')))
    expect(metadata).toContainEqual({ key: 'complete', value: 'false' })
    truncated.close()
  })
})
