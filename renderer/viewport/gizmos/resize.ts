/** Handles that change a shape's own sizes; bodies have no scale. */

import { composePoses, toOuter, type Pose } from '../../../core/math/pose'
import { rotate } from '../../../core/math/quaternion'
import { add, normalize, scale, type Vec3 } from '../../../core/math/vector'
import type { Shape } from '../../../core/scene'
import { sizesOf } from '../../shapes'
import type { ShapeSize } from '../../shapes/description'
import { LEAST_SIZE } from '../../shapes/sizes'
import { poseOf } from '../../state/scene-access'
import { snap, tidy } from './snapping'

/** A size of a shape as it lies in the world. */
export interface SizeHandle extends Pick<ShapeSize, 'axis' | 'label' | 'unit' | 'value' | 'rate' | 'resized'> {
  /** World: where the handle is, where its line starts, and the unit direction in which it is dragged. */
  readonly point: Vec3
  readonly from: Vec3
  readonly direction: Vec3
}

/** Drags the handle by `by` metres along its direction; values are multiples of `step`, where that is not 0. */
export function dragSize(handle: SizeHandle, by: number, step: number): { shape: Shape; value: number } {
  const value = Math.max(LEAST_SIZE, snap(handle.value + by * handle.rate, step) || LEAST_SIZE)
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

/** The shape with its middle moved along a direction of its own axes. */
function moved(shape: Shape, own: Pose, direction: Vec3, by: number): Shape {
  const [x, y, z] = add(own.position, scale(rotate(own.orientation, normalize(direction)), by))
  return { ...shape, position: [tidy(x), tidy(y), tidy(z)] }
}
