import { frameAt } from './data.js'

const COLORS = ['#56b4e9', '#e69f00', '#009e73', '#cc79a7']

/** Curves over time with a mark at the present instant; a click selects an instant. */
export class Chart {
  constructor(run, title, curves, onSeek) {
    Object.assign(this, { run, curves })
    this.canvas = document.createElement('canvas')
    this.canvas.className = 'chart'
    this.canvas.setAttribute('role', 'img')
    this.canvas.setAttribute('aria-label', `${title}: ${curves.map(curve => curve.label).join(', ')}`)
    this.legend = document.createElement('div')
    this.legend.className = 'legend'
    const values = curves.flatMap(curve => [...curve.values]).filter(Number.isFinite)
    const [low, high] = [values.reduce((m, x) => Math.min(m, x), Infinity), values.reduce((m, x) => Math.max(m, x), -Infinity)]
    const room = (high - low) * 0.06 || Math.abs(high) * 0.5 || 1
    Object.assign(this, { low: low - room, high: high + room })
    const seek = event => { if (event.buttons === 1) onSeek(this.timeAt(event.offsetX)) }
    this.canvas.addEventListener('pointerdown', seek)
    this.canvas.addEventListener('pointermove', seek)
  }

  get ends() { return [this.run.time[0], this.run.time.at(-1)] }

  timeAt(x) {
    const [from, to] = this.ends
    return from + (to - from) * Math.min(1, Math.max(0, (x - 46) / (this.canvas.clientWidth - 54)))
  }

  draw(time) {
    const { canvas, run, curves, low, high } = this
    const [width, height] = [canvas.clientWidth, canvas.clientHeight]
    if (width === 0) return
    Object.assign(canvas, { width: Math.round(width * devicePixelRatio), height: Math.round(height * devicePixelRatio) })
    const ctx = canvas.getContext('2d')
    ctx.scale(devicePixelRatio, devicePixelRatio)
    const style = getComputedStyle(document.documentElement)
    const [from, to] = this.ends
    const x = t => 46 + (width - 54) * (t - from) / Math.max(1e-12, to - from)
    const y = value => 6 + (height - 24) * (high - value) / (high - low)
    ctx.font = '11px system-ui, sans-serif'
    ctx.fillStyle = style.getPropertyValue('--muted')
    ctx.strokeStyle = style.getPropertyValue('--line')
    ctx.textBaseline = 'middle'
    for (const part of [0, 0.5, 1]) {
      const value = low + part * (high - low)
      ctx.textAlign = 'right'
      ctx.fillText(short(value), 42, y(value))
      line(ctx, [[46, y(value)], [width - 8, y(value)]])
      ctx.textAlign = part === 0 ? 'left' : part === 1 ? 'right' : 'center'
      ctx.fillText(`${short(from + part * (to - from))} s`, x(from + part * (to - from)), height - 8)
    }
    curves.forEach(({ values }, k) => {
      ctx.strokeStyle = COLORS[k]
      ctx.lineWidth = 1.5
      line(ctx, Array.from(run.time, (t, i) => [x(t), y(values[i])]))
    })
    ctx.strokeStyle = style.getPropertyValue('--accent')
    line(ctx, [[x(time), 6], [x(time), height - 18]])
    const frame = frameAt(run, time)
    this.legend.replaceChildren(...curves.map(({ label, values, unit }, k) => {
      const entry = document.createElement('span')
      const swatch = document.createElement('span')
      swatch.className = 'swatch'
      swatch.style.background = COLORS[k]
      entry.append(swatch, `${label} ${short(values[frame])} ${unit}`)
      return entry
    }))
  }
}

function line(ctx, points) {
  ctx.beginPath()
  points.forEach(([x, y], k) => { if (k === 0) ctx.moveTo(x, y); else ctx.lineTo(x, y) })
  ctx.stroke()
}

/** Four significant digits, for display. */
/** As `short`, for lengths: rounding errors beside a metre are ≈ 0. */
export function accurate(value) {
  return value !== 0 && Math.abs(value) < 1e-14 ? '≈ 0' : short(value)
}

export function short(value) {
  if (!Number.isFinite(value)) return '–'
  if (value === 0) return '0'
  const size = Math.abs(value)
  return (size >= 1e5 || size < 1e-3 ? value.toExponential(2) : String(Number(value.toPrecision(4)))).replace('-', '−')
}
