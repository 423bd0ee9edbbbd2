/** A free-body diagram as a figure: the body's outline with its forces to scale, the force polygon beside it, and the table below. */

import { project, type DiagramForce, type FreeBody, type Point2, type View } from '../../analysis/free-body'
import { hypot } from '../../math/elementary'
import { cross, dot, length, type Vec3 } from '../../math/vector'
import { numberRuns, plain, type Drawing, type Mark, type Point, type Run, type Stroke } from './drawing'
import { forceTable } from './force-table'
import { PALETTES, symbolRuns, TEXT, type Area, type FreeBodyLook, type Palette } from './look'
import { labelMarks, type Label } from './labels'
import { across, arrow, roundBelow, turn } from './marks'
import { polygonMarks } from './polygon'

const MARGIN = 14
/** pt: height of the diagram with its labels; height of the scale row below it. */
const HEIGHT = 250
const SCALES = 26
/** pt: margin for labels around the arrows. */
const LABEL_MARGIN = 34
/** Length of the largest arrow, × the body's size. */
const ARROW = 0.7
/** Forces below this share of the largest whose arrows are shorter, pt, than this are too small to be seen: only the table names them. */
const SMALL = { share: 0.01, length: 1.5 } as const
/** Forces below this share of the largest are rounding errors and are not drawn. */
const NOTHING = 1e-7

function labelRuns(force: DiagramForce, labels: FreeBodyLook['labels']): readonly Run[] {
  if (labels === 'symbols') return symbolRuns(force)
  const couple = force.kind === 'couple'
  const value = [...numberRuns(length(couple ? force.couple : force.force)), { text: couple ? ' N m' : ' N' }]
  return labels === 'numbers' ? value : [...symbolRuns(force), { text: ' = ' }, ...value]
}

export function freeBodyDrawing(body: FreeBody, outlines: readonly (readonly Point2[])[], look: FreeBodyLook): Drawing {
  const palette = PALETTES[look.ink]
  const width = look.width - 2 * MARGIN
  const diagramWidth = look.polygon ? 0.62 * width : width
  const top = MARGIN + TEXT + 8
  const marks: Mark[] = [{ kind: 'text', at: [MARGIN, MARGIN + TEXT], runs: plain(look.title), size: 11, align: 'left', color: palette.ink }]
  marks.push(...diagramMarks(body, outlines, look, { left: MARGIN, top, width: diagramWidth, height: HEIGHT }, palette))
  const beside: Area = { left: MARGIN + diagramWidth + 10, top, width: width - diagramWidth - 10, height: HEIGHT + SCALES }
  if (look.polygon) marks.push(...polygonMarks(body, look.view, beside, palette))
  const table = forceTable(body, look, { left: MARGIN, top: top + HEIGHT + SCALES + 8, width: width }, palette)
  return { width: look.width, height: table.bottom + MARGIN, title: look.title, marks: [...marks, ...table.marks] }
}

interface Drawn { readonly force: DiagramForce; readonly tail: Point2; readonly tip: Point2; readonly pushes: boolean }

function diagramMarks(body: FreeBody, outlines: readonly (readonly Point2[])[], { view, labels, table }: FreeBodyLook, area: Area, palette: Palette): Mark[] {
  const center = project(view, body.center)
  const spread = [...outlines.flat(), center, ...body.forces.map(({ point }) => project(view, point))]
  const size = Math.max(extent(spread, 0), extent(spread, 1)) || 1
  const rate = body.rate ? project(view, body.rate.force) : [0, 0] as const
  const largest = Math.max(...body.forces.map(({ force }) => length(force)), hypot(...rate), 0)
  /** m of an arrow, by newton. */
  const perNewton = largest > 0 ? ARROW * size / largest : 0
  const drawn = body.forces.map(force => placed(force, view, center, perNewton))
  const resultant: Point2 = [center[0] + rate[0] * perNewton, center[1] + rate[1] * perNewton]
  const all = [...spread, resultant, ...drawn.flatMap(({ tail, tip }) => [tail, tip])]
  const low = [0, 1].map(k => Math.min(...all.map(p => p[k as 0 | 1])))
  const spans = [extent(all, 0) || size, extent(all, 1) || size]
  const scale = Math.min((area.width - 2 * LABEL_MARGIN) / spans[0]!, (area.height - 2 * LABEL_MARGIN) / spans[1]!)
  const free = [area.width - scale * spans[0]!, area.height - scale * spans[1]!]
  const at = ([x, y]: Point2): Point => [area.left + free[0]! / 2 + (x - low[0]!) * scale, area.top + area.height - free[1]! / 2 - (y - low[1]!) * scale]

  const marks: Mark[] = outlines.map(outline => ({ kind: 'path', points: outline.map(at), closed: true, stroke: { color: palette.body, width: 1 }, fill: null }))
  const lines = drawn.map(({ tail, tip }) => [at(tail), at(tip)] as const)
  for (const outline of outlines) lines.push(...outline.map((p, k) => [at(p), at(outline[(k + 1) % outline.length]!)] as const))
  const mass = at(center)
  marks.push({ kind: 'circle', center: mass, radius: 2.2, stroke: null, fill: palette.ink })
  const texts: Label[] = []
  const turning = Math.max(...body.forces.map(({ moment }) => length(moment)), largest * size, 1e-300)
  const out = cross(view.right, view.up)
  for (const { force, tail, tip, pushes } of drawn) {
    const stroke: Stroke = { color: palette.kinds[force.kind], width: 1.6 }
    const [from, to] = [at(tail), at(tip)]
    const seen = hypot(to[0] - from[0], to[1] - from[1])
    if (force.kind !== 'couple') {
      const facing = dot(out, force.force)
      if (seen < 3 && Math.abs(facing) > NOTHING * largest && Math.abs(facing) * perNewton * scale > 3) marks.push(...across(from, facing > 0, stroke))
      else marks.push(...arrow(from, to, stroke))
      const [end, other] = pushes ? [from, to] : [to, from]
      const towards: Point = seen < 3 ? [1, -1] : [end[0] - other[0], end[1] - other[1]]
      const isSmall = length(force.force) < SMALL.share * largest && seen < SMALL.length
      if (!(table && isSmall)) texts.push({ runs: labelRuns(force, labels), near: end, towards, color: stroke.color, weight: length(force.force) })
    }
    const couple = dot(out, force.couple)
    if (Math.abs(couple) > 1e-6 * turning) {
      const around = at(project(view, force.kind === 'couple' ? body.center : force.point))
      const arc = turn(around, 13, couple, stroke)
      marks.push(...arc)
      lines.push(...sidesOf(arc))
      if (force.kind === 'couple') texts.push({ runs: labelRuns(force, labels), near: [around[0], around[1] - 12], towards: [0, -1], color: stroke.color, weight: 0 })
    }
  }
  const result: Stroke = { color: palette.result, width: 1.6, dash: [4, 2.5] }
  if (hypot(...rate) > NOTHING * largest) {
    marks.push(...arrow(mass, at(resultant), result))
    const tip = at(resultant)
    lines.push([mass, tip])
    texts.push({ runs: [{ text: 'm a', style: 'italic' }], near: tip, towards: [tip[0] - mass[0], tip[1] - mass[1]], color: palette.result, weight: hypot(...rate) })
  }
  const spin = body.rate ? dot(out, body.rate.torque) : 0
  if (Math.abs(spin) > 1e-6 * turning) {
    const arc = turn(mass, 20, spin, result)
    marks.push(...arc)
    lines.push(...sidesOf(arc))
    texts.push({ runs: [{ text: 'dL/dt', style: 'italic' }], near: [mass[0] + 20, mass[1]], towards: [1, 0], color: palette.result, weight: 0 })
  }
  const bounds = { left: area.left, top: area.top, right: area.left + area.width, bottom: area.top + area.height }
  return [...marks, ...labelMarks(texts, lines, bounds, { size: TEXT, faint: palette.faint }), ...scales(area, perNewton * scale, scale, palette)]
}

/** The segments of the paths among these marks. */
function sidesOf(marks: readonly Mark[]): (readonly [Point, Point])[] {
  return marks.flatMap(mark => mark.kind === 'path' ? mark.points.slice(1).map((p, k) => [mark.points[k]!, p] as const) : [])
}

const extent = (points: readonly Point2[], k: 0 | 1): number => Math.max(...points.map(p => p[k])) - Math.min(...points.map(p => p[k]))

/** A pushing force ends at its point of application, a pulling one starts there. */
function placed(force: DiagramForce, view: View, center: Point2, perNewton: number): Drawn {
  const point = project(view, force.point)
  const [fx, fy] = project(view, force.force)
  const pushes = force.kind !== 'gravity' && fx * (center[0] - point[0]) + fy * (center[1] - point[1]) > 0
  const other: Point2 = pushes ? [point[0] - fx * perNewton, point[1] - fy * perNewton] : [point[0] + fx * perNewton, point[1] + fy * perNewton]
  return pushes ? { force, tail: other, tip: point, pushes } : { force, tail: point, tip: other, pushes }
}

/** A scale arrow for a round force and a scale bar for a round length. */
function scales(area: Area, perNewton: number, perMetre: number, { ink, faint }: Palette): Mark[] {
  const y = area.top + area.height + SCALES / 2
  const marks: Mark[] = []
  let x = area.left
  const wanted = 64
  if (perNewton > 0) {
    const force = roundBelow(wanted / perNewton)
    marks.push(...arrow([x, y], [x + force * perNewton, y], { color: ink, width: 1.6 }))
    marks.push({ kind: 'text', at: [x + force * perNewton + 5, y + 3], runs: [...numberRuns(force, 1), { text: ' N' }], size: TEXT, align: 'left', color: ink })
    x += wanted + 70
  }
  const metres = roundBelow(wanted / perMetre)
  const to = x + metres * perMetre
  marks.push({ kind: 'path', points: [[x, y - 3], [x, y + 3], [x, y], [to, y], [to, y - 3], [to, y + 3]], closed: false, stroke: { color: faint, width: 1 }, fill: null })
  marks.push({ kind: 'text', at: [to + 5, y + 3], runs: [...numberRuns(metres, 1), { text: ' m' }], size: TEXT, align: 'left', color: faint })
  return marks
}

/** Views along the world axes, by the two axes in the picture. */
const VIEWS = {
  xz: [[1, 0, 0], [0, 0, 1]], yz: [[0, 1, 0], [0, 0, 1]], xy: [[1, 0, 0], [0, 1, 0]],
} as const satisfies Readonly<Record<string, readonly [Vec3, Vec3]>>
export type ViewChoice = keyof typeof VIEWS | 'auto' | 'isometric'

/** The plane that shows most of the forces, with z up if the plane contains it; or the chosen view. */
export function viewOf(choice: ViewChoice, body: FreeBody): { readonly view: View; readonly name: string } {
  if (choice === 'isometric') {
    // Isometric view from the front, right and above.
    const [a, b] = [Math.SQRT1_2, 1 / Math.sqrt(6)]
    return { view: { right: [a, a, 0], up: [-b, b, 2 * b] }, name: 'from the right, the front and above' }
  }
  const sizes = [0, 1, 2].map(k => body.forces.reduce((sum, { force }) => sum + force[k]! * force[k]!, 0))
  const least = sizes.indexOf(Math.min(...sizes))
  // Among equal choices, the conventional view along y is used.
  const along = sizes[1]! <= sizes[least]! + 1e-9 * Math.max(...sizes) ? 1 : least
  const plane = choice === 'auto' ? (['yz', 'xz', 'xy'] as const)[along]! : choice
  const [right, up] = VIEWS[plane]
  return { view: { right, up }, name: `in the ${plane[0]}–${plane[1]} plane` }
}
