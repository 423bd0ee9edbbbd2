import type { TrajectoryEvent, TrajectoryHeader } from '../../../core/trajectory/frame'
import { featureName } from '../inspect'
import { integer, real, runTable, text, vector } from './definition'

interface Row {
  readonly header: TrajectoryHeader
  readonly event: TrajectoryEvent
}

const speed = (name: 'approachSpeed' | 'reboundSpeed') => real<Row>(name, 'm/s', ({ event }) => event[name])
const feature = (kind: number, index: number) => (kind < 0 ? '' : featureName(kind, index))
const three = (name: 'point' | 'normal' | 'impulse', unit: string) => vector<Row>(name, unit, ({ event }) => event[name], { optional: true })

/** One row per event, at its exact time. */
export const events = runTable<Row>({
  columns: [
    integer('event', ({ event: { index } }) => index), real('time', 's', ({ event: { time } }) => time), text('kind', ({ event: { kind } }) => kind),
    text('bodyA', ({ event, header }) => header.bodyIds[event.bodyA] ?? '', true), text('bodyB', ({ event, header }) => header.bodyIds[event.bodyB] ?? '', true),
    integer('shapeA', ({ event }) => event.shapeA), integer('shapeB', ({ event }) => event.shapeB),
    text('featureA', ({ event }) => feature(event.featureKindA, event.featureA), true), text('featureB', ({ event }) => feature(event.featureKindB, event.featureB), true),
    text('joint', ({ event, header }) => header.jointIds[event.joint] ?? '', true), ...three('point', 'm'), ...three('normal', ''), ...three('impulse', 'N s'),
    speed('approachSpeed'), speed('reboundSpeed'), real('energyLoss', 'J', ({ event }) => event.energyLoss), real('restTime', 's', ({ event }) => event.restTime, true),
    text('message', ({ event }) => event.message, true),
  ],
  *items(reader) {
    const { header } = reader
    for (let number = 0; number < reader.count('events'); number++) yield { header, event: reader.event(number) }
  },
  rows: () => 1,
})
