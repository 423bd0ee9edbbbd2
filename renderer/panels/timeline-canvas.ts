/** The canvas of the time axis, and a copy of it without the playhead: a scrub copies that instead of drawing the axis again. */

import type { Axis, TimelineData } from './timeline-axis'
import { drawPlayhead, drawTimeline } from './timeline-drawing'

export class TimelineCanvas {
  private readonly still = document.createElement('canvas')
  private isStale = true
  private accent = ''

  /** What is drawn has changed, apart from the time. */
  forget(): void {
    this.isStale = true
  }

  /** @param size CSS pixels @param data read only where the axis is drawn again */
  draw(element: HTMLCanvasElement, size: { readonly width: number; readonly height: number }, time: number, axis: Axis, data: () => TimelineData): void {
    const { width, height } = size
    const [context, still] = [element.getContext('2d'), this.still.getContext('2d')]
    if (!context || !still) return
    const ratio = window.devicePixelRatio || 1
    const pixels = { width: Math.round(width * ratio), height: Math.round(height * ratio) }
    if (element.width !== pixels.width || element.height !== pixels.height) {
      for (const one of [element, this.still]) Object.assign(one, pixels)
      this.isStale = true
    }
    for (const one of [context, still]) one.setTransform(ratio, 0, 0, ratio, 0, 0)
    if (this.isStale) this.drawStill(element, still, data())
    context.clearRect(0, 0, width, height)
    context.drawImage(this.still, 0, 0, pixels.width / ratio, pixels.height / ratio)
    drawPlayhead(context, axis, height, time, this.accent)
  }

  private drawStill(element: HTMLCanvasElement, context: CanvasRenderingContext2D, data: TimelineData): void {
    const style = getComputedStyle(element)
    const get = (name: string) => style.getPropertyValue(name).trim()
    drawTimeline(context, data, { get, font: style.fontFamily })
    this.accent = get('--accent')
    this.isStale = false
  }
}
