/** The cutting plane in the viewport: its handles, dragging them, and the line of the cut. */

import { addScaled, cross, dot, length, normalize, perpendicular, type Vec3 } from '../../core/math/vector'
import { rotate } from '../../core/math/quaternion'
import { useCut } from '../state/cut'
import { useView } from '../state/view'
import { handleInPlane } from '../modelling/plane'
import { formatNumber } from '../fields/format'
import { rayThrough, toPixel, type Projection } from './camera/projection'
import { moveDrag, rotateDrag, type Drag, type DragResult } from './gizmos/drag'
import { gizmoFrame, type GizmoFrame } from './gizmos/gizmo-frame'
import { handleAt, moveHandles, rotateHandles, sameHandle, type Handle, type HandleId, type Pixel } from './gizmos/handles'
import { stepFor, tidy } from './gizmos/snapping'
import { drawHandles, drawPlateBeside, type Context } from './overlay/drawing'
import type { PointerTool, ToolKeys } from './pointer-tool'
import type { ViewportTheme } from './theme'

/** Components of a normal below this are rounding errors of a right angle. */
const ROUNDING = 1e-12

interface OpenDrag {
  readonly id: HandleId
  readonly drag: Drag
  readonly point: Vec3
  readonly normal: Vec3
  readout: string
  at: Pixel
}

export class CutControl implements PointerTool {
  readonly letsSelect = true
  readonly keepsDirection = false
  private readonly cut = useCut()
  private readonly view = useView()
  private hovered: HandleId | null = null
  private open: OpenDrag | null = null

  constructor(private readonly changed: () => void) {}

  get active(): boolean {
    return this.cut.active && this.cut.box !== null
  }

  /** The plane moves along its normal and along the world's axes, and turns about these axes. */
  private frame(): GizmoFrame {
    return gizmoFrame(this.cut.point, null)
  }

  private normalFrame(): GizmoFrame {
    const n = this.cut.unit
    const u = perpendicular(n)
    return { origin: this.cut.point, axes: [n, u, cross(n, u)] }
  }

  private handles(view: Projection): Handle[] {
    const rings = rotateHandles(this.frame(), view).filter(({ id }) => id.kind === 'ring' && (!this.cut.planar || handleInPlane(id)))
    const arrow = moveHandles(this.normalFrame(), view).filter(({ id }) => id.kind === 'free' || (id.kind === 'axis' && id.axis === 0)).map(handle => ({ ...handle, axis: null }))
    return [...rings, ...arrow]
  }

  hover(x: number, y: number, view: Projection): string | null {
    const found = handleAt(this.handles(view), x, y)?.id ?? null
    if (!sameHandle(found, this.hovered)) {
      this.hovered = found
      this.changed()
    }
    return found && 'grab'
  }

  press(x: number, y: number, view: Projection): boolean {
    const id = handleAt(this.handles(view), x, y)?.id
    if (!id) return false
    const ray = rayThrough(view, x, y)
    const drag = id.kind === 'ring' ? rotateDrag(id, this.frame(), ray, view) : moveDrag(id, id.kind === 'free' ? this.frame() : this.normalFrame(), ray, view, id.kind === 'free')
    if (drag) this.open = { id, drag, point: this.cut.point, normal: this.cut.normal, readout: '', at: [x, y] }
    this.changed()
    return drag !== null
  }

  move(x: number, y: number, view: Projection, keys: ToolKeys): void {
    const { open, cut } = this
    if (!open) return
    const { snapping } = this.view
    open.at = [x, y]
    const result = open.drag(rayThrough(view, x, y), stepFor(open.id.kind === 'ring' ? snapping.rotate : snapping.move, snapping.enabled, keys))
    if (result) this.take(result, open, cut)
    this.changed()
  }

  private take({ motion, readout }: DragResult, open: OpenDrag, cut: ReturnType<typeof useCut>): void {
    if (open.id.kind === 'ring') {
      const turned = rotate(motion.rotation, open.normal).map(x => Math.abs(x) < ROUNDING * length(open.normal) ? 0 : tidy(x)) as unknown as Vec3
      cut.turn(turned)
    } else {
      const moved = addScaled(open.point, motion.shift, 1).map(tidy) as unknown as Vec3
      cut.point = cut.planar ? [moved[0], 0, moved[2]] : moved
    }
    const name = open.id.kind === 'axis' ? 'along the normal' : null
    open.readout = readout.map(([label, value, unit]) => `${name ?? label} ${formatNumber(value)}${unit === '°' ? '°' : ' m'}`).join('   ')
  }

  release(): void {
    this.open = null
    this.changed()
  }

  leave(): void {
    this.hovered = null
    this.changed()
  }

  /** Returns the plane to where the drag began. */
  cancel(): void {
    if (this.open) [this.cut.point, this.cut.normal] = [this.open.point, this.open.normal]
    this.release()
  }

  draw(ctx: Context, view: Projection, theme: ViewportTheme): void {
    const { box, point, unit, sections } = this.cut
    if (!this.active || !box || !(length(unit) > 0)) return
    this.drawPlane(ctx, view, theme, point, unit)
    ctx.strokeStyle = theme.css.accent
    ctx.lineWidth = 2.5
    for (const section of sections) {
      const pixels = section.flatMap(p => {
        const pixel = toPixel(view, p)
        return pixel ? [pixel] : []
      })
      if (pixels.length !== section.length) continue
      ctx.beginPath()
      pixels.forEach(([x, y], i) => i === 0 ? ctx.moveTo(x, y) : ctx.lineTo(x, y))
      ctx.closePath()
      ctx.stroke()
    }
    drawHandles(ctx, this.handles(view), this.hovered, this.open?.id ?? null, theme)
    if (this.open?.readout) drawPlateBeside(ctx, this.open.readout, this.open.at, [24, -24], view.width, theme, { strong: true })
  }

  /** A square about the point, a little larger than the bodies that are cut. */
  private drawPlane(ctx: Context, view: Projection, theme: ViewportTheme, point: Vec3, unit: Vec3): void {
    const { low, high } = this.cut.box!
    const half = 0.65 * length([high[0] - low[0], high[1] - low[1], high[2] - low[2]])
    const middle: Vec3 = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2]
    const away: Vec3 = [middle[0] - point[0], middle[1] - point[1], middle[2] - point[2]]
    const center = addScaled(middle, unit, -dot(away, unit))
    const up: Vec3 = Math.abs(unit[2]) > 0.9 ? [1, 0, 0] : [0, 0, 1]
    const u = normalize(cross(up, unit))
    const v = cross(unit, u)
    const corners = ([[-1, -1], [1, -1], [1, 1], [-1, 1]] as const).flatMap(([a, b]) => {
      const pixel = toPixel(view, addScaled(addScaled(center, u, a * half), v, b * half))
      return pixel ? [pixel] : []
    })
    if (corners.length !== 4) return
    ctx.beginPath()
    corners.forEach(([x, y], i) => i === 0 ? ctx.moveTo(x, y) : ctx.lineTo(x, y))
    ctx.closePath()
    ctx.fillStyle = ctx.strokeStyle = theme.css.accent
    ctx.globalAlpha = 0.12
    ctx.fill()
    ctx.globalAlpha = 0.7
    ctx.lineWidth = 1
    ctx.stroke()
    ctx.globalAlpha = 1
  }
}
