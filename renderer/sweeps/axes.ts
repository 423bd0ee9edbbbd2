/** Axes of sweep charts on a canvas: continuous for numbers, categories for texts. */

import { formatNumber } from '../fields/format'
import { ticks } from '../film/plots'
import { distinct, type ResultColumn } from './columns'

export interface ChartTheme {
  readonly surface: string
  readonly line: string
  readonly text: string
  readonly muted: string
  readonly accent: string
  readonly font: string
  readonly colors: readonly string[]
}

/** px */
export interface Area { readonly left: number; readonly top: number; readonly width: number; readonly height: number }

export interface Scale {
  readonly low: number
  readonly high: number
  /** For categories: a value's position is its index in this list. */
  readonly categories: readonly (number | string)[] | null
  readonly title: string
}

/** px: font size, and spacing. */
export const LETTER = 11
const GAP = 6

export const titleOf = ({ name, unit }: ResultColumn) => unit === '' ? name : `${name}, ${unit}`

/** Over all results, so that a filter does not change the axes. */
export function scaleOf(column: ResultColumn): Scale {
  const title = titleOf(column)
  if (!column.numeric) {
    const categories = distinct(column)
    return { low: -0.5, high: Math.max(0.5, categories.length - 0.5), categories, title }
  }
  let [low, high] = [Infinity, -Infinity]
  for (const cell of column.cells) {
    if (typeof cell !== 'number' || !Number.isFinite(cell)) continue
    low = Math.min(low, cell)
    high = Math.max(high, cell)
  }
  if (!(low <= high)) return { low: 0, high: 1, categories: null, title }
  const room = high > low ? 0.04 * (high - low) : Math.max(Math.abs(high), 1e-9) / 2
  return { low: low - room, high: high + room, categories: null, title }
}

/** Position of a cell on the axis, in axis units; NaN if it has none. */
export function placeOn({ categories }: Scale, cell: number | string | null | undefined): number {
  if (cell === null || cell === undefined) return NaN
  return categories ? categories.indexOf(cell) : Number(cell)
}

export const across = ({ left, width }: Area, { low, high }: Scale, value: number) => left + width * (value - low) / (high - low)
export const down = ({ top, height }: Area, { low, high }: Scale, value: number) => top + height * (high - value) / (high - low)

/** Area left for the chart itself. @param right px for a legend */
export function areaWithin(ctx: CanvasRenderingContext2D, width: number, height: number, y: Scale, right = 0): Area {
  const widest = Math.max(...marksOf(y).map(({ text }) => ctx.measureText(text).width), 20)
  const left = Math.min(width / 3, widest + 2 * GAP)
  return { left, top: LETTER + 2 * GAP, width: Math.max(10, width - left - right - 2 * GAP), height: Math.max(10, height - 4 * LETTER - 3 * GAP) }
}

export function drawAxes(ctx: CanvasRenderingContext2D, area: Area, x: Scale, y: Scale, theme: ChartTheme, rules: boolean): void {
  ctx.lineWidth = 1
  ctx.strokeStyle = theme.line
  ctx.fillStyle = theme.muted
  const bottom = area.top + area.height
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'right'
  for (const { at, text } of thinned(marksOf(y), area.height, LETTER + GAP)) {
    const py = down(area, y, at)
    if (rules) rule(ctx, area.left, py, area.left + area.width, py)
    ctx.fillText(text, area.left - GAP, py)
  }
  ctx.textAlign = 'center'
  const widest = Math.max(...marksOf(x).map(({ text }) => ctx.measureText(text).width), 1)
  for (const { at, text } of thinned(marksOf(x), area.width, widest + 2 * GAP)) {
    const px = across(area, x, at)
    if (rules) rule(ctx, px, area.top, px, bottom)
    ctx.fillText(text, px, bottom + GAP + LETTER / 2)
  }
  ctx.strokeRect(area.left, area.top, area.width, area.height)
  ctx.fillStyle = theme.text
  ctx.fillText(x.title, area.left + area.width / 2, bottom + 2.4 * LETTER + GAP)
  ctx.textAlign = 'left'
  ctx.fillText(y.title, GAP, LETTER / 2 + 2)
}

function rule(ctx: CanvasRenderingContext2D, ax: number, ay: number, bx: number, by: number): void {
  ctx.beginPath()
  ctx.moveTo(ax, ay)
  ctx.lineTo(bx, by)
  ctx.stroke()
}

/** Marks of an axis at most; those without room are left out. */
const MARKS = 6

interface Mark { readonly at: number; readonly text: string }

function marksOf({ low, high, categories }: Scale): readonly Mark[] {
  if (categories) return categories.map((category, at) => ({ at, text: typeof category === 'number' ? formatNumber(category, 4) : category }))
  return ticks(low, high, MARKS).map(at => ({ at, text: formatNumber(at, 4) }))
}

/** Every n-th mark, so that the labels do not overlap. */
function thinned(marks: readonly Mark[], length: number, each: number): readonly Mark[] {
  const step = Math.max(1, Math.ceil(marks.length * each / length))
  return marks.filter((_, k) => k % step === 0)
}
