import type { ScriptFrame } from '../../../core/trajectory/frame'
import type { TrajectoryReader } from '../reader'
import { integer, real, runTable, text, type ColumnOf } from './definition'

const place: ColumnOf<ScriptFrame>[] = [integer('frame', ({ index }) => index), real('time', 's', ({ time }) => time)]

function* scripts(reader: TrajectoryReader): Iterable<ScriptFrame> {
  for (let number = 0; number < reader.count('script'); number++) yield reader.script(number)
}

/** One row per value that a script plotted. */
export const plots = runTable<ScriptFrame>({
  columns: [...place, text('name', ({ names }, k) => names[k]!), real('value', '', ({ values }, k) => values[k]!)],
  items: scripts,
  rows: ({ names }) => names.length,
})

/** One row per line that a script logged. */
export const logs = runTable<ScriptFrame>({
  columns: [...place, text('text', ({ logs: lines }, k) => lines[k]!)],
  items: scripts,
  rows: ({ logs: lines }) => lines.length,
})
