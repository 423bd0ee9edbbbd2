import type { JointFrame } from '../../../core/trajectory/frame'
import { integer, real, runTable, text, vector } from './definition'

interface Row {
  readonly number: number
  readonly ids: readonly string[]
  readonly joints: JointFrame
}

/** m and N for sliding joints, rad and N m for turning ones; depends on the joint's type. */
const byType = { length: 'm or rad', speed: 'm/s or rad/s', effort: 'N or N m' } as const

const one = (name: 'error' | 'position' | 'velocity' | 'motorForce' | 'limitForce' | 'secondPosition' | 'secondVelocity', unit: string, optional = false) =>
  real<Row>(name, unit, ({ joints }, k) => joints[name][k]!, optional)

/** One row per joint and frame: its reaction on A at the anchor. */
export const joints = runTable<Row>({
  columns: [
    integer('frame', ({ number }) => number), real('time', 's', ({ joints: { time } }) => time), text('joint', ({ ids }, k) => ids[k]!),
    ...vector<Row>('force', 'N', ({ joints: j }) => j.force), ...vector<Row>('torque', 'N m', ({ joints: j }) => j.torque), one('error', byType.length),
    one('position', byType.length, true), one('velocity', byType.speed, true), one('motorForce', byType.effort, true), one('limitForce', byType.effort, true),
    ...vector<Row>('anchor', 'm', ({ joints: j }) => j.anchor, { optional: true }),
    one('secondPosition', byType.length, true), one('secondVelocity', byType.speed, true),
  ],
  *items(reader) {
    const ids = reader.header.jointIds
    for (let number = 0; number < reader.frames; number++) yield { number, ids, joints: reader.joints(number) }
  },
  rows: ({ ids }) => ids.length,
})
