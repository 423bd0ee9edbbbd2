import { BODY_STRIDE } from '../../../core/trajectory/frame'
import { integer, real, runTable, text, vector } from './definition'

interface Row {
  readonly number: number
  readonly time: number
  readonly ids: readonly string[]
  /** Indices of the bodies that exist at that time. */
  readonly present: readonly number[]
  readonly states: Float64Array
}

const packed = ({ states }: Row) => states
const at = (offset: number) => ({ stride: BODY_STRIDE, offset })

/** One row per body and frame, from the body's spawn time on. */
export const bodies = runTable<Row>({
  columns: [
    integer('frame', ({ number }) => number), real('time', 's', ({ time }) => time), text('body', ({ ids, present }, k) => ids[present[k]!]!),
    ...vector<Row>('position', 'm', packed, at(0)),
    ...['x', 'y', 'z', 'w'].map((axis, n) => real<Row>(`orientation_${axis}`, '', ({ states }, k) => states[BODY_STRIDE * k + 3 + n]!)),
    ...vector<Row>('linearVelocity', 'm/s', packed, at(7)), ...vector<Row>('angularVelocity', 'rad/s', packed, at(10)),
  ],
  *items(reader) {
    const ids = reader.header.bodyIds
    for (let number = 0; number < reader.frames; number++) {
      const { time, bodies: all } = reader.frame(number)
      const present = ids.flatMap((_, index) => (Number.isNaN(all[index * BODY_STRIDE]!) ? [] : [index]))
      const stateOf = (index: number) => [...all.subarray(index * BODY_STRIDE, (index + 1) * BODY_STRIDE)]
      const states = present.length === ids.length ? all : Float64Array.from(present.flatMap(stateOf))
      yield { number, time, ids, present, states }
    }
  },
  rows: ({ present }) => present.length,
})
