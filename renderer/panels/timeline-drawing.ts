/** Draws the time axis: pure functions of data and a canvas context, so that a redraw is one call. */

import type { ScriptFrame, TrajectoryEvent } from '../../core/trajectory/frame'
import type { EventKind } from '../../core/vocabulary'
import { LANES, type Lane } from '../state/events'

export const LABEL_WIDTH = 84
export const AXIS_HEIGHT = 22
/** The strip is hidden if the lanes would not have enough room. */
export const stripHeight = (height: number) => height < 130 ? 0 : 22
/** CSS pixels: font size, smallest legible size, and lane height at which labels do not overlap. */
const LETTERS = 11
const LEAST_LETTERS = 8
const LEAST_LANE = 12

export interface Range { readonly from: number; readonly to: number }

/** Maps time to pixels of the axis. */
export interface Axis {
  /** Width of the whole canvas, CSS pixels. */
  readonly width: number
  readonly view: Range
}

export const toX = (axis: Axis, time: number) =>
  LABEL_WIDTH + (time - axis.view.from) / (axis.view.to - axis.view.from) * (axis.width - LABEL_WIDTH - 10)

export const toTime = (axis: Axis, x: number) =>
  axis.view.from + (x - LABEL_WIDTH) / (axis.width - LABEL_WIDTH - 10) * (axis.view.to - axis.view.from)

/** The smallest 1, 2 or 5 times a power of ten that is at least `least`. */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const ratio = least / power
  return (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10) * power
}

export interface TimelineData {
  readonly axis: Axis
  readonly height: number
  readonly time: number
  /** s: time of the run's first frame. */
  readonly from: number
  readonly duration: number
  /** s computed so far. */
  readonly available: number
  readonly stale: boolean
  readonly running: boolean
  /** Ranges in memory, s. */
  readonly cached: readonly Range[]
  readonly events: readonly TrajectoryEvent[]
  readonly loop: Range | null
  /** Number of contacts and penetration over time, for the strip. */
  readonly density: { readonly time: ArrayLike<number>; readonly contacts: ArrayLike<number>; readonly penetration: ArrayLike<number> } | null
  readonly hover: TrajectoryEvent | null
  /** Output of scripts in order of time; shown in a separate lane if there is any. */
  readonly scripts: readonly ScriptFrame[]
}

export interface Palette { readonly get: (name: string) => string; readonly font: string }

export function drawTimeline(context: CanvasRenderingContext2D, data: TimelineData, colors: Palette): void {
  const { axis, height } = data
  context.clearRect(0, 0, axis.width, height)
  context.font = `11px ${colors.font}`
  context.textBaseline = 'middle'
  drawRanges(context, data, colors)
  drawTicks(context, data, colors)
  if (stripHeight(height) > 0) drawDensity(context, data, colors)
  drawLanes(context, data, colors)
  if (data.scripts.length > 0) drawScripts(context, data, colors)
  drawCursor(context, data, colors)
}

function drawRanges(context: CanvasRenderingContext2D, data: TimelineData, colors: Palette) {
  const { axis } = data
  const bar = (from: number, to: number, y: number, h: number, color: string) => {
    const x0 = Math.max(LABEL_WIDTH, toX(axis, from))
    const x1 = Math.min(axis.width, toX(axis, to))
    if (x1 <= x0) return
    context.fillStyle = color
    context.fillRect(x0, y, x1 - x0, h)
  }
  bar(data.from, data.duration, AXIS_HEIGHT - 5, 5, colors.get('--line'))
  bar(data.from, data.available, AXIS_HEIGHT - 5, 5, colors.get(data.stale ? '--line-strong' : '--muted'))
  if (!data.stale) for (const range of data.cached) bar(range.from, range.to, AXIS_HEIGHT - 5, 5, colors.get('--good'))
  if (data.running) bar(data.available, Math.min(data.duration, data.available + data.duration * 0.01), AXIS_HEIGHT - 5, 5, colors.get('--accent'))
  if (data.stale) hatch(context, Math.max(LABEL_WIDTH, toX(axis, data.from)), Math.min(axis.width, toX(axis, data.available)), AXIS_HEIGHT, data.height, colors.get('--warning'))
  if (data.loop) {
    context.globalAlpha = 0.16
    bar(data.loop.from, data.loop.to, 0, data.height, colors.get('--accent'))
    context.globalAlpha = 1
  }
}

function hatch(context: CanvasRenderingContext2D, x0: number, x1: number, y0: number, y1: number, color: string) {
  if (x1 <= x0) return
  context.save()
  context.beginPath()
  context.rect(x0, y0, x1 - x0, y1 - y0)
  context.clip()
  context.globalAlpha = 0.22
  context.strokeStyle = color
  context.lineWidth = 1
  context.beginPath()
  for (let x = x0 - (y1 - y0); x < x1; x += 9) {
    context.moveTo(x, y1)
    context.lineTo(x + (y1 - y0), y0)
  }
  context.stroke()
  context.restore()
}

function drawTicks(context: CanvasRenderingContext2D, { axis }: TimelineData, colors: Palette) {
  const span = axis.view.to - axis.view.from
  const step = niceStep(span / Math.max(2, (axis.width - LABEL_WIDTH) / 78))
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9))
  context.fillStyle = colors.get('--muted')
  context.strokeStyle = colors.get('--line-strong')
  context.textAlign = 'center'
  for (let i = Math.ceil(axis.view.from / step - 1e-9); i * step <= axis.view.to + 1e-9; i++) {
    const x = Math.round(toX(axis, i * step)) + 0.5
    context.beginPath()
    context.moveTo(x, AXIS_HEIGHT - 7)
    context.lineTo(x, AXIS_HEIGHT)
    context.stroke()
    const text = `${(i * step).toFixed(decimals)}${i === 0 ? ' s' : ''}`
    context.fillText(text, Math.max(LABEL_WIDTH + 8, Math.min(axis.width - 2 - context.measureText(text).width / 2, x)), 7)
  }
}

/** For each pixel column the largest value in it, so that no peak is lost; a value holds until the next one. */
export function columnPeaks(axis: Axis, time: ArrayLike<number>, values: ArrayLike<number>): Float64Array {
  const peaks = new Float64Array(Math.max(1, Math.ceil(axis.width)))
  for (let i = 0; i < time.length; i++) {
    const from = Math.round(toX(axis, time[i]!))
    const to = i + 1 < time.length ? Math.max(from + 1, Math.round(toX(axis, time[i + 1]!))) : from + 1
    for (let x = Math.max(LABEL_WIDTH, from); x < Math.min(peaks.length, to); x++) peaks[x] = Math.max(peaks[x]!, values[i]!)
  }
  return peaks
}

function drawDensity(context: CanvasRenderingContext2D, data: TimelineData, colors: Palette) {
  const top = AXIS_HEIGHT + 2
  label(context, 'Contacts', top + stripHeight(data.height) / 2, colors)
  if (!data.density || data.density.time.length === 0) return
  const tall = stripHeight(data.height)
  strip(context, columnPeaks(data.axis, data.density.time, data.density.contacts), top, tall, colors.get('--sticking'), 0.6, 1)
  strip(context, columnPeaks(data.axis, data.density.time, data.density.penetration), top, tall, colors.get('--danger'), 0.9, 1e-9)
}

/** Bars from the bottom of the strip; `floor` keeps rounding errors from filling it. */
function strip(context: CanvasRenderingContext2D, peaks: Float64Array, top: number, tall: number, color: string, alpha: number, floor: number) {
  let largest = floor
  for (const peak of peaks) if (peak > largest) largest = peak
  context.fillStyle = color
  context.globalAlpha = alpha
  for (let x = LABEL_WIDTH; x < peaks.length; x++) {
    const h = Math.round((tall - 2) * peaks[x]! / largest)
    if (h > 0) context.fillRect(x, top + tall - h, 1, h)
  }
  context.globalAlpha = 1
}

function label(context: CanvasRenderingContext2D, text: string, y: number, colors: Palette) {
  context.fillStyle = colors.get('--muted')
  context.textAlign = 'left'
  context.fillText(text, 6, y)
}

/** One lane with all events, if there is no room for several. */
const TOGETHER: Lane = { label: 'Events', kinds: LANES.flatMap(({ kinds }) => kinds), color: '' }
const COLOR_OF = new Map(LANES.flatMap(({ kinds, color }) => kinds.map(kind => [kind, color] as const)))

/** The lanes that fit into a height, from the top, and the height of each; the script lane, if any, is below them. CSS pixels. */
export interface Lanes {
  readonly list: readonly Lane[]
  readonly tall: number
  readonly top: (lane: number) => number
}

export function lanesOf(height: number, scripts: boolean): Lanes {
  const first = AXIS_HEIGHT + stripHeight(height) + 4
  const share = (lanes: number) => (height - first - 2) / (lanes + (scripts ? 1 : 0))
  const list = share(LANES.length) >= LEAST_LANE ? LANES : [TOGETHER]
  const tall = Math.max(4, Math.min(18, share(list.length)))
  return { list, tall, top: lane => first + lane * tall }
}

function drawLanes(context: CanvasRenderingContext2D, data: TimelineData, colors: Palette) {
  const { list, tall, top } = lanesOf(data.height, data.scripts.length > 0)
  const laneOf = new Map(list.flatMap((lane, i) => lane.kinds.map(kind => [kind, i] as const)))
  context.strokeStyle = colors.get('--line')
  context.font = `${Math.min(LETTERS, tall)}px ${colors.font}`
  list.forEach((lane, i) => {
    const y = top(i)
    if (tall >= LEAST_LETTERS) label(context, lane.label, y + tall / 2, colors)
    context.beginPath()
    const foot = Math.round(y + tall) - 0.5
    context.moveTo(LABEL_WIDTH, foot)
    context.lineTo(data.axis.width, foot)
    context.stroke()
  })
  let drawn = ''
  for (const event of data.events) {
    const lane = laneOf.get(event.kind)
    if (lane === undefined) continue
    const x = Math.round(toX(data.axis, event.time))
    // A thousand events in one pixel are drawn as one mark.
    const spot = `${COLOR_OF.get(event.kind)!}:${x}`
    if (x < LABEL_WIDTH || x > data.axis.width || spot === drawn) continue
    drawn = spot
    context.fillStyle = colors.get(COLOR_OF.get(event.kind)!)
    mark(context, event.kind, x, top(lane) + tall / 2 - 0.5)
  }
  if (data.hover) {
    const lane = laneOf.get(data.hover.kind) ?? 0
    context.strokeStyle = colors.get('--text')
    context.strokeRect(Math.round(toX(data.axis, data.hover.time)) - 4.5, top(lane) + 0.5, 9, tall - 2)
  }
}

/** Curves of script plots, each over its own range, and a tick for each log line. */
function drawScripts(context: CanvasRenderingContext2D, { axis, height, scripts }: TimelineData, colors: Palette) {
  const { list, tall, top: topOf } = lanesOf(height, true)
  const top = topOf(list.length)
  label(context, 'Scripts', top + tall / 2, colors)
  const names = [...new Set(scripts.flatMap(frame => frame.names))].slice(0, SCRIPT_COLORS.length)
  names.forEach((name, k) => {
    const points = scripts.flatMap(frame => {
      const at = frame.names.lastIndexOf(name)
      return at < 0 ? [] : [[frame.time, frame.values[at]!] as const]
    })
    const values = points.map(([, value]) => value)
    const [low, high] = [values.reduce((a, b) => Math.min(a, b), Infinity), values.reduce((a, b) => Math.max(a, b), -Infinity)]
    context.strokeStyle = colors.get(SCRIPT_COLORS[k]!)
    context.beginPath()
    points.forEach(([time, value], i) => {
      const y = top + tall - 2 - (high > low ? (value - low) / (high - low) : 0.5) * (tall - 4)
      if (i === 0) context.moveTo(Math.max(LABEL_WIDTH, toX(axis, time)), y)
      else context.lineTo(Math.max(LABEL_WIDTH, toX(axis, time)), y)
    })
    context.stroke()
  })
  context.fillStyle = colors.get('--text')
  let last = -1
  for (const { time, logs } of scripts) {
    const x = Math.round(toX(axis, time))
    if (logs.length === 0 || x < LABEL_WIDTH || x === last) continue
    last = x
    context.fillRect(x, top + 1, 1.5, tall - 3)
  }
}

const SCRIPT_COLORS = ['--sticking', '--sliding', '--rolling', '--impact'] as const

/** Marks differ in shape as well as in colour. */
function mark(context: CanvasRenderingContext2D, kind: EventKind, x: number, y: number) {
  context.beginPath()
  switch (kind) {
    case 'release':
    case 'slip':
      context.arc(x, y, 3, 0, 2 * Math.PI)
      context.lineWidth = 1.5
      context.strokeStyle = context.fillStyle
      context.stroke()
      context.lineWidth = 1
      return
    case 'newContact':
    case 'stick':
      context.arc(x, y, 3, 0, 2 * Math.PI)
      break
    case 'impact':
    case 'stopped':
      context.moveTo(x, y - 5)
      context.lineTo(x + 4, y)
      context.lineTo(x, y + 5)
      context.lineTo(x - 4, y)
      break
    default:
      context.rect(x - 1, y - 4, 2, 8)
  }
  context.fill()
}

function drawCursor(context: CanvasRenderingContext2D, data: TimelineData, colors: Palette) {
  const x = Math.round(toX(data.axis, data.time)) + 0.5
  if (x < LABEL_WIDTH - 1 || x > data.axis.width) return
  context.strokeStyle = colors.get('--accent')
  context.fillStyle = colors.get('--accent')
  context.lineWidth = 1.5
  context.beginPath()
  context.moveTo(x, 2)
  context.lineTo(x, data.height)
  context.stroke()
  context.lineWidth = 1
  context.beginPath()
  context.moveTo(x - 5, 0)
  context.lineTo(x + 5, 0)
  context.lineTo(x, 8)
  context.fill()
}
