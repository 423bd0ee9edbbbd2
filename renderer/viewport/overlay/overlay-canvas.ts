/** The transparent canvas over the picture. */

import { cssSizeOf } from '../css-size'

export class OverlayCanvas {
  readonly ctx: CanvasRenderingContext2D

  constructor(private readonly canvas: HTMLCanvasElement) {
    const ctx = canvas.getContext('2d')
    if (!ctx) throw new Error('This browser cannot create a 2D canvas.')
    this.ctx = ctx
  }

  /** Clears the canvas and sets its units to CSS pixels. */
  begin(): CanvasRenderingContext2D {
    const scale = Math.min(window.devicePixelRatio || 1, 2)
    const { canvas, ctx } = this
    const size = cssSizeOf(canvas)
    const width = Math.max(1, Math.round(size.width * scale))
    const height = Math.max(1, Math.round(size.height * scale))
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width
      canvas.height = height
    }
    ctx.setTransform(1, 0, 0, 1, 0, 0)
    ctx.clearRect(0, 0, width, height)
    ctx.setTransform(scale, 0, 0, scale, 0, 0)
    return ctx
  }
}
