import type { DeformableFrame, TrajectoryHeader } from '../../../core/trajectory/frame'
import type { TrajectoryReader } from '../reader'
import { integer, real, runTable, text, vector } from './definition'

interface Row {
  readonly number: number
  /** The deformable of each row, and the row's index within it. */
  readonly places: readonly Place[]
  readonly deformables: DeformableFrame
}

interface Place {
  readonly deformable: string
  readonly index: number
}

/** From the number of items of each deformable: one place per item. */
function placesOf({ deformableIds }: TrajectoryHeader, counts: ArrayLike<number>): Place[] {
  return deformableIds.flatMap((deformable, d) => Array.from({ length: counts[d]! }, (_, index) => ({ deformable, index })))
}

const rowsOf = (counts: (header: TrajectoryHeader) => ArrayLike<number>) => function* items(reader: TrajectoryReader): Iterable<Row> {
  const places = placesOf(reader.header, counts(reader.header))
  if (places.length === 0) return
  for (let number = 0; number < reader.frames; number++) yield { number, places, deformables: reader.deformables(number) }
}

const frameOf = [
  integer<Row>('frame', ({ number }) => number), real<Row>('time', 's', ({ deformables: { time } }) => time),
  text<Row>('deformable', ({ places }, k) => places[k]!.deformable),
]
const rows = ({ places }: Row): number => places.length

/** One row per deformable and frame: its energies, and the solver's effort in the step before. */
export const deformables = runTable<Row>({
  columns: [
    ...frameOf,
    ...(['kinetic', 'stretching', 'bending'] as const).map((name, n) => real<Row>(name, 'J', ({ deformables: { energy } }, k) => energy[3 * k + n]!)),
    integer('steps', ({ deformables: d }) => d.steps), integer('iterations', ({ deformables: d }) => d.iterations),
    integer('linearIterations', ({ deformables: d }) => d.linearIterations), real('residual', '', ({ deformables: d }) => d.residual),
  ],
  items: rowsOf(({ deformableIds }) => deformableIds.map(() => 1)), rows,
})

/** One row per vertex and frame. */
export const vertices = runTable<Row>({
  columns: [
    ...frameOf, integer('vertex', ({ places }, k) => places[k]!.index), ...vector<Row>('position', 'm', ({ deformables: { position } }) => position),
    ...vector<Row>('velocity', 'm/s', ({ deformables: { velocity } }) => velocity),
  ],
  items: rowsOf(({ deformableParticles }) => deformableParticles), rows,
})

/** One row per spring, segment or triangle and frame. */
export const elements = runTable<Row>({
  columns: [
    ...frameOf, integer('element', ({ places }, k) => places[k]!.index), real('strain', '', ({ deformables: { strain } }, k) => strain[k]!),
    real('tension', 'N', ({ deformables: { tension } }, k) => tension[k]!, true),
  ],
  items: rowsOf(({ deformableElements }) => deformableElements), rows,
})

/** One row per pin or attachment and frame: its reaction. */
export const reactions = runTable<Row>({
  columns: [
    ...frameOf, integer('held', ({ places }, k) => places[k]!.index), ...vector<Row>('force', 'N', ({ deformables: { reaction } }) => reaction),
  ],
  items: rowsOf(({ deformableHeld }) => deformableHeld), rows,
})
