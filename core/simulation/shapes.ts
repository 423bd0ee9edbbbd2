/** From the scene's shapes to the solids of `core/geometry`. */

import { createPrimitives, SHAPE_TYPES, type ShapeSpec } from '../geometry/primitives'
import type { Primitive } from '../geometry/shape'
import type { ResolvedShape } from '../scene'

export function isSupported(shape: ResolvedShape): boolean {
  return (SHAPE_TYPES as readonly string[]).includes(shape.type)
}

/** The convex solids of a shape, in the shape's own axes. @throws ShapeError */
export function solidsOf(shape: ResolvedShape): readonly Primitive[] {
  return createPrimitives(shape as unknown as ShapeSpec)
}
