import { describe, expect, it } from 'vitest'
import { EVENT_KINDS } from '../../../../core/vocabulary'
import { LABEL_WIDTH, niceStep, playheadX, toTime, toX } from '../../../../renderer/panels/timeline-axis'
import { columnPeaks, drawPlayhead, drawTimeline } from '../../../../renderer/panels/timeline-drawing'
import type { TrajectoryEvent } from '../../../../core/trajectory/frame'
import { marksOf } from '../../../../renderer/panels/timeline-lanes'
import { LANES } from '../../../../renderer/state/events'

const axis = { width: 500, view: { from: 1, to: 3 } }

describe('the time axis', () => {
  it('maps pixels to times and back', () => {
    for (const time of [1, 1.7, 3]) expect(toTime(axis, toX(axis, time))).toBeCloseTo(time, 12)
    expect(toX(axis, 1)).toBe(LABEL_WIDTH)
  })

  it('is divided by 1, 2 or 5 times a power of ten', () => {
    expect(niceStep(0.03)).toBeCloseTo(0.05, 12)
    expect(niceStep(0.2)).toBeCloseTo(0.2, 12)
    expect(niceStep(7)).toBe(10)
    expect(niceStep(1.1)).toBe(2)
  })

  it('keeps every peak when many values fall on one pixel', () => {
    const time = Float64Array.from({ length: 20_000 }, (_, i) => 1 + i / 10_000)
    const values = new Float64Array(20_000)
    values[12_345] = 9
    const peaks = columnPeaks(axis, time, values)
    expect(Math.max(...peaks)).toBe(9)
    expect(peaks[Math.round(toX(axis, time[12_345]!))]).toBe(9)
  })

  it('holds a value until the next one if there are more pixels than values', () => {
    const peaks = columnPeaks(axis, [1, 2, 3], [4, 4, 4])
    expect(peaks.slice(LABEL_WIDTH, Math.round(toX(axis, 3))).every(peak => peak === 4)).toBe(true)
  })

  it('draws many events of one pixel as one mark, and finds them again for another axis', () => {
    const events = [1.5, 1.5001, 2].flatMap(time => ['impact', 'newContact'].map(kind => ({ kind, time }) as TrajectoryEvent))
    const at = (time: number, on = axis) => Math.round(toX(on, time))
    expect(marksOf(events, axis)).toEqual([1.5, 2].flatMap(time => ['impact', 'newContact'].map(kind => ({ kind, x: at(time) }))))
    expect(marksOf(events, { ...axis })).toBe(marksOf(events, axis))
    const near = { width: 500, view: { from: 1.4, to: 1.6 } }
    expect(marksOf(events, near)).toEqual(['impact', 'newContact'].map(kind => ({ kind, x: at(1.5, near) })))
  })

  it('has a lane for every kind of event', () => {
    expect(new Set(LANES.flatMap(lane => lane.kinds))).toEqual(new Set(EVENT_KINDS))
  })

  it('has the playhead on whole pixels, and none for times outside', () => {
    expect(playheadX(axis, 1)).toBe(LABEL_WIDTH)
    expect(playheadX(axis, 2.0001)).toBe(Math.round(toX(axis, 2)))
    expect([0.9, 3.2].map(time => playheadX(axis, time))).toEqual([null, null])
  })

  it('draws the playhead below the labels of times, which stay legible at t = 0', () => {
    const lines: number[] = []
    const labels: { text: string, y: number }[] = []
    const context = new Proxy({}, { get: (_, name) => {
      if (name === 'measureText') return (text: string) => ({ width: 6 * text.length })
      if (name === 'fillText') return (text: string, _x: number, y: number) => labels.push({ text, y })
      return (_x: number, y: number) => { if (name === 'moveTo' || name === 'lineTo') lines.push(y) }
    }, set: () => true }) as unknown as CanvasRenderingContext2D
    const atStart = { width: 500, view: { from: 0, to: 2 } }
    drawTimeline(context, {
      axis: atStart, height: 120, from: 0, duration: 2, available: 2, stale: false, running: false, cached: [], events: [], loop: null,
      density: null, hover: null, scripts: [],
    }, { get: name => name, font: 'sans-serif' })
    lines.length = 0
    drawPlayhead(context, atStart, 120, 0, '--accent')
    // Letters of 11 px about the middle of the text.
    const foot = labels.find(({ text }) => text === '0.0 s')!.y + 11 / 2
    expect(Math.min(...lines)).toBeGreaterThan(foot)
  })
})
