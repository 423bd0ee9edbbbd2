/** A hand's spring: from the point that it holds to where it draws, with its force. */

import { formatQuantity } from '../../fields/format'
import type { Vec3 } from '../../../core/math/vector'
import type { Hold } from '../../state/live'
import { toPixel, type Projection } from '../camera/projection'
import type { ViewportTheme } from '../theme'
import { drawPlate, type Context } from './drawing'

export function drawHold(
  ctx: Context, hold: Hold, force: { readonly from: Vec3; readonly newtons: number } | null, view: Projection, theme: ViewportTheme,
): void {
  const from = force && toPixel(view, force.from)
  const to = toPixel(view, hold.target)
  if (!force || !from || !to) return
  ctx.strokeStyle = theme.css.accent
  ctx.fillStyle = theme.css.accent
  ctx.lineWidth = 2
  ctx.beginPath()
  ctx.moveTo(from[0], from[1])
  ctx.lineTo(to[0], to[1])
  ctx.stroke()
  ctx.beginPath()
  if (hold.hand === 0) ctx.arc(to[0], to[1], 5, 0, 2 * Math.PI)
  else ctx.rect(to[0] - 5, to[1] - 5, 10, 10)
  ctx.fill()
  drawPlate(ctx, formatQuantity(force.newtons, 'N'), to[0] + 14, to[1] - 14, theme, { strong: hold.hand === 0 })
}
