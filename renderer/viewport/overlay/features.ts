/** Picked features over the picture: dots, lines, filled faces, dashed axes. */

import type { Feature } from '../../../core/analysis/features'
import { add, addScaled, cross, dot, lerp, perpendicular, scale, sub, type Vec3 } from '../../../core/math/vector'
import { toPixel, type Projection } from '../camera/projection'
import { circlePoint } from '../feature-hits'
import type { ViewportTheme } from '../theme'
import type { Context } from './drawing'

const AROUND = 64

export function drawFeature(ctx: Context, feature: Feature, view: Projection, theme: ViewportTheme, strong: boolean): void {
  ctx.save()
  ctx.strokeStyle = ctx.fillStyle = theme.css.accent
  ctx.lineWidth = strong ? 3 : 1.75
  ctx.lineJoin = ctx.lineCap = 'round'
  ctx.globalAlpha = strong ? 1 : 0.75
  const line = (points: readonly Vec3[]) => { if (trace(ctx, points, view)) ctx.stroke() }
  switch (feature.kind) {
    case 'vertex': case 'point':
      square(ctx, feature.point, view, strong ? 5 : 3.5)
      break
    case 'sphere':
      square(ctx, feature.centre, view, 3.5)
      break
    case 'edge':
      line(feature.ends)
      break
    case 'axis':
      ctx.setLineDash([10, 4, 2, 4])
      line(feature.ends)
      break
    case 'circle':
      line(rim(feature))
      square(ctx, feature.centre, view, 3)
      break
    case 'face':
      fill(ctx, feature.parts, view, strong)
      for (const side of feature.outline) line(side)
      break
    case 'disc':
      fill(ctx, [rim(feature)], view, strong)
      line(rim(feature))
      break
    case 'plane': {
      const around = planeSquare(feature, view)
      fill(ctx, [around], view, strong)
      break
    }
    case 'body':
  }
  ctx.restore()
}

/** Position of a feature's label; null for a whole body. */
export function anchorOf(feature: Feature): Vec3 | null {
  switch (feature.kind) {
    case 'vertex': case 'point': case 'plane': return feature.point
    case 'sphere': case 'circle': case 'disc': return feature.centre
    case 'edge': case 'axis': return lerp(...feature.ends, 0.5)
    case 'face': {
      const corners = feature.outline.map(([a]) => a)
      return scale(corners.reduce(add), 1 / corners.length)
    }
    case 'body': return null
  }
}

/** False if a point is behind the eye. */
function trace(ctx: Context, points: readonly Vec3[], view: Projection): boolean {
  const pixels = points.map(point => toPixel(view, point))
  if (pixels.includes(null)) return false
  ctx.beginPath()
  pixels.forEach((pixel, i) => i === 0 ? ctx.moveTo(...pixel!) : ctx.lineTo(...pixel!))
  return true
}

function fill(ctx: Context, parts: readonly (readonly Vec3[])[], view: Projection, strong: boolean): void {
  const alpha = ctx.globalAlpha
  ctx.globalAlpha = strong ? 0.34 : 0.16
  for (const part of parts) if (trace(ctx, part, view)) ctx.fill()
  ctx.globalAlpha = alpha
}

function square(ctx: Context, point: Vec3, view: Projection, half: number): void {
  const pixel = toPixel(view, point)
  if (pixel) ctx.fillRect(pixel[0] - half, pixel[1] - half, 2 * half, 2 * half)
}

function rim({ centre, normal, radius }: Feature & { kind: 'disc' | 'circle' }): Vec3[] {
  const u = perpendicular(normal)
  const v = cross(normal, u)
  return Array.from({ length: AROUND + 1 }, (_, k) => circlePoint(centre, u, v, radius, k / AROUND))
}

/** A part of the plane about the camera's target. */
function planeSquare({ point, normal }: Feature & { kind: 'plane' }, { camera }: Projection): Vec3[] {
  const height = dot(normal, sub(camera.target, point))
  const u = perpendicular(normal)
  const v = cross(normal, u)
  const half = 0.3 * camera.distance
  const middle = addScaled(camera.target, normal, -height)
  return ([[-1, -1], [1, -1], [1, 1], [-1, 1]] as const).map(([a, b]) => addScaled(addScaled(middle, u, a * half), v, b * half))
}
