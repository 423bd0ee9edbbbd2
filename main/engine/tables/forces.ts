import { WRENCH_SOURCES, type ForceFrame, type TrajectoryHeader } from '../../../core/trajectory/frame'
import type { TrajectoryReader } from '../reader'
import { integer, real, runTable, text, vector, type ColumnOf } from './definition'

interface Row {
  readonly number: number
  readonly header: TrajectoryHeader
  readonly forces: ForceFrame
}

const place: ColumnOf<Row>[] = [integer('frame', ({ number }) => number), real('time', 's', ({ forces: { time } }) => time)]

function* frames(reader: TrajectoryReader): Iterable<Row> {
  const { header } = reader
  for (let number = 0; number < reader.frames; number++) yield { number, header, forces: reader.forces(number) }
}

/** One row per source, body and frame: forces other than weight, contacts and joint reactions. */
export const forces = runTable<Row>({
  columns: [
    ...place, text('kind', ({ forces: f }, k) => WRENCH_SOURCES[f.sourceKind[k]!] ?? ''),
    text('source', ({ forces: f, header }, k) => (WRENCH_SOURCES[f.sourceKind[k]!] === 'force' ? header.forceIds : header.jointIds)[f.source[k]!] ?? ''),
    text('body', ({ forces: f, header }, k) => header.bodyIds[f.sourceBody[k]!] ?? ''),
    ...vector<Row>('force', 'N', ({ forces: f }) => f.wrench, { stride: 6 }), ...vector<Row>('torque', 'N m', ({ forces: f }) => f.wrench, { stride: 6, offset: 3 }),
  ],
  items: frames,
  rows: ({ forces: { source } }) => source.length,
})

/** One row per frame and body with a force other than gravity: the sum of all forces, as mass × acceleration and rate of angular momentum. */
export const rates = runTable<Row>({
  columns: [
    ...place, text('body', ({ forces: f, header }, k) => header.bodyIds[f.body[k]!] ?? ''),
    ...vector<Row>('force', 'N', ({ forces: f }) => f.rate, { stride: 6 }), ...vector<Row>('torque', 'N m', ({ forces: f }) => f.rate, { stride: 6, offset: 3 }),
  ],
  items: frames,
  rows: ({ forces: { body } }) => body.length,
})
