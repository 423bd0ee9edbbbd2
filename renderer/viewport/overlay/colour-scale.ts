/** Legend of the colours on deformables: a bar from the smallest to the largest value, with numbers below. */

import { formatNumber, formatQuantity } from '../../fields/format'
import { RAMP } from '../deformables/colours'
import type { ColourScale } from '../shown-scale'
import type { ViewportTheme } from '../theme'
import type { Context } from './drawing'

/** CSS pixels. */
const [WIDTH, BAR] = [132, 8]
/** CSS pixels that the legend reaches above its centre. */
export const COLOUR_SCALE_ABOVE = 22

/** Right-aligned at x, vertically centred at y. */
export function drawColourScale(ctx: Context, { label, unit, full, signed, figures: texts }: ColourScale, x: number, y: number, theme: ViewportTheme): void {
  const left = x - WIDTH
  const top = y - COLOUR_SCALE_ABOVE
  ctx.globalAlpha = 0.88
  ctx.fillStyle = theme.css.surface
  ctx.beginPath()
  ctx.roundRect(left - 8, top, WIDTH + 15, 46, 4)
  ctx.fill()
  ctx.globalAlpha = 1
  const colors = ctx.createLinearGradient(left, 0, x, 0)
  const stops = signed ? RAMP : RAMP.slice(1)
  stops.forEach((color, k) => colors.addColorStop(k / (stops.length - 1), color))
  ctx.fillStyle = colors
  ctx.fillRect(left, top + 20, WIDTH, BAR)
  ctx.fillStyle = theme.css.text
  ctx.font = `500 11px ${theme.css.font}`
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'
  ctx.fillText(unit ? `${label}, ${unit}` : label, left, top + 10)
  const figures = signed ? [-full, 0, full] : [0, full]
  figures.forEach((value, k) => {
    const at = k / (figures.length - 1)
    ctx.textAlign = at === 0 ? 'left' : at === 1 ? 'right' : 'center'
    ctx.fillText(texts?.[k] ?? (unit ? formatNumber(value, 2) : formatQuantity(100 * value, '%', 2)), left + at * WIDTH, top + 37)
  })
}
