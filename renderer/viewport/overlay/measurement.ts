/** A measurement over the picture: what was picked, the line between the nearest points, and the value. */

import { formatComputed } from '../../fields/format'
import type { Measurement } from '../../state/measurements'
import { toPixel, type Projection } from '../camera/projection'
import type { ViewportTheme } from '../theme'
import { anchorOf, drawFeature } from './features'
import type { LabelPlaces, PicturePoint } from '../../../core/analysis/label-places'
import type { Context } from './drawing'
import { drawLabel } from './labels'

export function drawMeasurement(ctx: Context, { path, readings, features }: Measurement, view: Projection, theme: ViewportTheme, places: LabelPlaces): void {
  for (const feature of features) drawFeature(ctx, feature, view, theme, false)
  const [label] = readings
  const around = path.length > 0 ? path : features.map(anchorOf)
  const pixels = around.flatMap(point => {
    const pixel = point && toPixel(view, point)
    return pixel ? [pixel] : []
  })
  if (pixels.length !== around.length || !label) return
  ctx.strokeStyle = theme.css.accent
  ctx.fillStyle = theme.css.accent
  ctx.lineWidth = 1.75
  if (path.length > 0) {
    ctx.beginPath()
    pixels.forEach(([x, y], i) => i === 0 ? ctx.moveTo(x, y) : ctx.lineTo(x, y))
    ctx.stroke()
    for (const [x, y] of pixels) {
      ctx.beginPath()
      ctx.arc(x, y, 3, 0, 2 * Math.PI)
      ctx.fill()
    }
  }
  // An angle's value is at its vertex, a distance's beside its middle.
  const [a, b] = [pixels[0]!, pixels[1] ?? pixels[0]!]
  const at: PicturePoint = pixels.length === 3 ? b : [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]
  if (path.length > 1) places.avoid(a, b)
  drawLabel(ctx, textOf(readings), at, [1, -1], theme, places, { strong: true })
}

/** The first reading, and the angle if it is another. */
function textOf(readings: Measurement['readings']): string {
  return readings.filter(({ name }, i) => i === 0 || name === 'Angle').map(({ words, value, unit, beside }) =>
    words ?? `${formatComputed(value as number, 4, beside)}${unit === '°' ? '°' : ` ${unit}`}`).join('  ·  ')
}
