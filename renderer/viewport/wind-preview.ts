/** The course of a rope that is about to be wound round a body. It takes no presses: clicks select, or answer a pick. */

import { useWind } from '../state/wind'
import { toPixel, type Projection } from './camera/projection'
import type { Context } from './overlay/drawing'
import type { PointerTool } from './pointer-tool'
import type { ViewportTheme } from './theme'

export class WindPreview implements PointerTool {
  readonly letsSelect = true
  readonly keepsDirection = false
  private readonly wind = useWind()

  get active(): boolean {
    return this.wind.active
  }

  hover(): null { return null }
  press(): boolean { return false }
  move(): void {}
  release(): void {}
  leave(): void {}
  cancel(): void {}

  draw(ctx: Context, view: Projection, theme: ViewportTheme): void {
    const points = this.wind.wound?.points ?? []
    ctx.strokeStyle = ctx.fillStyle = theme.css.accent
    ctx.lineWidth = 2.5
    ctx.lineJoin = 'round'
    ctx.beginPath()
    let isDrawing = false
    for (const point of points) {
      const pixel = toPixel(view, point)
      if (pixel && isDrawing) ctx.lineTo(pixel[0], pixel[1])
      else if (pixel) ctx.moveTo(pixel[0], pixel[1])
      isDrawing = pixel !== null
    }
    ctx.stroke()
    // Its first end has a dot: the fields name the ends by their order.
    const first = points[0] && toPixel(view, points[0])
    if (!first) return
    ctx.beginPath()
    ctx.arc(first[0], first[1], 4, 0, 2 * Math.PI)
    ctx.fill()
  }
}
