/** Everything that the editor needs to know of one shape type. */

import type { Vec3 } from '../../core/math/vector'
import type { Shape } from '../../core/scene'
import type { ShapeDrawing } from './drawing'

export interface ShapeDescription<S extends Shape> {
  /** Label in menus; null if it can only come from a file. */
  readonly label: string | null
  /** Stem of ids of new bodies. */
  readonly stem: string
  /** Whether new bodies in two-dimensional scenes can have it; other shapes are not prisms or have no section with the plane. */
  readonly planar: boolean
  /** Initial dimensions: half a metre, easy to see and drag. */
  initial(material: string): S
  /** Height of the origin of a new shape above the horizontal plane that it rests on, m. Of new shapes only lying cylinders are rotated. */
  restingHeight(shape: S): number
  /** null: it has no mesh and is drawn as a plane. */
  drawing(shape: S): ShapeDrawing | null
  /** Handles that change its dimensions. */
  sizes(shape: S): readonly ShapeSize[]
}

/** A dimension that can be dragged, in the shape's own axes. */
export interface ShapeSize {
  /** Position of its handle, m. */
  readonly at: Vec3
  /** Direction of dragging; absent: away from the origin. */
  readonly direction?: Vec3
  readonly axis: 0 | 1 | 2 | null
  /** Label shown while dragging, e.g. `size x`. */
  readonly label: string
  readonly unit: 'm' | '×'
  /** Its present value, m or a factor. */
  readonly value: number
  /** Change of the value when the handle moves by one metre. */
  readonly rate: number
  /** Whether the opposite end stays in place, so that the shape's centre moves by half the change. */
  readonly oneSided: boolean
  resized(value: number): Shape
}
