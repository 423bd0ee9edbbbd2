/** The effect of dragging a handle, as functions of the ray under the pointer: displacements and angles, rounded to the increment. */

import { addScaled, cross, dot, normalize, sub, type Vec3 } from '../../../core/math/vector'
import { meetPlane, nearestOnLine, type Projection, type Ray } from '../camera/projection'
import type { Axis, GizmoFrame } from './gizmo-frame'
import { sightAt, type HandleId } from './handles'
import { rotationAbout, type RigidMotion } from './rigid-edit'
import { snap, tidy } from './snapping'

const NO_TURN = [0, 0, 0, 1] as const

export interface DragResult {
  readonly motion: RigidMotion
  /** For the readout beside the pointer. */
  readonly readout: readonly (readonly [label: string, value: number, unit: 'm' | '°'])[]
  /** The swept angle for drawing: axis, start direction, angle in rad. */
  readonly sweep?: { readonly axis: Vec3; readonly from: Vec3; readonly angle: number }
}

/** Computes the result for a ray. Increments in m or rad; 0: no snapping. */
export type Drag = (ray: Ray, step: number) => DragResult | null

/** @param absolute snaps coordinates to the world's grid instead of snapping the displacement */
export function moveDrag(id: HandleId, frame: GizmoFrame, start: Ray, view: Projection, absolute: boolean): Drag | null {
  if (id.kind === 'axis') return moveAlong(frame, id.axis, start, absolute)
  const normal = id.kind === 'plane' ? frame.axes[id.axis] : sightAt(view, frame.origin)
  const first = meetPlane(start, frame.origin, normal)
  if (!first) return null
  const along: readonly Axis[] = id.kind === 'plane' ? ([0, 1, 2] as const).filter(axis => axis !== id.axis) : [0, 1, 2]
  return (ray, step) => {
    const point = meetPlane(ray, frame.origin, normal)
    if (!point) return null
    const raw = sub(point, first)
    // A drag in the picture plane rounds all three coordinates; a drag in an axis plane rounds the two of that plane.
    const parts = along.map(axis => [axis, rounded(dot(raw, frame.axes[axis]), dot(frame.origin, frame.axes[axis]), step, absolute)] as const)
    const shift = parts.reduce<Vec3>((sum, [axis, by]) => addScaled(sum, frame.axes[axis], by), [0, 0, 0])
    return { motion: { pivot: frame.origin, rotation: NO_TURN, shift }, readout: parts.map(([axis, by]) => [`Δ${'xyz'[axis]}`, by, 'm'] as const) }
  }
}

function moveAlong(frame: GizmoFrame, axis: Axis, start: Ray, absolute: boolean): Drag | null {
  const direction = frame.axes[axis]
  const first = nearestOnLine(start, frame.origin, direction)
  if (first === null) return null
  return (ray, step) => {
    const now = nearestOnLine(ray, frame.origin, direction)
    if (now === null) return null
    const by = rounded(now - first, dot(frame.origin, direction), step, absolute)
    return {
      motion: { pivot: frame.origin, rotation: NO_TURN, shift: addScaled([0, 0, 0], direction, by) },
      readout: [[`Δ${'xyz'[axis]}`, by, 'm']],
    }
  }
}

/** Displacement rounded so that the resulting coordinate lies on the grid (`absolute`), or so that it is a multiple of the step. */
function rounded(by: number, from: number, step: number, absolute: boolean): number {
  return absolute && step > 0 ? tidy(snap(from + by, step) - from) : snap(by, step)
}

export function rotateDrag(id: HandleId, frame: GizmoFrame, start: Ray, view: Projection): Drag | null {
  const axis = id.kind === 'ring' ? frame.axes[id.axis] : normalize(subtract(sightAt(view, frame.origin)))
  const label = id.kind === 'ring' ? `about ${'xyz'[id.axis]}` : 'about the view'
  const tangent = Math.abs(dot(axis, sightAt(view, frame.origin))) < 0.12 ? edgeOnTangent(axis, frame, view) : null
  const first = tangent ? null : meetPlane(start, frame.origin, axis)
  if (!tangent && !first) return null
  const from = first ? normalize(sub(first, frame.origin)) : cross(axis, tangent!.direction)
  const other = cross(axis, from)
  let turns = 0
  let former = 0
  return (ray, step) => {
    let angle: number
    if (tangent) {
      // A ring seen edge-on is turned by dragging along the tangent of its rim.
      const a = nearestOnLine(start, frame.origin, tangent.direction)
      const b = nearestOnLine(ray, frame.origin, tangent.direction)
      if (a === null || b === null) return null
      angle = (b - a) / tangent.radius
    } else {
      const point = meetPlane(ray, frame.origin, axis)
      if (!point) return null
      const to = sub(point, frame.origin)
      const plain = Math.atan2(dot(to, other), dot(to, from))
      if (plain - former > Math.PI) turns--
      else if (plain - former < -Math.PI) turns++
      former = plain
      angle = plain + 2 * Math.PI * turns
    }
    const by = step > 0 ? Math.round(angle / step) * step : angle
    return {
      motion: { pivot: frame.origin, rotation: by === 0 ? NO_TURN : rotationAbout(axis, by), shift: [0, 0, 0] },
      readout: [[label, tidy(by * 180 / Math.PI), '°']],
      sweep: { axis, from, angle: by },
    }
  }
}

const subtract = (v: Vec3): Vec3 => [-v[0], -v[1], -v[2]]

function edgeOnTangent(axis: Vec3, frame: GizmoFrame, view: Projection): { direction: Vec3; radius: number } {
  const direction = normalize(cross(axis, subtract(sightAt(view, frame.origin))))
  return { direction, radius: view.camera.distance * 0.12 }
}
