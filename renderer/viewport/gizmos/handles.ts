/** The handles of a gizmo in pixels: their outlines, and the handle under the pointer. */

import { addScaled, cross, dot, perpendicular, sub, type Vec3 } from '../../../core/math/vector'
import { metresPerPixel, toPixel, type Projection } from '../camera/projection'
import type { Axis, GizmoFrame } from './gizmo-frame'
import type { SizeHandle } from './resize'

export type HandleId =
  | { readonly kind: 'axis'; readonly axis: Axis }
  /** Moves in the plane whose normal is this axis. */
  | { readonly kind: 'plane'; readonly axis: Axis }
  /** Moves in the plane of the picture. */
  | { readonly kind: 'free' }
  | { readonly kind: 'ring'; readonly axis: Axis }
  /** Turns about the viewing direction. */
  | { readonly kind: 'viewRing' }
  | { readonly kind: 'size'; readonly index: number }

export type Pixel = readonly [number, number]

export interface Handle {
  readonly id: HandleId
  /** Axis that gives the colour; null for handles without an axis. */
  readonly axis: Axis | null
  /** Lines that are drawn and can be picked. */
  readonly path: readonly Pixel[]
  /** The far half of a ring: drawn faintly, cannot be picked. */
  readonly back: readonly Pixel[]
  /** Closed and filled. */
  readonly filled: boolean
  readonly tip: 'arrow' | 'square' | 'dot' | null
}

/** CSS pixels. */
export const SIZES = { axis: 82, planeFrom: 24, planeTo: 40, ring: 78, viewRing: 96, free: 9, reach: 8 } as const
const RING_STEPS = 72
/** An axis that points almost at the eye is too short on the screen to be dragged along. */
const SHORTEST = 14

export function moveHandles(frame: GizmoFrame, view: Projection): Handle[] {
  const center = toPixel(view, frame.origin)
  if (!center) return []
  const perPixel = metresPerPixel(view, frame.origin)
  const at = (...steps: readonly (readonly [Axis, number])[]) => {
    const point = steps.reduce<Vec3>((p, [axis, l]) => addScaled(p, frame.axes[axis], l * perPixel), frame.origin)
    return toPixel(view, point) ?? center
  }
  const handles: Handle[] = []
  for (const axis of [0, 1, 2] as const) {
    const u = ((axis + 1) % 3) as Axis
    const v = ((axis + 2) % 3) as Axis
    if (Math.abs(dot(frame.axes[axis], sightAt(view, frame.origin))) < 0.25) continue
    const { planeFrom: a, planeTo: b } = SIZES
    const path = [at([u, a], [v, a]), at([u, b], [v, a]), at([u, b], [v, b]), at([u, a], [v, b])]
    handles.push({ id: { kind: 'plane', axis }, axis, path, back: [], filled: true, tip: null })
  }
  for (const axis of [0, 1, 2] as const) {
    const end = at([axis, SIZES.axis])
    if (Math.hypot(end[0] - center[0], end[1] - center[1]) < SHORTEST) continue
    handles.push({ id: { kind: 'axis', axis }, axis, path: [at([axis, 12]), end], back: [], filled: false, tip: 'arrow' })
  }
  handles.push({ id: { kind: 'free' }, axis: null, path: circle(center, SIZES.free), back: [], filled: true, tip: null })
  return handles
}

export function rotateHandles(frame: GizmoFrame, view: Projection): Handle[] {
  const center = toPixel(view, frame.origin)
  if (!center) return []
  const radius = SIZES.ring * metresPerPixel(view, frame.origin)
  const sight = sightAt(view, frame.origin)
  const handles: Handle[] = [{ id: { kind: 'viewRing' }, axis: null, path: [...circle(center, SIZES.viewRing)], back: [], filled: false, tip: null }]
  for (const axis of [0, 1, 2] as const) {
    const u = perpendicular(frame.axes[axis])
    const v = cross(frame.axes[axis], u)
    const front: Pixel[] = []
    const back: Pixel[] = []
    // A ring that faces the eye has no hidden half.
    const facing = Math.abs(dot(frame.axes[axis], sight)) > 0.95
    const points = Array.from({ length: RING_STEPS }, (_, i) => {
      const angle = 2 * Math.PI * i / RING_STEPS
      const offset = addScaled(addScaled([0, 0, 0], u, radius * Math.cos(angle)), v, radius * Math.sin(angle))
      const pixel = toPixel(view, addScaled(frame.origin, offset, 1)) ?? center
      return { pixel, near: facing || dot(offset, sight) <= 0.04 * radius }
    })
    // Starting on the far side makes the near half one connected arc. Seen face-on, the whole ring is near.
    const start = Math.max(0, points.findIndex(({ near }) => !near))
    for (let i = 0; i <= RING_STEPS; i++) {
      const { pixel, near } = points[(start + i) % RING_STEPS]!
      if (near) front.push(pixel)
      else back.push(pixel)
    }
    handles.push({ id: { kind: 'ring', axis }, axis, path: front, back, filled: false, tip: null })
  }
  return handles
}

export function sizeHandles(sizes: readonly SizeHandle[], view: Projection): Handle[] {
  const handles: Handle[] = []
  sizes.forEach((size, index) => {
    const center = toPixel(view, size.point)
    const from = toPixel(view, size.from)
    if (center && from) handles.push({ id: { kind: 'size', index }, axis: size.axis, path: [from, center], back: [], filled: false, tip: 'square' })
  })
  return handles
}

/** The handle under a pixel; of several, the one drawn last. */
export function handleAt(handles: readonly Handle[], x: number, y: number): Handle | null {
  for (let i = handles.length - 1; i >= 0; i--) {
    const handle = handles[i]!
    const hit = handle.filled
      ? insidePolygon(handle.path, x, y)
      : handle.tip === 'square'
        ? distanceToPath([handle.path.at(-1)!, handle.path.at(-1)!], x, y) <= SIZES.reach + 1
        : distanceToPath(handle.path, x, y) <= SIZES.reach
    if (hit) return handle
  }
  return null
}

export const sameHandle = (a: HandleId | null, b: HandleId | null): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Unit, from the eye towards a point. */
export function sightAt(view: Projection, point: Vec3): Vec3 {
  if (view.camera.orthographic) return view.axes.forward
  const to = sub(point, view.eye)
  const l = Math.sqrt(dot(to, to))
  return [to[0] / l, to[1] / l, to[2] / l]
}

function circle([x, y]: Pixel, radius: number): Pixel[] {
  return Array.from({ length: 49 }, (_, i): Pixel => [x + radius * Math.cos(i * Math.PI / 24), y + radius * Math.sin(i * Math.PI / 24)])
}

function distanceToPath(path: readonly Pixel[], x: number, y: number): number {
  let least = Infinity
  for (let i = 1; i < path.length; i++) {
    const [ax, ay] = path[i - 1]!
    const [bx, by] = path[i]!
    const dx = bx - ax
    const dy = by - ay
    const square = dx * dx + dy * dy
    const s = square > 0 ? Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / square)) : 0
    least = Math.min(least, Math.hypot(x - ax - s * dx, y - ay - s * dy))
  }
  return least
}

function insidePolygon(path: readonly Pixel[], x: number, y: number): boolean {
  let inside = false
  for (let i = 0, j = path.length - 1; i < path.length; j = i++) {
    const [xi, yi] = path[i]!
    const [xj, yj] = path[j]!
    if (yi > y !== yj > y && x < (xj - xi) * (y - yi) / (yj - yi) + xi) inside = !inside
  }
  return inside
}
