/** The table of a free-body diagram: forces and moments by their components, their sum, m a, and the residual. */

import type { FreeBody } from '../../analysis/free-body'
import { length, type Vec3 } from '../../math/vector'
import { numberRuns, plain, type Mark, type Run } from './drawing'
import { symbolRuns, type FreeBodyLook, type Palette } from './look'
import { shortened } from './helvetica'

const SIZE = 8
const LINE = 12
const COLUMN = 47
/** Most rows; the sum includes the rows left out. */
const MAX_ROWS = 28

interface Row { readonly symbol: readonly Run[]; readonly source: string; readonly force: Vec3; readonly moment: Vec3; readonly color: string }

export function forceTable(
  body: FreeBody, look: FreeBodyLook, { left, top, width }: { readonly left: number; readonly top: number; readonly width: number }, palette: Palette,
): { readonly marks: readonly Mark[]; readonly bottom: number } {
  const marks: Mark[] = []
  let y = top
  const write = (x: number, runs: readonly Run[], color: string, align: 'left' | 'right' = 'left') => {
    marks.push({ kind: 'text', at: [x, y + SIZE], runs, size: SIZE, align, color })
  }
  const rule = () => {
    marks.push({ kind: 'path', points: [[left, y], [left + width, y]], closed: false, stroke: { color: palette.faint, width: 0.6 }, fill: null })
    y += 3
  }
  if (look.table) {
    const columns = Array.from({ length: 6 }, (_, k) => left + width - (5 - k) * COLUMN)
    const heads = ['F', 'M'].flatMap(letter => ['x', 'y', 'z'].map(axis => ({ letter, axis })))
    heads.forEach(({ letter, axis }, k) => {
      write(columns[k]!, [{ text: letter, style: 'italic' }, { text: axis, style: 'sub' }, { text: letter === 'F' ? ' N' : ' N m' }], palette.faint, 'right')
    })
    write(left, plain('Force, and moment about the centre of mass'), palette.faint)
    y += LINE
    rule()
    const byForce = [...body.forces].sort((a, b) => length(b.force) - length(a.force) || length(b.moment) - length(a.moment))
    const shown = new Set(byForce.slice(0, MAX_ROWS))
    const rows: Row[] = body.forces.filter(force => shown.has(force)).map(force => (
      { symbol: symbolRuns(force), source: `${WORDS[force.kind]}${force.source}`, force: force.force, moment: force.moment, color: palette.kinds[force.kind] }
    ))
    const sums: Row[] = [{ symbol: plain('Sum'), source: '', force: body.sum.force, moment: body.sum.torque, color: palette.ink }]
    if (body.rate) {
      sums.push({ symbol: [{ text: 'm a', style: 'italic' }, { text: ', ' }, { text: 'dL/dt', style: 'italic' }], source: '', force: body.rate.force, moment: body.rate.torque, color: palette.result })
    }
    const decimals = (column: (row: Row) => Vec3) => decimalsOf(Math.max(...[...rows, ...sums].flatMap(row => column(row)).map(Math.abs), 0))
    const [ofForce, ofMoment] = [decimals(row => row.force), decimals(row => row.moment)]
    const put = (row: Row) => {
      write(left, row.symbol, row.color)
      if (row.source !== '') write(left + 34, plain(shortened(row.source, SIZE, width - 34 - 6 * COLUMN)), palette.ink)
      for (const k of [0, 1, 2] as const) {
        write(columns[k]!, fixed(row.force[k], ofForce), palette.ink, 'right')
        write(columns[k + 3]!, fixed(row.moment[k], ofMoment), palette.ink, 'right')
      }
      y += LINE
    }
    rows.forEach(put)
    if (body.forces.length > rows.length) {
      write(left + 34, plain(`and ${body.forces.length - rows.length} smaller ones, included in the sum`), palette.faint)
      y += LINE
    }
    rule()
    sums.forEach(put)
    y += 2
  }
  write(left, [{ text: `t = ${Number(body.time.toPrecision(9))} s, seen ${look.viewName}.` }, ...body.rate ? closing(body) : [{ text: ' Its motion is prescribed.' }]], palette.faint)
  return { marks, bottom: y + LINE }
}

const WORDS = { gravity: '', normal: 'normal, ', friction: 'friction, ', joint: '', force: '', couple: '' } as const

const closing = ({ residual: { force, moment } }: FreeBody): readonly Run[] => [
  { text: ' The sum is ' }, { text: 'm a', style: 'italic' }, { text: ' to ' }, ...numberRuns(force, 2), { text: ' N and ' }, { text: 'dL/dt', style: 'italic' }, { text: ' to ' },
  ...numberRuns(moment, 2), { text: ' N m.' },
]

/** Decimals that give the largest value four digits; null if it needs powers of ten. */
function decimalsOf(largest: number): number | null {
  if (largest === 0) return 0
  if (largest < 1e-3 || largest >= 1e6) return null
  const [, exponent] = largest.toExponential(3).split('e') as [string, string]
  return Math.max(0, 3 - Number(exponent))
}

function fixed(value: number, decimals: number | null): readonly Run[] {
  if (decimals === null) return numberRuns(value, 3)
  const text = value.toFixed(decimals)
  return plain(Number(text) === 0 ? text.replace('-', '') : text.replace('-', '−'))
}
