/** The force polygon: the forces tip to tail, closed by m a. */

import { project, type FreeBody, type Point2, type View } from '../../analysis/free-body'
import { hypot } from '../../math/elementary'
import { length } from '../../math/vector'
import { numberRuns, plain, type Mark, type Point } from './drawing'
import { symbolRuns, TEXT, type Area, type Palette } from './look'
import { labelMarks, type Label } from './labels'
import { arrow, roundBelow } from './marks'

const BORDER = 26

export function polygonMarks(body: FreeBody, view: View, area: Area, palette: Palette): Mark[] {
  const forces = body.forces.filter(({ force }) => length(force) > 0)
  const corners: Point2[] = [[0, 0]]
  for (const { force } of forces) {
    const [x, y] = corners.at(-1)!
    const [fx, fy] = project(view, force)
    corners.push([x + fx, y + fy])
  }
  const rate = body.rate ? project(view, body.rate.force) : null
  const all = rate ? [...corners, rate] : corners
  const [lows, highs] = [Math.min, Math.max].map(pick => [0, 1].map(k => pick(...all.map(p => p[k as 0 | 1])))) as [number[], number[]]
  const spans = [highs[0]! - lows[0]!, highs[1]! - lows[1]!]
  const inner = { width: area.width - 2 * BORDER, height: area.height - 2 * BORDER - 18 }
  /** pt by newton */
  const scale = Math.min(inner.width / (spans[0]! || 1e-300), inner.height / (spans[1]! || 1e-300))
  const title: Mark = { kind: 'text', at: [area.left, area.top], runs: plain('Forces tip to tail'), size: TEXT, align: 'left', color: palette.faint }
  if (!Number.isFinite(scale) || scale > 1e200) return [title]
  const free = [inner.width - spans[0]! * scale, inner.height - spans[1]! * scale]
  const at = ([x, y]: Point2): Point => [area.left + BORDER + free[0]! / 2 + (x - lows[0]!) * scale, area.top + BORDER + free[1]! / 2 + (highs[1]! - y) * scale]
  const sides = forces.map((force, k) => ({ force, from: at(corners[k]!), to: at(corners[k + 1]!) }))
  const lines = sides.map(({ from, to }) => [from, to] as const)
  const marks: Mark[] = [title]
  const texts: Label[] = []
  for (const { force, from, to } of sides) {
    const color = palette.kinds[force.kind]
    marks.push(...arrow(from, to, { color, width: 1.4 }))
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
    // Sides too short for a label are identified in the table.
    const near: Point = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]
    if (hypot(dx, dy) > 6) texts.push({ runs: symbolRuns(force), near, towards: [dy, -dx], color, weight: hypot(dx, dy) })
  }
  const start = at([0, 0])
  if (rate && hypot(...rate) * scale > 1) {
    marks.push(...arrow(start, at(rate), { color: palette.result, width: 1.6, dash: [4, 2.5] }))
    const end = at(rate)
    lines.push([start, end])
    const near: Point = [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2]
    texts.push({ runs: [{ text: 'm a', style: 'italic' }], near, towards: [start[1] - end[1], end[0] - start[0]], color: palette.result, weight: Infinity })
  }
  marks.push({ kind: 'circle', center: start, radius: 2, stroke: null, fill: palette.ink })
  const force = roundBelow(48 / scale)
  const y = area.top + area.height - 13
  marks.push(...arrow([area.left, y], [area.left + force * scale, y], { color: palette.ink, width: 1.4 }))
  marks.push({ kind: 'text', at: [area.left + force * scale + 5, y + 3], runs: [...numberRuns(force, 1), { text: ' N' }], size: TEXT, align: 'left', color: palette.ink })
  // Above the scale, below the title.
  const bounds = { left: area.left, top: area.top + 4, right: area.left + area.width, bottom: y - 6 }
  return [...marks, ...labelMarks(texts, lines, bounds, { size: TEXT, faint: palette.faint })]
}
