/** Bodies of another run or of other times, drawn as outlines over the picture. */

import { composePoses, toOuter } from '../../../core/math/pose'
import type { Vec3 } from '../../../core/math/vector'
import { metresPerPixel, toPixelInto, type Projection } from '../camera/projection'
import type { PosedScene } from '../posed-scene'
import type { ViewportTheme } from '../theme'
import type { Context } from './drawing'

/** With more bodies than this, only the selected ones are outlined: more would hide the scene and take longer than a frame. */
export const MAX_GHOSTS = 300

/** Draws the edges of the shapes, or circles for shapes without edges. Bodies of another scene are matched by id. */
export function drawGhosts(
  ctx: Context, ghosts: PosedScene, view: Projection, theme: ViewportTheme, wanted: (body: number) => boolean, color = theme.css.accent,
): void {
  ctx.strokeStyle = color
  ctx.lineWidth = 1.25
  ctx.setLineDash([4, 3])
  ctx.beginPath()
  for (let body = 0; body < ghosts.count; body++) {
    if (!wanted(body) || !ghosts.exists(body)) continue
    const pose = ghosts.pose(body)
    for (const { mesh, scale, pose: own, radius } of ghosts.plan.shapes[body]!) {
      const at = composePoses(pose, own)
      if (mesh.edges.length === 0) traceCircle(ctx, view, at.position, radius)
      else traceEdges(ctx, view, mesh.edges, point => toOuter(at, [point[0] * scale[0], point[1] * scale[1], point[2] * scale[2]]))
    }
  }
  ctx.stroke()
  ctx.setLineDash([])
}

const from: [number, number, number] = [0, 0, 0]
const to: [number, number, number] = [0, 0, 0]

/** `edges` has two points a segment. */
function traceEdges(ctx: Context, view: Projection, edges: ArrayLike<number>, place: (point: Vec3) => Vec3): void {
  for (let i = 0; i + 5 < edges.length; i += 6) {
    const a = place([edges[i]!, edges[i + 1]!, edges[i + 2]!])
    const b = place([edges[i + 3]!, edges[i + 4]!, edges[i + 5]!])
    if (!toPixelInto(view, a[0], a[1], a[2], from) || !toPixelInto(view, b[0], b[1], b[2], to)) continue
    ctx.moveTo(from[0], from[1])
    ctx.lineTo(to[0], to[1])
  }
}

function traceCircle(ctx: Context, view: Projection, center: Vec3, radius: number): void {
  if (!toPixelInto(view, center[0], center[1], center[2], from)) return
  const pixels = radius / metresPerPixel(view, center)
  ctx.moveTo(from[0] + pixels, from[1])
  ctx.arc(from[0], from[1], pixels, 0, 2 * Math.PI)
}
