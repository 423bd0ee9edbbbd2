/** The pointer while drawing in a plane: points by clicks or a drag, snapped to the grid or to corners, and the preview. */

import { PI } from '../../core/math/trigonometric'
import { inSpace, type Point2 } from '../../core/modelling'
import type { Vec3 } from '../../core/math/vector'
import { formatQuantity } from '../fields/format'
import { useSketch } from '../state/sketch'
import { useView } from '../state/view'
import { meetPlane, metresPerPixel, rayThrough, toPixel, type Projection } from './camera/projection'
import { snap, stepFor, tidy } from './gizmos/snapping'
import type { Pixel } from './gizmos/handles'
import { drawPlateBeside, type Context } from './overlay/drawing'
import type { PointerTool, ToolKeys } from './pointer-tool'
import type { ViewportTheme } from './theme'

/** CSS pixels within which the pointer snaps to a point. */
const REACH = 10
const OUT: Readonly<Record<'xy' | 'xz' | 'yz', Vec3>> = { xy: [0, 0, 1], xz: [0, 1, 0], yz: [1, 0, 0] }

interface Place {
  readonly point: Point2
  /** Snapped to the first point of a polygon, which closes it; to a corner or centre; or not snapped. */
  readonly on: 'first' | 'mark' | null
}

export class SketchControl implements PointerTool {
  readonly letsSelect = false
  readonly keepsDirection = true
  private readonly sketch = useSketch()
  private readonly view = useView()
  private at: Place | null = null
  private drag: { readonly from: Point2; far: boolean } | null = null

  constructor(private readonly changed: () => void) {}

  get active(): boolean {
    return this.sketch.tool !== null
  }

  private placeAt(x: number, y: number, view: Projection, keys: ToolKeys): Place | null {
    const { sketch } = this
    const hit = meetPlane(rayThrough(view, x, y), [0, 0, 0], OUT[sketch.plane])
    if (!hit) return null
    const raw: Point2 = sketch.plane === 'xy' ? [hit[0], hit[1]] : sketch.plane === 'xz' ? [hit[0], hit[2]] : [hit[1], hit[2]]
    const first = sketch.tool === 'polygon' && sketch.points.length > 2 ? sketch.points[0] : undefined
    const reach = REACH * metresPerPixel(view, hit)
    const away = (p: Point2) => Math.hypot(p[0] - raw[0], p[1] - raw[1])
    if (first && away(first) <= reach) return { point: first, on: 'first' }
    const { snapping } = this.view
    const step = stepFor(snapping.move, snapping.enabled, keys)
    if (step > 0) {
      const near = sketch.marks.reduce<Point2 | null>((best, mark) => away(mark) <= reach && (!best || away(mark) < away(best)) ? mark : best, null)
      if (near) return { point: near, on: 'mark' }
    }
    return { point: [tidy(snap(raw[0], step)), tidy(snap(raw[1], step))], on: null }
  }

  hover(x: number, y: number, view: Projection, keys: ToolKeys): string {
    this.at = this.placeAt(x, y, view, keys)
    this.changed()
    return 'crosshair'
  }

  press(x: number, y: number, view: Projection, keys: ToolKeys): boolean {
    const place = this.placeAt(x, y, view, keys)
    this.at = place
    if (!place) return false
    const { sketch } = this
    if (sketch.tool === 'hinge') sketch.hingeAt(place.point)
    else if (sketch.tool !== 'polygon') this.drag = { from: place.point, far: false }
    else if (place.on === 'first') sketch.finish()
    else sketch.addPoint(place.point)
    this.changed()
    return true
  }

  move(x: number, y: number, view: Projection, keys: ToolKeys, far: boolean): void {
    this.at = this.placeAt(x, y, view, keys)
    if (this.drag && far && this.at) {
      this.drag.far = true
      this.sketch.points = [this.drag.from, this.at.point]
    }
    this.changed()
  }

  release(): void {
    const { drag } = this
    this.drag = null
    if (drag?.far) this.sketch.finish()
    this.changed()
  }

  leave(): void {
    this.at = null
    this.changed()
  }

  cancel(): void {
    if (this.drag) this.sketch.points = []
    this.drag = null
    this.changed()
  }

  draw(ctx: Context, view: Projection, theme: ViewportTheme): void {
    const { sketch, at } = this
    const pixel = (p: Point2): Pixel | null => toPixel(view, inSpace(sketch.plane, p, 0))
    ctx.strokeStyle = ctx.fillStyle = theme.css.accent
    ctx.lineWidth = 2
    const path = sketch.points.map(pixel)
    if (sketch.turned) this.drawAxis(ctx, view)
    if (path.every(p => p !== null)) this.trace(ctx, path, at ? pixel(at.point) : null, view)
    for (const p of path) if (p) dot(ctx, p, 3.5)
    const here = at && pixel(at.point)
    if (!at || !here) return
    if (at.on) {
      ctx.beginPath()
      ctx.rect(here[0] - 6, here[1] - 6, 12, 12)
      ctx.stroke()
    } else {
      dot(ctx, here, 2.5)
    }
    drawPlateBeside(ctx, this.readout(at), here, [18, -18], view.width, theme, { strong: true })
  }

  /** Axis of revolution: dashed, over the whole height of the picture. */
  private drawAxis(ctx: Context, view: Projection): void {
    const { axis, plane } = this.sketch
    const [a, b] = [toPixel(view, inSpace(plane, [axis, 0], 0)), toPixel(view, inSpace(plane, [axis, 1], 0))]
    if (!a || !b) return
    ctx.setLineDash([8, 5])
    ctx.beginPath()
    ctx.moveTo(a[0], 0)
    ctx.lineTo(b[0], view.height)
    ctx.stroke()
    ctx.setLineDash([])
  }

  private readout(at: Place): string {
    const { sketch } = this
    if (at.on === 'first') return 'closes it'
    const from = sketch.tool === 'polygon' ? sketch.points.at(-1) : this.drag?.far ? this.drag.from : undefined
    const [u, v] = sketch.names
    const [x, y] = at.point
    const where = `${u} ${formatQuantity(x, 'm')}   ${v} ${formatQuantity(y, 'm')}`
    if (!from) return where
    if (sketch.tool === 'rectangle') return `${formatQuantity(Math.abs(x - from[0]), 'm')} × ${formatQuantity(Math.abs(y - from[1]), 'm')}`
    return `${where}   ${sketch.tool === 'disc' ? 'radius' : 'length'} ${formatQuantity(Math.hypot(x - from[0], y - from[1]), 'm')}`
  }

  private trace(ctx: Context, path: readonly (Pixel | null)[], here: Pixel | null, view: Projection): void {
    const pixels = path as readonly Pixel[]
    const [a, b] = pixels
    ctx.beginPath()
    switch (this.sketch.tool) {
      case 'rectangle':
        if (a && b) ctx.rect(Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.abs(b[0] - a[0]), Math.abs(b[1] - a[1]))
        break
      case 'disc':
        if (a && b) ctx.arc(a[0], a[1], Math.hypot(b[0] - a[0], b[1] - a[1]), 0, 2 * PI)
        break
      case 'rod':
        if (!a || !b) break
        ctx.lineCap = 'round'
        ctx.globalAlpha = 0.35
        ctx.lineWidth = Math.max(2, this.sketch.thickness / metresPerPixel(view, inSpace(this.sketch.plane, this.sketch.points[0]!, 0)))
        ctx.moveTo(a[0], a[1])
        ctx.lineTo(b[0], b[1])
        ctx.stroke()
        ctx.globalAlpha = 1
        ctx.lineWidth = 2
        break
      default:
        pixels.forEach(([x, y], i) => i === 0 ? ctx.moveTo(x, y) : ctx.lineTo(x, y))
        if (this.sketch.tool === 'polygon' && here && pixels.length > 0) ctx.lineTo(here[0], here[1])
    }
    ctx.stroke()
    if (this.sketch.tool === 'ground') return
    ctx.globalAlpha = 0.14
    ctx.fill()
    ctx.globalAlpha = 1
  }
}

function dot(ctx: Context, [x, y]: Pixel, radius: number): void {
  ctx.beginPath()
  ctx.arc(x, y, radius, 0, 2 * PI)
  ctx.fill()
}
