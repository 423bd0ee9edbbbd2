/** A measured line with its value, drawn over everything. */

import type { Measurement } from '../../state/measurements'
import { toPixel, type Projection } from '../camera/projection'
import type { ViewportTheme } from '../theme'
import { drawPlate, type Context } from './drawing'

export function drawMeasurement(ctx: Context, { path, value }: Measurement, view: Projection, theme: ViewportTheme): void {
  const pixels = path.flatMap(point => {
    const pixel = toPixel(view, point)
    return pixel ? [pixel] : []
  })
  if (pixels.length !== path.length) return
  ctx.strokeStyle = theme.css.accent
  ctx.fillStyle = theme.css.accent
  ctx.lineWidth = 1.75
  ctx.beginPath()
  pixels.forEach(([x, y], i) => i === 0 ? ctx.moveTo(x, y) : ctx.lineTo(x, y))
  ctx.stroke()
  for (const [x, y] of pixels) {
    ctx.beginPath()
    ctx.arc(x, y, 3, 0, 2 * Math.PI)
    ctx.fill()
  }
  // An angle's value is at its vertex, a distance's beside its middle.
  const at = pixels.length === 3 ? pixels[1]! : [(pixels[0]![0] + pixels[1]![0]) / 2, (pixels[0]![1] + pixels[1]![1]) / 2]
  drawPlate(ctx, value, at[0]! + 12, at[1]! - 12, theme, { strong: true })
}
