/** Charts of a sweep's results: each draws itself on a canvas and finds the results at a position. */

import { formatNumber } from '../fields/format'
import { across, areaWithin, down, drawAxes, LETTER, placeOn, scaleOf, titleOf, type Area, type ChartTheme, type Scale } from './axes'
import { scaleColor, shareOf } from './colour-scale'
import { distinct, type ResultColumn } from './columns'
import { heatMap, meanOf } from './heat-map'

type Context = CanvasRenderingContext2D

/** Size of the canvas, px. */
interface Size { readonly width: number; readonly height: number }

export interface Chart {
  /** Indices of the results at a position (px) or nearest to it, with a description. */
  at(x: number, y: number): { readonly results: readonly number[]; readonly text: string } | null
}

/** px: width of the colour scale and of legend symbols, and the largest distance of a click from a point. */
const LEGEND = 84
const KEY = 24
const REACH = 14
const RADIUS = 3.5
/** Maximum number of distinguishable curves. */
const MAX_CURVES = 14

export interface ChartChoice {
  readonly x: ResultColumn
  readonly y: ResultColumn
  /** Quantity that colours points or separates curves; null: none. */
  readonly by: ResultColumn | null
  /** Indices of the results to draw. */
  readonly chosen: readonly number[]
}

interface Point { readonly x: number; readonly y: number; readonly results: readonly number[]; readonly text: string }

export function drawScatter(ctx: Context, size: Size, { x, y, by, chosen }: ChartChoice, theme: ChartTheme): Chart {
  const [xs, ys] = [scaleOf(x), scaleOf(y)]
  const kinds = by && !by.numeric ? distinct(by) : null
  const colors = by?.numeric ? scaleOf(by) : null
  const area = areaWithin(ctx, size.width, size.height, ys, kinds ? legendWidth(ctx, size, kinds) : colors ? LEGEND : 0)
  drawAxes(ctx, area, xs, ys, theme, true)
  const points: Point[] = []
  const colorOf = (cell: number | string | null | undefined): string => {
    if (kinds) return theme.colors[Math.max(0, kinds.indexOf(cell ?? '')) % theme.colors.length]!
    if (colors === null) return theme.colors[0]!
    return typeof cell === 'number' ? scaleColor(shareOf(cell, colors.low, colors.high)) : theme.muted
  }
  for (const k of chosen) {
    const px = across(area, xs, placeOn(xs, x.cells[k]))
    const py = down(area, ys, placeOn(ys, y.cells[k]))
    if (Number.isNaN(px) || Number.isNaN(py)) continue
    ctx.fillStyle = colorOf(by?.cells[k])
    ctx.beginPath()
    ctx.arc(px, py, RADIUS, 0, 7)
    ctx.fill()
    points.push({ x: px, y: py, results: [k], text: [x, y, ...by ? [by] : []].map(column => cellText(column, column.cells[k])).join(' · ') })
  }
  if (by && colors) drawColorScale(ctx, size, area, colors, by, theme)
  kinds?.forEach((kind, n) => drawKey(ctx, size, area, n, textOf(kind), colorOf(kind), theme))
  return { at: (px, py) => nearest(points, px, py) }
}

/** Means over the results with the same x, one curve for each value of `by`. */
export function drawLines(ctx: Context, size: Size, { x, y, by, chosen }: ChartChoice, theme: ChartTheme): Chart {
  const [xs, ys] = [scaleOf(x), scaleOf(y)]
  const curves = by ? distinct(by).slice(0, MAX_CURVES) : [null]
  const area = areaWithin(ctx, size.width, size.height, ys, by ? legendWidth(ctx, size, distinct(by)) : 0)
  drawAxes(ctx, area, xs, ys, theme, true)
  const points: Point[] = []
  curves.forEach((curve, n) => {
    const color = theme.colors[n % theme.colors.length]!
    ctx.strokeStyle = ctx.fillStyle = color
    ctx.lineWidth = 1.5
    ctx.setLineDash(n < theme.colors.length ? [] : [5, 3])
    ctx.beginPath()
    let drawing = false
    for (const [value, results] of groupsBy(x, by === null ? chosen : chosen.filter(k => by.cells[k] === curve))) {
      const mean = meanOf(y, results)
      const [px, py] = [across(area, xs, placeOn(xs, value)), down(area, ys, mean)]
      if (Number.isNaN(py)) {
        drawing = false
        continue
      }
      if (drawing) ctx.lineTo(px, py)
      else ctx.moveTo(px, py)
      drawing = true
      const of = results.length === 1 ? '' : ` · mean of ${results.length}`
      points.push({ x: px, y: py, results, text: `${by === null ? '' : `${cellText(by, curve)} · `}${cellText(x, value)} · ${cellText(y, mean)}${of}` })
    }
    ctx.stroke()
    ctx.setLineDash([])
    if (by !== null) drawKey(ctx, size, area, n, textOf(curve), color, theme)
  })
  for (const [k, point] of points.entries()) {
    ctx.fillStyle = theme.text
    if (points.length > 200 && k % Math.ceil(points.length / 200) !== 0) continue
    ctx.beginPath()
    ctx.arc(point.x, point.y, 2, 0, 7)
    ctx.fill()
  }
  return { at: (px, py) => nearest(points, px, py) }
}

/** @param measure its means colour the cells */
export function drawHeatMap(ctx: Context, size: Size, { x, y, by: measure, chosen }: ChartChoice & { readonly by: ResultColumn }, theme: ChartTheme): Chart {
  const map = heatMap(x, y, measure, chosen)
  const side = (labels: readonly (number | string)[], column: ResultColumn): Scale => (
    { low: -0.5, high: labels.length - 0.5, categories: labels, title: titleOf(column) })
  const [xs, ys] = [side(map.x.labels, x), side(map.y.labels, y)]
  const area = areaWithin(ctx, size.width, size.height, ys, LEGEND)
  const cells = new Map(map.cells.map(cell => [cell.y * map.x.labels.length + cell.x, cell]))
  const edge = (at: number, scale: Scale, along: typeof across) => Math.round(along(area, scale, at))
  for (const cell of map.cells) {
    const [left, right] = [edge(cell.x - 0.5, xs, across), edge(cell.x + 0.5, xs, across)]
    const [top, bottom] = [edge(cell.y + 0.5, ys, down), edge(cell.y - 0.5, ys, down)]
    ctx.fillStyle = Number.isNaN(cell.mean) ? theme.line : scaleColor(shareOf(cell.mean, map.low, map.high))
    ctx.fillRect(left, top, right - left, bottom - top)
  }
  drawAxes(ctx, area, xs, ys, theme, false)
  if (map.low <= map.high) drawColorScale(ctx, size, area, { low: map.low, high: map.high, categories: null, title: titleOf(measure) }, measure, theme)
  return {
    at: (px, py) => {
      const column = Math.floor((px - area.left) / area.width * map.x.labels.length)
      const row = Math.floor((area.top + area.height - py) / area.height * map.y.labels.length)
      const inside = column >= 0 && column < map.x.labels.length && row >= 0 && row < map.y.labels.length
      const cell = inside ? cells.get(row * map.x.labels.length + column) : undefined
      if (!cell) return null
      const of = cell.results.length === 1 ? '' : ` · mean of ${cell.results.length}`
      return { results: cell.results, text: `${cellText(x, map.x.labels[column])} · ${cellText(y, map.y.labels[row])} · ${cellText(measure, cell.mean)}${of}` }
    },
  }
}

/** Width of a legend's texts, px, at most a third of the picture. */
function legendWidth(ctx: Context, { width }: Size, values: readonly (number | string)[]): number {
  return Math.min(width / 3, KEY + 10 + Math.max(...values.map(value => ctx.measureText(textOf(value)).width), 0))
}

/** One line of a legend on the right. */
function drawKey(ctx: Context, { width }: Size, area: Area, n: number, text: string, color: string, theme: ChartTheme): void {
  const [left, y] = [area.left + area.width + 8, area.top + n * (LETTER + 5) + LETTER / 2]
  ctx.fillStyle = color
  ctx.fillRect(left, y - 1.5, 12, 3)
  ctx.fillStyle = theme.text
  ctx.textAlign = 'left'
  ctx.fillText(shorter(ctx, text, width - left - KEY + 4), left + KEY - 6, y)
}

function drawColorScale(ctx: Context, { width }: Size, area: Area, scale: Scale, column: ResultColumn, theme: ChartTheme): void {
  const [left, bar] = [area.left + area.width + 10, 12]
  for (let k = 0; k < area.height; k++) {
    ctx.fillStyle = scaleColor(1 - k / area.height)
    ctx.fillRect(left, area.top + k, bar, 1.5)
  }
  ctx.fillStyle = theme.muted
  ctx.textAlign = 'left'
  for (const share of [0, 0.5, 1]) {
    const value = scale.low + share * (scale.high - scale.low)
    const text = formatNumber(Math.abs(value) < 1e-9 * (scale.high - scale.low) ? 0 : value, 3) // rounding errors are shown as 0
    ctx.fillText(shorter(ctx, text, width - left - bar - 6), left + bar + 4, area.top + area.height * (1 - share))
  }
  ctx.textAlign = 'right'
  ctx.fillStyle = theme.text
  ctx.fillText(shorter(ctx, titleOf(column), area.width / 2), width - 4, LETTER / 2 + 2)
}

function groupsBy(x: ResultColumn, chosen: readonly number[]): readonly (readonly [number | string, readonly number[]])[] {
  const groups = new Map<number | string, number[]>()
  for (const k of chosen) {
    const value = x.cells[k]
    if (value === null || value === undefined) continue
    const there = groups.get(value)
    if (there) there.push(k)
    else groups.set(value, [k])
  }
  return x.numeric ? [...groups].sort(([a], [b]) => Number(a) - Number(b)) : [...groups]
}

function nearest(points: readonly Point[], x: number, y: number): Point | null {
  let [found, least]: [Point | null, number] = [null, REACH * REACH]
  for (const point of points) {
    const distance = (point.x - x) * (point.x - x) + (point.y - y) * (point.y - y)
    if (distance >= least) continue
    least = distance
    found = point
  }
  return found
}

const textOf = (cell: number | string | null) => typeof cell === 'number' ? formatNumber(cell, 4) : cell ?? ''

function cellText({ name, unit }: ResultColumn, cell: number | string | null | undefined): string {
  const value = cell === null || cell === undefined || Number.isNaN(cell) ? 'no value' : textOf(cell)
  return `${name} = ${value}${unit === '' || value === 'no value' ? '' : ` ${unit}`}`
}

function shorter(ctx: Context, text: string, room: number): string {
  if (ctx.measureText(text).width <= room) return text
  let length = text.length
  while (length > 1 && ctx.measureText(`${text.slice(0, length)}…`).width > room) length--
  return `${text.slice(0, length)}…`
}
