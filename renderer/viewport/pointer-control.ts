/** Pointer and keys on the canvas: dispatches presses to camera, tools, gizmo, live drag, pick request or selection. */

import { useLive } from '../state/live'
import { usePick } from '../state/pick'
import { useSelection } from '../state/selection'
import { useView, type CameraState } from '../state/view'
import { useViewportApi } from '../state/viewport-api'
import { CameraInput, cameraDragOf, type CameraDrag } from './camera/camera-input'
import { toPixel } from './camera/projection'
import { Gizmo } from './gizmos/gizmo'
import { HandDrag } from './hand-drag'
import { JointDrag } from './joint-drag'
import { drawPicked, drawSelectionBox, type Context } from './overlay/drawing'
import { drawHold } from './overlay/hold'
import { VertexControl } from './vertex-control'
import type { PointerTool, ToolKeys } from './pointer-tool'
import { pointerTools } from './pointer-tools'
import { PointerHits, type PickedHit } from './pointer-hits'
import { PointerSelection } from './pointer-selection'
import type { SceneView } from './scene-view'
import type { ViewportTheme } from './theme'

/** CSS pixels that the pointer may move during a click. */
const CLICK_SLACK = 4

type Press =
  | { readonly kind: 'camera'; readonly drag: CameraDrag; moved: boolean }
  | { readonly kind: 'gizmo' }
  | { readonly kind: 'vertices' }
  | { readonly kind: 'tool'; readonly tool: PointerTool }
  | { readonly kind: 'hand'; readonly hand: HandDrag; moved: boolean }
  | { readonly kind: 'joint'; readonly pull: JointDrag; moved: boolean }
  | { readonly kind: 'select'; boxed: boolean; readonly touch: boolean }

const keysOf = (event: PointerEvent): ToolKeys => ({ ctrl: event.ctrlKey || event.metaKey, shift: event.shiftKey })

export class PointerControl {
  readonly gizmo: Gizmo
  readonly hits: PointerHits
  private readonly selecting: PointerSelection
  private readonly vertexControl: VertexControl
  private readonly tools: readonly PointerTool[]
  private readonly selection = useSelection()
  private readonly viewStore = useView()
  private readonly pick = usePick()
  private readonly live = useLive()
  private readonly shown = useViewportApi()
  private readonly cameraInput: CameraInput
  private press: Press | null = null
  private preview: PickedHit | null = null
  private start: readonly [number, number] = [0, 0]
  private last: readonly [number, number] = [0, 0]
  private readonly stop: () => void

  constructor(
    private readonly canvas: HTMLCanvasElement, private readonly view: SceneView, moveCamera: (camera: CameraState) => void,
    private readonly redrawOverlay: () => void,
  ) {
    this.gizmo = new Gizmo(redrawOverlay)
    this.hits = new PointerHits(view)
    this.selecting = new PointerSelection(canvas, view, this.hits, this.gizmo)
    this.vertexControl = new VertexControl(view, redrawOverlay)
    this.tools = pointerTools(view, redrawOverlay)
    this.cameraInput = new CameraInput({ camera: () => this.viewStore.camera, projection: () => this.view.currentProjection(), move: moveCamera })
    const listeners: [string, (event: never) => void, AddEventListenerOptions?][] = [
      ['pointerdown', this.onDown], ['pointermove', this.onMove], ['pointerrawupdate', this.onRawMove], ['pointerup', this.onUp], ['pointercancel', this.onCancel],
      ['pointerleave', this.onLeave], ['wheel', this.onWheel, { passive: false }], ['keydown', this.onKeyDown], ['keyup', this.onKeyUp],
      ['contextmenu', this.onMenu], ['dblclick', event => this.selecting.doubleClick(event)], ['blur', this.onBlur],
    ]
    for (const [name, listener, options] of listeners) canvas.addEventListener(name, listener as unknown as EventListener, options)
    this.stop = () => { for (const [name, listener] of listeners) canvas.removeEventListener(name, listener as unknown as EventListener) }
  }

  private readonly onDown = (event: PointerEvent) => {
    this.canvas.focus({ preventScroll: true })
    this.start = this.last = [event.offsetX, event.offsetY]
    if (event.pointerType === 'touch' && this.cameraInput.touch(event, 'down')) {
      this.press = null
      return
    }
    if (this.press) return
    this.canvas.setPointerCapture(event.pointerId)
    const { tool } = this
    // With Alt the left button turns the view, except in vertex mode, where it removes vertices. The middle button must not scroll.
    const drag = event.button === 0 && this.editsVertices ? null : cameraDragOf(event)
    if (drag) {
      event.preventDefault()
      this.press = { kind: 'camera', drag: drag === 'orbit' && tool?.keepsDirection ? 'pan' : drag, moved: false }
    } else if (event.button === 0 && this.live.run !== null && !this.pick.request) {
      const hand = HandDrag.begin(this.hits.hitAt(event.offsetX, event.offsetY), this.view.posed, this.view.currentProjection(), event.offsetX, event.offsetY)
      this.press = hand ? { kind: 'hand', hand, moved: false } : { kind: 'camera', drag: 'orbit', moved: false }
    } else if (event.button === 0 && this.editsVertices) {
      this.vertexControl.press(event.offsetX, event.offsetY, event)
      this.press = { kind: 'vertices' }
    } else if (event.button === 0 && tool?.press(event.offsetX, event.offsetY, this.view.currentProjection(), keysOf(event))) {
      this.press = { kind: 'tool', tool }
    } else if (event.button === 0 && tool?.letsSelect !== false) {
      const { posed } = this.view
      const grasped = !this.pick.request && !tool && posed && this.gizmo.press(event.offsetX, event.offsetY, posed, this.view.currentProjection())
      const free = !grasped && !this.pick.request && !tool && event.pointerType !== 'touch' && !event.shiftKey && !event.ctrlKey && !event.metaKey
      const pull = free ? JointDrag.begin(this.hits.hitAt(event.offsetX, event.offsetY), posed, this.view.currentProjection()) : null
      this.press = grasped ? { kind: 'gizmo' } : pull ? { kind: 'joint', pull, moved: false } : { kind: 'select', boxed: false, touch: event.pointerType === 'touch' }
    }
  }

  /** Moves of a live drag, before the page's animation frame to which others are aligned; not while the answer to an earlier one is awaited. */
  private readonly onRawMove = (event: PointerEvent) => {
    if (this.press?.kind === 'hand' && this.press.moved && event.pointerType !== 'touch' && !this.live.isAwaiting()) this.onMove(event)
  }

  private readonly onMove = (event: PointerEvent) => {
    if (event.pointerType === 'touch' && this.cameraInput.touch(event, 'move')) return
    const [x, y] = [event.offsetX, event.offsetY]
    const [dx, dy] = [x - this.last[0], y - this.last[1]]
    const far = Math.hypot(x - this.start[0], y - this.start[1]) > CLICK_SLACK
    this.last = [x, y]
    switch (this.press?.kind) {
      case 'camera':
        this.press.moved ||= far
        if (this.press.moved) this.cameraInput.drag(this.press.drag, dx, dy)
        return
      case 'vertices': return this.vertexControl.move(x, y, far)
      case 'tool': return this.press.tool.move(x, y, this.view.currentProjection(), keysOf(event), far)
      case 'hand':
        this.press.moved ||= far
        return this.press.hand.move(x, y, this.view.currentProjection(), event.timeStamp)
      case 'joint':
        this.press.moved ||= far
        if (this.press.moved) this.press.pull.move(x, y, this.view.currentProjection())
        return
      case 'gizmo':
        this.gizmo.move(x, y, this.view.currentProjection(), { ctrl: event.ctrlKey || event.metaKey, shift: event.shiftKey, alt: event.altKey })
        return
      case 'select':
        this.press.boxed ||= far
        if (!this.press.boxed) return
        if (this.press.touch) this.cameraInput.drag('orbit', dx, dy)
        else this.redrawOverlay()
        return
      default:
        if (this.editsVertices) this.vertexControl.move(x, y, false)
        return this.hover(x, y, keysOf(event))
    }
  }

  private readonly onUp = (event: PointerEvent) => {
    if (event.pointerType === 'touch' && this.cameraInput.touch(event, 'up')) return
    const { press } = this
    this.press = null
    this.cameraInput.stopFlying()
    if (press?.kind === 'gizmo') this.gizmo.release()
    if (press?.kind === 'vertices') this.vertexControl.release(event.offsetX, event.offsetY)
    if (press?.kind === 'tool') press.tool.release()
    if (press?.kind === 'hand') press.hand.release()
    if ((press?.kind === 'hand' || (press?.kind === 'camera' && this.live.run !== null && event.button === 0)) && !press.moved) this.click(event.offsetX, event.offsetY, event.shiftKey || event.ctrlKey || event.metaKey)
    if (press?.kind === 'joint' && press.moved) press.pull.release()
    if (press?.kind === 'joint' && !press.moved) this.click(event.offsetX, event.offsetY, false)
    if (press?.kind === 'camera' && !press.moved && event.button === 2) this.selecting.openMenu(event)
    if (press?.kind !== 'select') return
    const adding = event.shiftKey || event.ctrlKey || event.metaKey
    if (!press.boxed) this.click(event.offsetX, event.offsetY, adding)
    else if (!press.touch) this.selecting.selectBox(this.start, [event.offsetX, event.offsetY], adding)
    this.redrawOverlay()
  }

  private readonly onCancel = (event: PointerEvent) => {
    if (event.pointerType === 'touch') this.cameraInput.touch(event, 'up')
    if (this.press?.kind === 'gizmo') this.gizmo.cancel()
    this.vertexControl.cancel()
    if (this.press?.kind === 'tool') this.press.tool.cancel()
    if (this.press?.kind === 'hand') this.press.hand.release()
    if (this.press?.kind === 'joint') this.press.pull.cancel()
    this.press = null
    this.cameraInput.stopFlying()
    this.redrawOverlay()
  }

  /** Whether left presses select vertices: in vertex mode, unless a pick is requested. */
  private get editsVertices(): boolean {
    return this.vertexControl.active && !this.pick.request && this.live.run === null
  }

  /** The active tool; none while a pick is requested. */
  private get tool(): PointerTool | undefined {
    return this.pick.request || this.live.run !== null ? undefined : this.tools.find(({ active }) => active)
  }

  private readonly onLeave = () => {
    if (this.press) return
    this.shown.pointed = null
    this.vertexControl.leave()
    this.tool?.leave()
    this.selection.hovered = null
    this.selection.hoveredContact = null
  }

  private readonly onWheel = (event: WheelEvent) => {
    event.preventDefault()
    if (this.press?.kind === 'hand') return this.live.changeFrequency(event.deltaY < 0 ? 1 : -1)
    this.cameraInput.wheel(event, event.offsetX, event.offsetY)
  }

  private readonly onKeyDown = (event: KeyboardEvent) => {
    const flying = this.press?.kind === 'camera' && this.press.drag === 'orbit' && this.cameraInput.flyKey(event, true)
    // Letting go after a flight is no click that asks for the menu.
    if (flying && this.press?.kind === 'camera') this.press.moved = true
    if (flying || this.cameraInput.key(event)) {
      event.preventDefault()
      event.stopPropagation()
    } else if (event.key === 'Escape' && this.press) {
      if (this.press.kind === 'gizmo') this.gizmo.cancel()
      if (this.press.kind === 'joint') this.press.pull.cancel()
      this.vertexControl.cancel()
      if (this.press.kind === 'tool') this.press.tool.cancel()
      this.press = null
      this.redrawOverlay()
      event.stopPropagation()
    }
  }

  private readonly onKeyUp = (event: KeyboardEvent) => { this.cameraInput.flyKey(event, false) }

  private readonly onBlur = () => this.cameraInput.stopFlying()

  /** The right button moves the camera. The menu opens when it is released without having moved, on every system. */
  private readonly onMenu = (event: MouseEvent) => {
    event.preventDefault()
    event.stopPropagation()
  }

  private hover(x: number, y: number, keys: ToolKeys): void {
    const { posed } = this.view
    if (!posed) return
    const view = this.view.currentProjection()
    this.shown.pointed = null
    if (this.editsVertices) {
      this.selection.hovered = this.selection.hoveredContact = null
      this.canvas.style.cursor = 'crosshair'
      return
    }
    const { tool } = this
    if (tool && !tool.letsSelect) this.selection.hovered = this.selection.hoveredContact = null
    const cursor = tool?.hover(x, y, view, keys) ?? null
    if (tool && (cursor !== null || !tool.letsSelect)) {
      this.canvas.style.cursor = cursor ?? 'default'
      if (tool.letsSelect) this.selection.hovered = this.selection.hoveredContact = null
      return
    }
    if (!tool && !this.pick.request && this.live.run === null && this.gizmo.hover(x, y, posed, view)) {
      this.canvas.style.cursor = 'grab'
      this.selection.hovered = null
      return
    }
    const contact = this.pick.request ? null : this.hits.contactAt(x, y)
    const id = contact ? null : this.hits.idAt(x, y)
    this.selection.hoveredContact = contact
    this.selection.hovered = id
    const preview = this.pick.request ? this.hits.pickedAt(x, y) : null
    if (preview || this.preview) this.redrawOverlay()
    this.preview = preview
    const hit = id === null ? null : this.hits.hitAt(x, y)
    this.shown.pointed = hit?.point ?? null
    const pulls = hit !== null && !tool && !this.pick.request && this.live.run === null && JointDrag.mayPull(hit)
    this.canvas.style.cursor = this.pick.request ? 'crosshair' : pulls ? 'grab' : contact || id ? 'pointer' : 'default'
  }

  private click(x: number, y: number, adding: boolean): void {
    this.preview = null
    this.selecting.click(x, y, adding)
  }

  /** Draws the selection box and the gizmo. */
  draw(ctx: Context, theme: ViewportTheme): void {
    const { posed } = this.view
    for (const hold of this.live.holds) drawHold(ctx, hold, this.live.actingOf(hold), this.view.projection, theme)
    if (this.live.run === null) this.vertexControl.draw(ctx, theme)
    const { tool } = this
    if (tool) tool.draw(ctx, this.view.projection, theme)
    else if (posed && !this.pick.request && this.live.run === null) this.gizmo.draw(ctx, posed, this.view.projection, theme)
    if (this.pick.request && this.preview) this.drawPreview(ctx, this.preview, theme)
    if (this.press?.kind === 'select' && this.press.boxed && !this.press.touch) drawSelectionBox(ctx, this.start, this.last, theme)
  }

  private drawPreview(ctx: Context, hit: PickedHit, theme: ViewportTheme): void {
    const pixel = toPixel(this.view.projection, hit.point)
    if (!pixel || this.pick.request?.what === 'body') return
    const direction = this.pick.request?.what === 'direction' ? hit.edge ?? hit.normal : null
    const l = this.view.typicalRadius
    const tip = direction && toPixel(this.view.projection, [hit.point[0] + direction[0] * l, hit.point[1] + direction[1] * l, hit.point[2] + direction[2] * l])
    drawPicked(ctx, pixel, tip, direction ? (hit.edge ? 'edge' : 'face') : hit.kind ?? 'face', theme, hit.vertex === undefined ? undefined : `vertex ${hit.vertex}`)
  }

  dispose(): void {
    if (this.gizmo.dragging) this.gizmo.cancel()
    this.cameraInput.stopFlying()
    this.stop()
  }
}
