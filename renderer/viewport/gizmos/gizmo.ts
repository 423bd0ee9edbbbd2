/** The gizmo of the selection: its handles, the hovered one, and the current drag. */

import { useDocument } from '../../state/document'
import { startGesture, type Gesture } from '../../state/gesture'
import { bodiesOf, poseOf, shapesOf } from '../../state/scene-access'
import { handleInPlane, isPlanar } from '../../modelling/plane'
import { usePlayback } from '../../state/playback'
import { useSelection } from '../../state/selection'
import { useView } from '../../state/view'
import { formatNumber, formatQuantity } from '../../fields/format'
import type { Shape } from '../../../core/scene'
import { addScaled, cross, dot, sub, type Vec3 } from '../../../core/math/vector'
import { centerOf } from '../../../core/modelling'
import { metresPerPixel, nearestOnLine, rayThrough, toPixel, type Projection } from '../camera/projection'
import { anchorNow } from '../glyphs/joint-pose'
import { drawHandles, drawPicked, drawPlateBeside, drawSweep, type Context } from '../overlay/drawing'
import { middleOf, type PosedScene } from '../posed-scene'
import type { ViewportTheme } from '../theme'
import { moveDrag, rotateDrag, type DragResult } from './drag'
import { gizmoFrame, type GizmoFrame } from './gizmo-frame'
import { handleAt, moveHandles, rotateHandles, sameHandle, sizeHandles, SIZES, type Handle, type HandleId, type Pixel } from './handles'
import { replaceShape } from '../../modelling/mesh-scale'
import { dragSize, sizeHandlesOf, type SizeHandle } from './resize'
import { applyMotion } from './rigid-edit'
import { stepFor } from './snapping'
import { standOn, surfaceAt, type SurfaceTarget } from './surface-snap'

interface Keys {
  readonly ctrl: boolean
  readonly shift: boolean
  readonly alt: boolean
}

interface OpenDrag {
  readonly id: HandleId
  readonly gesture: Gesture
  move(x: number, y: number, view: Projection, keys: Keys): void
  readout: string
  sweep: DragResult['sweep'] | null
  /** Of another body, on which the dragged one is placed. */
  onto: SurfaceTarget | null
  at: Pixel
}

export class Gizmo {
  private readonly document = useDocument()
  private readonly playback = usePlayback()
  private readonly selection = useSelection()
  private readonly view = useView()
  private hovered: HandleId | null = null
  private drag: OpenDrag | null = null
  private frame: GizmoFrame | null = null
  private sizes: readonly SizeHandle[] = []

  /** @param changed called when the gizmo needs to be redrawn */
  constructor(private readonly changed: () => void) {}

  get dragging(): boolean {
    return this.drag !== null
  }

  private handles(posed: PosedScene, view: Projection): Handle[] {
    const handles = this.allHandles(posed, view)
    return isPlanar(this.document.scene) ? handles.filter(({ id }) => handleInPlane(id)) : handles
  }

  private allHandles(posed: PosedScene, view: Projection): Handle[] {
    this.frame = this.frameOf(posed)
    this.sizes = []
    if (!this.frame) return []
    switch (this.view.gizmo) {
      case 'move': return moveHandles(this.frame, view)
      case 'rotate': return rotateHandles(this.frame, view)
      case 'resize': {
        const target = this.sizedShape()
        if (!target) return []
        this.sizes = sizeHandlesOf(target.shape, poseOf(this.document.element('bodies', target.body)!))
        return sizeHandles(this.sizes, view)
      }
      case 'select': return []
    }
  }

  /** Origin of the active element, and its axes in local space. */
  private frameOf(posed: PosedScene): GizmoFrame | null {
    const id = this.selection.active
    if (id === null || this.view.locked.has(id) || this.view.hidden.has(id)) return null
    const body = posed.index.get(id)
    if (body !== undefined && posed.exists(body) && this.document.element('bodies', id)) {
      return gizmoFrame(posed.position(body), this.view.space === 'local' ? posed.orientation(body) : null)
    }
    if (this.document.element('groups', id)) {
      const bodies = this.selection.bodies.flatMap(each => posed.index.get(each) ?? [])
      const box = bodies.length > 0 ? posed.bounds(bodies) : null
      return box && gizmoFrame(middleOf(box), null)
    }
    const deformable = this.document.element('deformables', id)
    if (deformable) return gizmoFrame(centerOf(deformable), null)
    const joint = this.document.element('joints', id)
    const anchor = joint && joint.type !== 'gear' && anchorNow(posed, joint)
    return anchor ? gizmoFrame(anchor, null) : null
  }

  /** The shape that resizing changes: the selected one, or the only one of the selected body. */
  private sizedShape(): { body: string; index: number; shape: Shape } | null {
    const chosen = this.selection.shape
    const body = this.selection.active === null ? undefined : this.document.element('bodies', this.selection.active)
    if (!body) return null
    const shapes = shapesOf(body)
    const index = chosen?.body === body.id ? chosen.shape : shapes.length === 1 ? 0 : -1
    const shape = shapes[index]
    return shape ? { body: body.id, index, shape } : null
  }

  /** The pointer moved with no button down; true over a handle. */
  hover(x: number, y: number, posed: PosedScene, view: Projection): boolean {
    const found = handleAt(this.handles(posed, view), x, y)?.id ?? null
    if (!sameHandle(found, this.hovered)) {
      this.hovered = found
      this.changed()
    }
    return found !== null
  }

  /** The button was pressed; true if a handle takes the drag. */
  press(x: number, y: number, posed: PosedScene, view: Projection): boolean {
    const handle = handleAt(this.handles(posed, view), x, y)
    if (!handle || !this.frame) return false
    // Edits change the initial scene. At a later time the first press only returns to t = 0.
    if (this.playback.time > 0) this.playback.returnToStart()
    else this.drag = handle.id.kind === 'size' ? this.startResize(handle.id, x, y, view) : this.startMotion(handle.id, this.frame, x, y, posed, view)
    this.changed()
    return true
  }

  /** With Alt the centre handle drags onto other bodies: the body snaps to their vertices and edges and is placed on their faces. */
  private startMotion(id: HandleId, frame: GizmoFrame, x: number, y: number, posed: PosedScene, view: Projection): OpenDrag | null {
    const turning = id.kind === 'ring' || id.kind === 'viewRing'
    const start = rayThrough(view, x, y)
    const drag = turning ? rotateDrag(id, frame, start, view) : moveDrag(id, frame, start, view, this.view.space === 'world')
    if (!drag) return null
    const before = this.document.scene
    const ids = new Set(this.selection.ids.filter(each => !this.view.locked.has(each)))
    const active = this.selection.active === null ? undefined : posed.index.get(this.selection.active)
    const others = (body: number) => !ids.has(bodiesOf(posed.scene)[body]!.id) && !this.view.hidden.has(bodiesOf(posed.scene)[body]!.id)
    const gesture = this.open(turning ? 'rotate' : 'move')
    const open: OpenDrag = {
      id, gesture, readout: '', sweep: null, onto: null, at: [x, y],
      move: (px, py, now, keys) => {
        const { snapping } = this.view
        const target = keys.alt && id.kind === 'free' && active !== undefined ? surfaceAt(posed, now, px, py, others) : null
        open.onto = target
        if (target && active !== undefined) {
          open.readout = ''
          const shift = standOn(posed, active, target)
          gesture.update(draft => applyMotion(draft, before, ids, { pivot: frame.origin, rotation: [0, 0, 0, 1], shift }))
          return
        }
        const result = drag(rayThrough(now, px, py), stepFor(turning ? snapping.rotate : snapping.move, snapping.enabled, keys))
        if (!result) return
        open.readout = result.readout.map(([label, value, unit]) => `${label} ${formatNumber(value)}${unit === '°' ? '°' : ' m'}`).join('   ')
        if (id.kind === 'free' && !keys.alt) open.readout += '   Alt: onto bodies'
        open.sweep = result.sweep
        gesture.update(draft => applyMotion(draft, before, ids, result.motion))
      },
    }
    return open
  }

  private startResize(id: HandleId & { kind: 'size' }, x: number, y: number, view: Projection): OpenDrag | null {
    const target = this.sizedShape()
    const size = this.sizes[id.index]
    if (!target || !size) return null
    const first = nearestOnLine(rayThrough(view, x, y), size.point, size.direction)
    if (first === null) return null
    const place = this.document.place(target.body)!
    const gesture = this.open('resize')
    const open: OpenDrag = {
      id, gesture, readout: '', sweep: null, onto: null, at: [x, y],
      move: (px, py, now, keys) => {
        const along = nearestOnLine(rayThrough(now, px, py), size.point, size.direction)
        if (along === null) return
        const { snapping } = this.view
        const { shape, value } = dragSize(size, along - first, stepFor(snapping.resize, snapping.enabled, keys))
        open.readout = `${size.label} ${formatQuantity(value, size.unit)}`
        gesture.update(draft => { replaceShape(draft, place.index, target.index, shape) })
      },
    }
    return open
  }

  private open(label: string): Gesture {
    return startGesture(label, () => {
      this.drag = null
      this.changed()
    })
  }

  move(x: number, y: number, view: Projection, keys: Keys): void {
    if (!this.drag) return
    this.drag.at = [x, y]
    this.drag.move(x, y, view, keys)
    this.changed()
  }

  release(): void {
    this.drag?.gesture.commit()
    this.drag = null
    this.changed()
  }

  cancel(): void {
    this.drag?.gesture.cancel()
    this.drag = null
    this.changed()
  }

  draw(ctx: Context, posed: PosedScene, view: Projection, theme: ViewportTheme): void {
    const handles = this.handles(posed, view)
    if (this.drag?.sweep && this.frame) this.drawAngle(ctx, this.drag.sweep, this.frame, view, theme)
    drawHandles(ctx, handles, this.hovered, this.drag?.id ?? null, theme)
    const onto = this.drag?.onto && toPixel(view, this.drag.onto.point)
    if (onto) drawPicked(ctx, onto, null, this.drag!.onto!.kind, theme)
    if (this.drag?.readout) drawPlateBeside(ctx, this.drag.readout, this.drag.at, [24, -24], view.width, theme, { strong: true })
  }

  private drawAngle(ctx: Context, sweep: NonNullable<DragResult['sweep']>, frame: GizmoFrame, view: Projection, theme: ViewportTheme): void {
    const center = toPixel(view, frame.origin)
    if (!center || sweep.angle === 0) return
    const radius = SIZES.ring * metresPerPixel(view, frame.origin)
    const other = cross(sweep.axis, sweep.from)
    const steps = Math.min(180, Math.max(2, Math.ceil(Math.abs(sweep.angle) / 0.08)))
    const path: Pixel[] = []
    for (let i = 0; i <= steps; i++) {
      const angle = sweep.angle * i / steps
      const point: Vec3 = addScaled(addScaled(frame.origin, sweep.from, radius * Math.cos(angle)), other, radius * Math.sin(angle))
      const pixel = toPixel(view, point)
      if (pixel) path.push(pixel)
    }
    if (Math.abs(dot(sweep.axis, sub(view.eye, frame.origin))) > 0) drawSweep(ctx, center, path, theme)
  }
}
