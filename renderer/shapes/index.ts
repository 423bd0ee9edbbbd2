/** All shape types in the order of menus. A missing one is a compile error. */

import type { Shape, ShapeOf, ShapeType } from '../../core/scene'
import { box } from './box'
import { capsule, cone, cylinder } from './cylinder'
import type { ShapeDescription, ShapeSize } from './description'
import type { ShapeDrawing } from './drawing'
import { implicit, parametric } from './formulas'
import { halfSpace } from './half-space'
import { convexHull, mesh, polyhedron } from './polyhedra'
import { ellipsoid, sphere } from './sphere'
import { superquadric } from './superquadric'

const SHAPES: { readonly [T in ShapeType]: ShapeDescription<ShapeOf<T>> } = {
  box, sphere, convexHull, polyhedron, halfSpace, capsule, cylinder, cone, ellipsoid, superquadric, implicit, parametric, mesh,
}

/** The description of a shape's type. */
const describe = (type: ShapeType) => SHAPES[type] as ShapeDescription<Shape>

export const shapeTypes = Object.keys(SHAPES) as ShapeType[]
export const shapeStem = (type: ShapeType): string => describe(type).stem
export const isPlanarShape = (type: ShapeType): boolean => describe(type).planar
export const defaultShape = (type: ShapeType, material: string): Shape => describe(type).initial(material)
export const restingHeight = (shape: Shape): number => describe(shape.type).restingHeight(shape)
export const drawingOf = (shape: Shape): ShapeDrawing | null => describe(shape.type).drawing(shape)
export const sizesOf = (shape: Shape): readonly ShapeSize[] => describe(shape.type).sizes(shape)

/** Shapes in the Add menu, with their labels. */
export const addableShapes: readonly (readonly [ShapeType, string])[] = shapeTypes.flatMap(type => {
  const { label } = describe(type)
  return label === null ? [] : [[type, label] as const]
})

export { pieceDrawings } from './polyhedra'
export type { ShapeDrawing } from './drawing'
