/** 2D drawing over the picture: gizmo, labels, scales. Exported pictures use the same functions. */

import type { ViewportTheme } from '../theme'
import { sameHandle, type Handle, type HandleId, type Pixel } from '../gizmos/handles'

export type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D

const AXIS_OFFSET = 7

function axisColor(theme: ViewportTheme, axis: 0 | 1 | 2 | null): string {
  if (axis === null) return theme.css.text
  const p = theme.palette
  const at = 3 * (AXIS_OFFSET + axis)
  return `rgb(${[0, 1, 2].map(k => Math.round(p[at + k]! * 255)).join(' ')})`
}

function trace(ctx: Context, path: readonly Pixel[], closed = false): void {
  ctx.beginPath()
  path.forEach(([x, y], i) => i === 0 ? ctx.moveTo(x, y) : ctx.lineTo(x, y))
  if (closed) ctx.closePath()
}

/** Draws handles; the hovered or dragged one is brighter, and during a drag the others are dimmed. */
export function drawHandles(ctx: Context, handles: readonly Handle[], hovered: HandleId | null, dragged: HandleId | null, theme: ViewportTheme): void {
  ctx.lineCap = 'round'
  ctx.lineJoin = 'round'
  for (const handle of handles) {
    const active = sameHandle(handle.id, dragged ?? hovered)
    if (dragged && !active) continue
    const color = active ? theme.css.accent : axisColor(theme, handle.axis)
    ctx.strokeStyle = color
    ctx.fillStyle = color
    if (handle.back.length > 1) {
      ctx.globalAlpha = 0.18
      ctx.lineWidth = 1.25
      trace(ctx, handle.back)
      ctx.stroke()
    }
    ctx.globalAlpha = handle.id.kind === 'viewRing' && !active ? 0.45 : 1
    ctx.lineWidth = active ? 3.25 : handle.id.kind === 'viewRing' ? 1.5 : 2.25
    trace(ctx, handle.path, handle.filled)
    if (handle.filled) {
      ctx.globalAlpha = active ? 0.55 : 0.26
      ctx.fill()
      ctx.globalAlpha = active ? 1 : 0.8
      ctx.lineWidth = active ? 2 : 1.25
    }
    if (handle.tip !== 'square' || active) ctx.stroke()
    ctx.globalAlpha = 1
    if (handle.tip) drawTip(ctx, handle, active, theme)
  }
}

function drawTip(ctx: Context, handle: Handle, active: boolean, theme: ViewportTheme): void {
  const [bx, by] = handle.path.at(-1)!
  const [ax, ay] = handle.path[0]!
  if (handle.tip === 'arrow') {
    const l = Math.hypot(bx - ax, by - ay) || 1
    const ux = (bx - ax) / l
    const uy = (by - ay) / l
    const size = active ? 9 : 8
    const wing = size * 0.62
    trace(ctx, [[bx + ux * size * 1.5, by + uy * size * 1.5], [bx - uy * wing, by + ux * wing], [bx + uy * wing, by - ux * wing]], true)
    ctx.fill()
    return
  }
  const half = active ? 6 : 5
  ctx.beginPath()
  ctx.rect(bx - half, by - half, 2 * half, 2 * half)
  ctx.fill()
  ctx.lineWidth = 1.25
  ctx.strokeStyle = theme.css.surface
  ctx.stroke()
}

/** The angle turned so far, as a sector. */
export function drawSweep(ctx: Context, center: Pixel, path: readonly Pixel[], theme: ViewportTheme): void {
  ctx.fillStyle = theme.css.accent
  ctx.globalAlpha = 0.22
  trace(ctx, [center, ...path], true)
  ctx.fill()
  ctx.globalAlpha = 0.9
  ctx.strokeStyle = theme.css.accent
  ctx.lineWidth = 1.5
  ctx.stroke()
  ctx.globalAlpha = 1
}

export function drawSelectionBox(ctx: Context, [ax, ay]: Pixel, [bx, by]: Pixel, theme: ViewportTheme): void {
  ctx.fillStyle = theme.css.accent
  ctx.globalAlpha = 0.1
  ctx.fillRect(ax, ay, bx - ax, by - ay)
  ctx.globalAlpha = 1
  ctx.strokeStyle = theme.css.accent
  ctx.lineWidth = 1
  ctx.strokeRect(Math.round(ax) + 0.5, Math.round(ay) + 0.5, Math.round(bx - ax), Math.round(by - ay))
}

/** CSS pixels; sets the font of plates. */
export function plateSize(ctx: Context, text: string, theme: ViewportTheme, strong = false): { width: number; height: number; padding: number } {
  ctx.font = `${strong ? 600 : 500} ${strong ? 12.5 : 11}px ${theme.css.font}`
  const padding = 6
  return { width: ctx.measureText(text).width + 2 * padding, height: strong ? 21 : 17, padding }
}

/** Text on a small plate; the middle of its left edge is at the point. */
export function drawPlate(
  ctx: Context, text: string, x: number, y: number, theme: ViewportTheme, options: { strong?: boolean; color?: string; background?: string } = {},
): void {
  const { width, height, padding } = plateSize(ctx, text, theme, options.strong)
  ctx.globalAlpha = 0.88
  ctx.fillStyle = options.background ?? theme.css.surface
  ctx.beginPath()
  ctx.roundRect(x - padding, y - height / 2, width, height, 4)
  ctx.fill()
  ctx.globalAlpha = 1
  ctx.fillStyle = options.color ?? theme.css.text
  ctx.textAlign = 'left'
  ctx.textBaseline = 'middle'
  ctx.fillText(text, x, y + 0.5)
}

/** A plate beside a point of the picture: to its right, or to its left where the picture ends. @param by CSS pixels from the point */
export function drawPlateBeside(
  ctx: Context, text: string, [x, y]: Pixel, [right, down]: Pixel, pictureWidth: number, theme: ViewportTheme, options: { strong?: boolean } = {},
): void {
  const { width, padding } = plateSize(ctx, text, theme, options.strong)
  const fits = x + right - padding + width <= pictureWidth
  drawPlate(ctx, text, fits ? x + right : Math.max(padding, x - right - width + 2 * padding), y + down, theme, options)
}

/** Preview of a pick: a ring with a dot, a square on corners, and the direction if one is picked. */
export function drawPicked(ctx: Context, [x, y]: Pixel, tip: Pixel | null, kind: 'vertex' | 'centre' | 'edge' | 'face', theme: ViewportTheme, label?: string): void {
  ctx.strokeStyle = theme.css.accent
  ctx.fillStyle = theme.css.accent
  ctx.lineWidth = 2
  ctx.beginPath()
  if (kind === 'vertex') ctx.rect(x - 6, y - 6, 12, 12)
  else ctx.arc(x, y, 6, 0, 2 * Math.PI)
  ctx.stroke()
  ctx.beginPath()
  ctx.arc(x, y, 2, 0, 2 * Math.PI)
  ctx.fill()
  if (tip) {
    trace(ctx, [[x, y], tip])
    ctx.stroke()
  }
  drawPlate(ctx, label ?? { vertex: 'corner', centre: 'centre', edge: 'edge', face: 'face' }[kind], x + 12, y - 14, theme)
}

/** A scale bar with its label: `├──┤ 10 cm`. Right-aligned at x. */
export function drawScaleBar(ctx: Context, label: string, length: number, x: number, y: number, theme: ViewportTheme, arrow = false): void {
  ctx.font = `500 11px ${theme.css.font}`
  const width = ctx.measureText(label).width
  const from = x - width - 8 - length
  ctx.globalAlpha = 0.8
  ctx.fillStyle = theme.css.surface
  ctx.beginPath()
  ctx.roundRect(from - 7, y - 9, x - from + 13, 18, 4)
  ctx.fill()
  ctx.strokeStyle = theme.css.text
  ctx.lineWidth = 1.5
  ctx.globalAlpha = 0.9
  ctx.beginPath()
  ctx.moveTo(from, y)
  ctx.lineTo(from + length, y)
  if (!arrow) {
    ctx.moveTo(from, y - 4)
    ctx.lineTo(from, y + 4)
    ctx.moveTo(from + length, y - 4)
    ctx.lineTo(from + length, y + 4)
  }
  ctx.stroke()
  ctx.fillStyle = theme.css.text
  if (arrow) {
    const head = Math.min(9, length * 0.6)
    ctx.beginPath()
    ctx.moveTo(from + length, y)
    ctx.lineTo(from + length - head, y - 3.5)
    ctx.lineTo(from + length - head, y + 3.5)
    ctx.fill()
  }
  ctx.textAlign = 'left'
  ctx.textBaseline = 'middle'
  ctx.fillText(label, from + length + 8, y + 0.5)
  ctx.globalAlpha = 1
}
