/**
 * Pointer, wheel, touch and keys that move the camera.
 *
 *   middle, right or Alt + left drag: orbit · with Shift: pan · with Ctrl: zoom · wheel: zoom to the pointer
 *   right button held + W A S D Q E: fly; moving the pointer turns the camera
 *   two fingers: pan and pinch; one finger on empty space: orbit
 *   keys on the viewport: Alt + arrows orbit, Alt + Shift + arrows pan, + and − zoom
 */

import type { CameraState } from '../../state/view'
import { fly, lookAround, orbit, pan, zoom } from './camera-state'
import { meetPlane, rayThrough, type Projection } from './projection'

const ORBIT_PER_PIXEL = 0.0055
const ZOOM_PER_PIXEL = 0.006
const KEY_ANGLE = Math.PI / 24
const KEY_PAN = 40
const FLY_KEYS: Readonly<Record<string, readonly [number, number, number]>> = {
  KeyW: [0, 0, 1], KeyS: [0, 0, -1], KeyA: [-1, 0, 0], KeyD: [1, 0, 0], KeyE: [0, 1, 0], KeyQ: [0, -1, 0],
}

export interface CameraPort {
  camera(): CameraState
  projection(): Projection
  /** The user moved the camera. */
  move(camera: CameraState): void
}

export type CameraDrag = 'orbit' | 'pan' | 'zoom'

/** The camera drag that a press of these buttons starts; null if it starts none. */
export function cameraDragOf(event: PointerEvent): CameraDrag | null {
  const moving = event.button === 1 || event.button === 2 || (event.button === 0 && event.altKey)
  if (!moving) return null
  return event.shiftKey ? 'pan' : event.ctrlKey || event.metaKey ? 'zoom' : 'orbit'
}

export class CameraInput {
  private readonly held = new Set<string>()
  private flying = 0
  private lastTick = 0
  private readonly touches = new Map<number, { x: number; y: number }>()

  constructor(private readonly port: CameraPort) {}

  drag(kind: CameraDrag, dx: number, dy: number): void {
    const camera = this.port.camera()
    const { height } = this.port.projection()
    if (kind === 'pan') this.port.move(pan(camera, dx, dy, height))
    else if (kind === 'zoom') this.port.move(zoom(camera, Math.exp(dy * ZOOM_PER_PIXEL)))
    else if (this.held.size > 0) this.port.move(lookAround(camera, -dx * ORBIT_PER_PIXEL, dy * ORBIT_PER_PIXEL))
    else this.port.move(orbit(camera, -dx * ORBIT_PER_PIXEL, dy * ORBIT_PER_PIXEL))
  }

  /** Zooms about the point under the pointer, in the plane of the target. */
  wheel(event: WheelEvent, x: number, y: number): void {
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 32 : event.deltaMode === WheelEvent.DOM_DELTA_PAGE ? 400 : 1
    const speed = event.ctrlKey ? 0.01 : 0.0016
    const factor = Math.exp(Math.max(-1, Math.min(1, event.deltaY * lines * speed)))
    this.zoomAt(factor, x, y)
  }

  zoomAt(factor: number, x: number, y: number): void {
    const view = this.port.projection()
    const fixed = meetPlane(rayThrough(view, x, y), view.camera.target, view.axes.forward)
    this.port.move(zoom(this.port.camera(), factor, fixed ?? undefined))
  }

  /** Handles Alt + arrows, + and −. True if the camera used the key. */
  key(event: KeyboardEvent): boolean {
    const camera = this.port.camera()
    const { height } = this.port.projection()
    const arrows: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
    }
    const arrow = arrows[event.key]
    if (arrow && event.altKey && !event.ctrlKey) {
      const [x, y] = arrow
      if (event.shiftKey) this.port.move(pan(camera, -x * KEY_PAN, -y * KEY_PAN, height))
      else this.port.move(orbit(camera, x * KEY_ANGLE, -y * KEY_ANGLE))
      return true
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return false
    if (event.key === '+' || event.key === '=') this.port.move(zoom(camera, 1 / 1.2))
    else if (event.key === '-') this.port.move(zoom(camera, 1.2))
    else return false
    return true
  }

  /** Handles flying keys while the right button is down. True if the camera used the key. */
  flyKey(event: KeyboardEvent, down: boolean): boolean {
    if (!(event.code in FLY_KEYS)) return false
    if (down) this.held.add(event.code)
    else this.held.delete(event.code)
    if (this.held.size > 0 && this.flying === 0) {
      this.lastTick = performance.now()
      this.flying = requestAnimationFrame(this.tick)
    }
    return true
  }

  stopFlying(): void {
    this.held.clear()
    cancelAnimationFrame(this.flying)
    this.flying = 0
  }

  private readonly tick = (now: number) => {
    const elapsed = Math.min(0.1, (now - this.lastTick) / 1000)
    this.lastTick = now
    const camera = this.port.camera()
    const step = camera.distance * 0.9 * elapsed
    const [right, up, forward] = [0, 1, 2].map(k => [...this.held].reduce((sum, code) => sum + FLY_KEYS[code]![k]!, 0) * step) as [number, number, number]
    this.port.move(fly(camera, right, up, forward))
    this.flying = this.held.size > 0 ? requestAnimationFrame(this.tick) : 0
  }

  /** Handles a finger that was put down, moved or lifted. True while two fingers move the camera. */
  touch(event: PointerEvent, phase: 'down' | 'move' | 'up'): boolean {
    const former = this.touches.get(event.pointerId)
    if (phase === 'up') {
      const two = this.touches.size >= 2
      this.touches.delete(event.pointerId)
      return two
    }
    if (phase === 'down') {
      this.touches.set(event.pointerId, { x: event.offsetX, y: event.offsetY })
      return this.touches.size >= 2
    }
    if (!former || this.touches.size < 2) {
      if (former) this.touches.set(event.pointerId, { x: event.offsetX, y: event.offsetY })
      return false
    }
    const other = [...this.touches].find(([id]) => id !== event.pointerId)![1]
    const before = Math.hypot(former.x - other.x, former.y - other.y)
    const after = Math.hypot(event.offsetX - other.x, event.offsetY - other.y)
    this.touches.set(event.pointerId, { x: event.offsetX, y: event.offsetY })
    this.drag('pan', (event.offsetX - former.x) / 2, (event.offsetY - former.y) / 2)
    if (before > 1 && after > 1) this.zoomAt(before / after, (event.offsetX + other.x) / 2, (event.offsetY + other.y) / 2)
    return true
  }
}
