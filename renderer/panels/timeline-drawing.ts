/** Draws the time axis, and the playhead apart from it: pure functions of data and a canvas context, so that a redraw is one call. */

import { AXIS_HEIGHT, LABEL_WIDTH, niceStep, playheadX, stripHeight, toX, type Axis, type Palette, type TimelineData } from './timeline-axis'
import { drawLabel, drawLanes, drawScripts } from './timeline-lanes'

/** px: height of the labels of times. */
const LABELS_HEIGHT = 13

/** All but the playhead. */
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
  drawLabel(context, 'Contacts', top + stripHeight(data.height) / 2, colors)
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

/** The playhead begins below the labels, so that it never covers one. */
export function drawPlayhead(context: CanvasRenderingContext2D, axis: Axis, height: number, time: number, color: string) {
  const place = playheadX(axis, time)
  if (place === null) return
  const x = place + 0.5
  context.strokeStyle = color
  context.fillStyle = color
  context.lineWidth = 1.5
  context.beginPath()
  context.moveTo(x, LABELS_HEIGHT)
  context.lineTo(x, height)
  context.stroke()
  context.lineWidth = 1
  context.beginPath()
  context.moveTo(x - 5, LABELS_HEIGHT)
  context.lineTo(x + 5, LABELS_HEIGHT)
  context.lineTo(x, LABELS_HEIGHT + 8)
  context.fill()
}
