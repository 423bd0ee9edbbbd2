/** Plots beside the picture: curves are drawn once, the current time over them in every frame. */

import { formatNumber } from '../fields/format'
import type { Series } from '../../main/protocol/runs'
import type { Context } from '../viewport/overlay/drawing'

export interface PlotTheme {
  readonly background: string
  readonly line: string
  readonly text: string
  readonly muted: string
  readonly font: string
  readonly colors: readonly string[]
}

export interface FilmPlot {
  readonly title: string
  readonly series: readonly Series[]
  /** Values on the horizontal axis, at the same times; null: time. */
  readonly against: Series | null
}

interface Area { readonly left: number; readonly top: number; readonly width: number; readonly height: number }

interface Axes extends Area {
  readonly from: number
  readonly to: number
  readonly low: number
  readonly high: number
}

/** Approximate number of grid lines per axis. */
const DIVISIONS = 4

export class PlotStrip {
  private readonly still: HTMLCanvasElement
  private readonly axes: readonly Axes[]
  private readonly unit: number

  /**
   * @param width pixels of the strip
   * @param range s, simulated: range of the time axes
   */
  constructor(private readonly plots: readonly FilmPlot[], width: number, height: number, range: readonly [number, number], private readonly theme: PlotTheme) {
    this.unit = Math.max(9, Math.round(Math.min(width / 32, height / (26 * plots.length)))) // font size
    this.still = document.createElement('canvas')
    this.still.width = width
    this.still.height = height
    const ctx = this.still.getContext('2d')
    if (!ctx) throw new Error('This browser cannot create a 2D canvas.')
    ctx.fillStyle = theme.background
    ctx.fillRect(0, 0, width, height)
    const each = height / plots.length
    this.axes = plots.map(({ series, against }, k) => {
      const [top, legend] = [k * each + 2.4 * this.unit, series.length * 1.5 * this.unit]
      const area = { left: 6 * this.unit, top, width: width - 7.5 * this.unit, height: each - 5 * this.unit - legend }
      const [from, to] = against ? spread([against], range) : range
      const [low, high] = spread(series, range)
      return { ...area, from, to, low, high }
    })
    this.axes.forEach((axes, k) => this.drawStill(ctx, axes, plots[k]!))
  }

  /** Draws the strip with its top left corner at x, 0. */
  draw(ctx: Context, x: number, time: number): void {
    ctx.drawImage(this.still, x, 0)
    this.axes.forEach((axes, k) => {
      const { series, against } = this.plots[k]!
      if (!against) {
        ctx.strokeStyle = this.theme.text
        ctx.lineWidth = Math.max(1, this.unit / 10)
        rule(ctx, x + across(axes, time), axes.top, x + across(axes, time), axes.top + axes.height)
      }
      series.forEach((one, n) => this.drawValue(ctx, axes, one, (against?.values ?? one.time), n, x, time))
    })
  }

  /** The value at the last frame not after the time, as a point on its curve and a number in the legend. */
  private drawValue(ctx: Context, axes: Axes, { time: times, values, unit, label }: Series, places: Float64Array, n: number, x: number, time: number): void {
    let index = -1
    while (index + 1 < times.length && times[index + 1]! <= time + 1e-9) index++
    const value = index < 0 ? NaN : values[index]!
    const color = this.theme.colors[n % this.theme.colors.length]!
    const y = axes.top + axes.height + (3 + 1.5 * n) * this.unit
    ctx.fillStyle = color
    if (Number.isFinite(value) && Number.isFinite(places[index]!)) {
      ctx.beginPath()
      ctx.arc(x + across(axes, places[index]!), down(axes, value), this.unit / 3, 0, 7)
      ctx.fill()
    }
    ctx.fillRect(x + axes.left, y - this.unit / 6, 1.5 * this.unit, this.unit / 3)
    const text = `${label}  ${Number.isFinite(value) ? formatNumber(value, 4) : '–'} ${unit}`
    write(ctx, text, x + axes.left + 2.2 * this.unit, y, 'left', this.theme.text, this.unit, this.theme.font)
  }

  private drawStill(ctx: CanvasRenderingContext2D, axes: Axes, { title, series, against }: FilmPlot): void {
    const { theme, unit } = this
    const heading = against ? `${title} against ${against.label}` : title
    write(ctx, heading, axes.left, axes.top - 1.2 * unit, 'left', theme.text, 1.15 * unit, theme.font, 600, axes.width + 1.5 * unit)
    ctx.lineWidth = 1
    ctx.strokeStyle = theme.line
    for (const value of ticks(axes.low, axes.high)) {
      rule(ctx, axes.left, down(axes, value), axes.left + axes.width, down(axes, value))
      write(ctx, formatNumber(value, 4), axes.left - unit / 2, down(axes, value), 'right', theme.muted, unit, theme.font)
    }
    for (const value of ticks(axes.from, axes.to)) {
      rule(ctx, across(axes, value), axes.top, across(axes, value), axes.top + axes.height)
      write(ctx, `${formatNumber(value, 4)} ${against ? against.unit : 's'}`, across(axes, value), axes.top + axes.height + unit, 'center', theme.muted, unit, theme.font)
    }
    ctx.save()
    ctx.beginPath()
    ctx.rect(axes.left, axes.top - 2, axes.width, axes.height + 4)
    ctx.clip()
    ctx.lineJoin = 'round'
    ctx.lineWidth = Math.max(1.25, unit / 7)
    series.forEach(({ time, values }, n) => {
      const places = against?.values ?? time
      ctx.strokeStyle = theme.colors[n % theme.colors.length]!
      ctx.beginPath()
      let drawing = false
      for (let k = 0; k < time.length; k++) {
        const there = Number.isFinite(values[k]!) && Number.isFinite(places[k]!)
        if (there && drawing) ctx.lineTo(across(axes, places[k]!), down(axes, values[k]!))
        else if (there) ctx.moveTo(across(axes, places[k]!), down(axes, values[k]!))
        drawing = there
      }
      ctx.stroke()
    })
    ctx.restore()
  }
}

const across = ({ left, width, from, to }: Axes, time: number) => left + width * (time - from) / Math.max(to - from, 1e-12)
const down = ({ top, height, low, high }: Axes, value: number) => top + height * (high - value) / (high - low)

function rule(ctx: Context, ax: number, ay: number, bx: number, by: number): void {
  ctx.beginPath()
  ctx.moveTo(ax, ay)
  ctx.lineTo(bx, by)
  ctx.stroke()
}

/** @param room px; a longer text is cut with … */
function write(
  ctx: Context, text: string, x: number, y: number, align: CanvasTextAlign, color: string, size: number, font: string, weight = 400, room = Infinity,
): void {
  ctx.font = `${weight} ${size}px ${font}`
  ctx.textAlign = align
  ctx.textBaseline = 'middle'
  ctx.fillStyle = color
  let shown = text
  for (let kept = text.length - 1; kept > 0 && ctx.measureText(shown).width > room; kept--) shown = `${text.slice(0, kept)}…`
  ctx.fillText(shown, x, y)
}

/** Range of the values of all series in a time range, with a margin; never empty. */
function spread(series: readonly Series[], [from, to]: readonly [number, number]): readonly [number, number] {
  let [low, high] = [Infinity, -Infinity]
  for (const { time, values } of series) {
    for (let k = 0; k < time.length; k++) {
      if (time[k]! < from || time[k]! > to || !Number.isFinite(values[k]!)) continue
      low = Math.min(low, values[k]!)
      high = Math.max(high, values[k]!)
    }
  }
  if (!(low <= high)) return [0, 1]
  const room = high > low ? 0.06 * (high - low) : Math.max(Math.abs(high), 1e-9) * 0.5
  return [low - room, high + room]
}

/** Round values between two ends, in steps of 1, 2 or 5 times a power of ten: at most about this many. */
export function ticks(low: number, high: number, most = DIVISIONS): number[] {
  const rough = (high - low) / most
  if (!(rough > 0)) return []
  const power = Number(`1e${Math.floor(Math.log10(rough))}`)
  const step = [1, 2, 5, 10].map(factor => factor * power).find(size => size >= rough * 0.999)!
  const found: number[] = []
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) found.push(k * step + 0) // + 0 turns −0 into 0
  return found
}
