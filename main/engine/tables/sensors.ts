import type { SensorFrame } from '../../../core/trajectory/frame'
import { sensorLayout, type PlacedQuantity } from '../../../core/trajectory/sensors'
import { integer, real, runTable, text, type ColumnOf } from './definition'

interface Row {
  readonly number: number
  readonly quantities: readonly PlacedQuantity[]
  readonly sensors: SensorFrame
}

const component = (name: string, n: number): ColumnOf<Row> =>
  real(name, 'by quantity', ({ quantities, sensors }, k) => n < quantities[k]!.length ? sensors.values[quantities[k]!.at + n]! : NaN, n > 0)

/** One row per sensor quantity and frame; a distance is in x. */
export const sensors = runTable<Row>({
  columns: [
    integer('frame', ({ number }) => number), real('time', 's', ({ sensors: { time } }) => time), text('sensor', ({ quantities }, k) => quantities[k]!.sensor),
    text('quantity', ({ quantities }, k) => quantities[k]!.name), text('unit', ({ quantities }, k) => quantities[k]!.unit),
    ...['x', 'y', 'z', 'w'].map(component),
  ],
  *items(reader) {
    const { quantities } = sensorLayout(reader.header)
    if (quantities.length === 0) return
    for (let number = 0; number < reader.frames; number++) yield { number, quantities, sensors: reader.sensors(number) }
  },
  rows: ({ quantities }) => quantities.length,
})
