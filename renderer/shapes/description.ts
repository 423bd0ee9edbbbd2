/** What the editor knows of one kind of shape: all of it in its file. */

import type { Vec3 } from '../../core/math/vector'
import type { Shape } from '../../core/scene'
import type { ShapeDrawing } from './drawing'

export interface ShapeDescription<S extends Shape> {
  /** As menus call it; null where it comes from a file only. */
  readonly label: string | null
  /** What ids of new bodies begin with. */
  readonly stem: string
  /** Whether a new body of a scene in two dimensions can have it; others have no section with the plane, or are no prism. */
  readonly planar: boolean
  /** A first guess at its sizes: half a metre, so that it can be seen and grasped. */
  initial(material: string): S
  /** Height of the shape's origin above a horizontal plane that it stands on, m; of new shapes, of which only cylinders that lie are turned. */
  restingHeight(shape: S): number
  /** null: it has no mesh, and is drawn as a plane. */
  drawing(shape: S): ShapeDrawing | null
  /** Handles that change its sizes. */
  sizes(shape: S): readonly ShapeSize[]
}

/** A size that can be dragged, in the shape's own axes. */
export interface ShapeSize {
  /** Where its handle is, m. */
  readonly at: Vec3
  /** In which the handle is dragged; absent: away from the origin. */
  readonly direction?: Vec3
  readonly axis: 0 | 1 | 2 | null
  /** What is shown while dragging, e.g. `size x`. */
  readonly label: string
  readonly unit: 'm' | '×'
  /** Its present value, m or a factor. */
  readonly value: number
  /** Change of the value when the handle moves by one metre. */
  readonly rate: number
  /** Whether the opposite end stays where it is, so that the shape's middle moves by half the change. */
  readonly oneSided: boolean
  resized(value: number): Shape
}
