/** Lanes of the timeline: marks of events by kind, and the output of scripts. */

import type { EventKind } from '../../core/vocabulary'
import type { TrajectoryEvent } from '../../core/trajectory/frame'
import { LANES, type Lane } from '../state/events'
import { AXIS_HEIGHT, LABEL_WIDTH, stripHeight, toX, type Axis, type Palette, type TimelineData } from './timeline-axis'

/** CSS pixels: font size, smallest legible size, and lane height at which labels do not overlap. */
const LETTERS = 11
const MIN_LETTERS = 8
const MIN_LANE = 12

export function drawLabel(context: CanvasRenderingContext2D, text: string, y: number, colors: Palette) {
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
  const list = share(LANES.length) >= MIN_LANE ? LANES : [TOGETHER]
  const tall = Math.max(4, Math.min(18, share(list.length)))
  return { list, tall, top: lane => first + lane * tall }
}

export function drawLanes(context: CanvasRenderingContext2D, data: TimelineData, colors: Palette) {
  const { list, tall, top } = lanesOf(data.height, data.scripts.length > 0)
  const laneOf = new Map(list.flatMap((lane, i) => lane.kinds.map(kind => [kind, i] as const)))
  context.strokeStyle = colors.get('--line')
  context.font = `${Math.min(LETTERS, tall)}px ${colors.font}`
  list.forEach((lane, i) => {
    const y = top(i)
    if (tall >= MIN_LETTERS) drawLabel(context, lane.label, y + tall / 2, colors)
    context.beginPath()
    const foot = Math.round(y + tall) - 0.5
    context.moveTo(LABEL_WIDTH, foot)
    context.lineTo(data.axis.width, foot)
    context.stroke()
  })
  for (const { kind, x } of marksOf(data.events, data.axis)) {
    const lane = laneOf.get(kind)
    if (lane === undefined) continue
    context.fillStyle = colors.get(COLOR_OF.get(kind)!)
    mark(context, kind, x, top(lane) + tall / 2 - 0.5)
  }
  if (data.hover) {
    const lane = laneOf.get(data.hover.kind) ?? 0
    context.strokeStyle = colors.get('--text')
    context.strokeRect(Math.round(toX(data.axis, data.hover.time)) - 4.5, top(lane) + 0.5, 9, tall - 2)
  }
}

interface EventMark {
  readonly kind: EventKind
  /** CSS pixels. */
  readonly x: number
}
/** The marks of a list of events on the axis for which they were found last: only the playhead differs between most redraws. */
const marks = new WeakMap<readonly TrajectoryEvent[], { readonly axis: Axis; readonly list: readonly EventMark[] }>()

/** One mark for each kind and pixel: a thousand events in a pixel are drawn once. */
export function marksOf(events: readonly TrajectoryEvent[], axis: Axis): readonly EventMark[] {
  const known = marks.get(events)
  if (known && known.axis.width === axis.width && known.axis.view.from === axis.view.from && known.axis.view.to === axis.view.to) return known.list
  const spots = new Set<string>()
  const list = events.flatMap(({ kind, time }): EventMark[] => {
    const x = Math.round(toX(axis, time))
    const spot = `${kind}:${x}`
    if (x < LABEL_WIDTH || x > axis.width || spots.has(spot)) return []
    spots.add(spot)
    return [{ kind, x }]
  })
  marks.set(events, { axis, list })
  return list
}

/** Curves of script plots, each over its own range, and a tick for each log line. */
export function drawScripts(context: CanvasRenderingContext2D, { axis, height, scripts }: TimelineData, colors: Palette) {
  const { list, tall, top: topOf } = lanesOf(height, true)
  const top = topOf(list.length)
  drawLabel(context, 'Scripts', top + tall / 2, colors)
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
    case 'indeterminate':
      // A fork: the playhead would cover a bar, as at t = 0.
      context.moveTo(x - 5, y - 5)
      context.lineTo(x, y)
      context.lineTo(x + 5, y - 5)
      context.moveTo(x, y)
      context.lineTo(x, y + 5)
      context.lineWidth = 2
      context.strokeStyle = context.fillStyle
      context.stroke()
      context.lineWidth = 1
      return
    default:
      context.rect(x - 1, y - 4, 2, 8)
  }
  context.fill()
}
