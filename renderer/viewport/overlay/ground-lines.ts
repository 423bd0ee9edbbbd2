/** Half-spaces seen edge-on in an orthographic picture: a line with hatching on the solid's side, as in mechanical drawings. */

import { addScaled, dot, sub } from '../../../core/math/vector'
import { toOuter } from '../../../core/math/pose'
import { rotate } from '../../../core/math/quaternion'
import { cameraAxes } from '../camera/camera-state'
import { metresPerPixel, toPixel, type Projection } from '../camera/projection'
import type { PosedScene } from '../posed-scene'
import type { ViewportTheme } from '../theme'
import type { Context } from './drawing'

/** A plane is seen edge-on if the cosine between its normal and the viewing direction is below this. */
const EDGE_ON = 1e-3
/** px: distance of hatches, and their extent down and along the line. */
const SPACING = 14
const DEPTH = 9

export function drawGroundLines(ctx: Context, posed: PosedScene, view: Projection, theme: ViewportTheme, shown: (body: number) => boolean): void {
  const { camera, width, height } = view
  if (!camera.orthographic) return
  const { forward } = cameraAxes(camera)
  ctx.save()
  ctx.strokeStyle = theme.css.muted
  ctx.lineWidth = 1
  for (const plane of posed.plan.planes) {
    if (!shown(plane.body) || !posed.exists(plane.body)) continue
    const pose = posed.pose(plane.body)
    const normal = rotate(pose.orientation, plane.normal)
    if (Math.abs(dot(normal, forward)) > EDGE_ON) continue
    const point = toOuter(pose, plane.point)
    const foot = addScaled(camera.target, normal, -dot(normal, sub(camera.target, point)))
    const at = toPixel(view, foot)
    const above = toPixel(view, addScaled(foot, normal, 100 * metresPerPixel(view, foot)))
    if (!at || !above) continue
    const [x, y] = at
    const [up, right] = [[(above[0] - x) / 100, (above[1] - y) / 100], [(y - above[1]) / 100, (above[0] - x) / 100]] as const
    const half = SPACING * Math.ceil((width + height) / SPACING)
    // Hatches keep their places on the plane while the camera moves.
    const fixed = toPixel(view, point) ?? at
    const phase = ((fixed[0] - x) * right[0] + (fixed[1] - y) * right[1]) % SPACING
    ctx.beginPath()
    ctx.moveTo(x - half * right[0], y - half * right[1])
    ctx.lineTo(x + half * right[0], y + half * right[1])
    for (let s = phase - half; s <= half; s += SPACING) {
      const [px, py] = [x + s * right[0], y + s * right[1]]
      ctx.moveTo(px, py)
      ctx.lineTo(px - DEPTH * (up[0] + right[0]), py - DEPTH * (up[1] + right[1]))
    }
    ctx.stroke()
  }
  ctx.restore()
}
