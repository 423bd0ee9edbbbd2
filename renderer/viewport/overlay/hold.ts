/** The spring of a drag in a live session, from the grabbed point to its target, with its force. */

import { formatQuantity } from '../../fields/format'
import type { Vec3 } from '../../../core/math/vector'
import type { Hold } from '../../state/live-hold'
import { toPixel, type Projection } from '../camera/projection'
import type { ViewportTheme } from '../theme'
import { drawPlateBeside, type Context } from './drawing'

export function drawHold(
  ctx: Context, hold: Hold, force: { readonly from: Vec3; readonly to: Vec3; readonly newtons: number } | null, view: Projection, theme: ViewportTheme,
): void {
  const from = force && toPixel(view, force.from)
  const to = force && toPixel(view, force.to)
  if (!force || !from || !to) return
  ctx.strokeStyle = theme.css.accent
  ctx.fillStyle = theme.css.accent
  ctx.lineWidth = 2
  ctx.beginPath()
  if (hold.kind !== 'spring') {
    ctx.moveTo(from[0], from[1])
    ctx.lineTo(to[0], to[1])
  } else coil(ctx, from, to)
  ctx.stroke()
  ctx.beginPath()
  if (hold.kind === 'spring') for (const end of [from, to]) ctx.arc(end[0], end[1], 3, 0, 2 * Math.PI)
  else if (hold.kind === 'drag') ctx.arc(to[0], to[1], 5, 0, 2 * Math.PI)
  else ctx.rect(to[0] - 5, to[1] - 5, 10, 10)
  ctx.fill()
  drawPlateBeside(ctx, formatQuantity(force.newtons, 'N'), [to[0], to[1]], [14, -14], view.width, theme, { strong: hold.kind === 'drag' })
}

/** CSS pixels: half the width of a spring's zigzag, and its number of turns. */
const COIL = { half: 5, turns: 8 } as const

function coil(ctx: Context, from: readonly [number, number], to: readonly [number, number]): void {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const size = Math.hypot(dx, dy) || 1
  const [nx, ny] = [-dy / size * COIL.half, dx / size * COIL.half]
  ctx.moveTo(from[0], from[1])
  for (let k = 0; k < 2 * COIL.turns; k++) {
    const s = (k + 0.5) / (2 * COIL.turns)
    const side = k % 2 === 0 ? 1 : -1
    ctx.lineTo(from[0] + s * dx + side * nx, from[1] + s * dy + side * ny)
  }
  ctx.lineTo(to[0], to[1])
}
