/** Handles that change the dimensions of a shape; bodies have no scale. */

import { composePoses, toOuter, type Pose } from '../../../core/math/pose'
import { rotate } from '../../../core/math/quaternion'
import { add, normalize, scale, type Vec3 } from '../../../core/math/vector'
import type { Shape } from '../../../core/scene'
import { sizesOf } from '../../shapes'
import type { ShapeSize } from '../../shapes/description'
import { MIN_SIZE } from '../../shapes/sizes'
import { poseOf } from '../../state/scene-access'
import { snap, tidy } from './snapping'

/** A dimension of a shape, placed in the world. */
export interface SizeHandle extends Pick<ShapeSize, 'axis' | 'label' | 'unit' | 'value' | 'rate' | 'resized'> {
  /** World frame: position of the handle, start of its line, and the unit direction of dragging. */
  readonly point: Vec3
  readonly from: Vec3
  readonly direction: Vec3
}

/** Moves the handle by `by` metres along its direction. If `step` is not 0, values are multiples of it. */
export function dragSize(handle: SizeHandle, by: number, step: number): { shape: Shape; value: number } {
  const value = Math.max(MIN_SIZE, snap(handle.value + by * handle.rate, step) || MIN_SIZE)
  return { shape: handle.resized(value), value }
}

export function sizeHandlesOf(shape: Shape, body: Pose): SizeHandle[] {
  const own = poseOf(shape)
  const world = composePoses(body, own)
  return sizesOf(shape).map(size => {
    const { at, direction = at, axis, label, unit, value, rate } = size
    return {
      axis, label, unit, value, rate, point: toOuter(world, at), from: world.position, direction: rotate(world.orientation, normalize(direction)),
      resized: next => size.oneSided ? moved(size.resized(next), own, direction, (next - value) / 2) : size.resized(next),
    }
  })
}

/** The shape with its centre moved along a direction of its own axes. */
function moved(shape: Shape, own: Pose, direction: Vec3, by: number): Shape {
  const [x, y, z] = add(own.position, scale(rotate(own.orientation, normalize(direction)), by))
  return { ...shape, position: [tidy(x), tidy(y), tidy(z)] }
}
