/** The registry of shapes, from scene shapes to primitives. A new shape is one entry here. */

import type { Vec3 } from '../math/vector'
import { box } from './box'
import { Capsule } from './capsule'
import { Cone } from './cone'
import { Cylinder } from './cylinder'
import { Ellipsoid } from './ellipsoid'
import { implicitSurface, parametricSurface, type ParametricFormulas } from './formula'
import { HalfSpace } from './half-space'
import { convexHull } from './hull'
import { Polyhedron } from './polyhedron'
import { ShapeError, type Primitive, type PrimitiveKind } from './shape'
import { Sphere } from './sphere'
import { Superquadric } from './superquadric'

/** Plain data of every shape, with the field names of the scene file, without pose and material. Lengths in m. */
export interface ShapeSpecs {
  box: { readonly size: Vec3 }
  convexHull: { readonly points: readonly Vec3[] }
  polyhedron: { readonly vertices: readonly Vec3[], readonly faces: readonly (readonly number[])[] }
  halfSpace: { readonly normal: Vec3, readonly offset: number }
  sphere: { readonly radius: number }
  ellipsoid: { readonly radii: Vec3 }
  cylinder: { readonly radius: number, readonly height: number }
  cone: { readonly radius: number, readonly height: number }
  capsule: { readonly radius: number, readonly height: number }
  /** A mesh is represented by its convex pieces; without them it cannot make contact. */
  mesh: { readonly pieces?: readonly { readonly points: readonly Vec3[] }[] }
  superquadric: { readonly radii: Vec3, readonly exponents: readonly [number, number] }
  implicit: { readonly formula: string }
  parametric: ParametricFormulas
}

export type ShapeType = keyof ShapeSpecs
export type ShapeSpec = { [T in ShapeType]: { readonly type: T } & ShapeSpecs[T] }[ShapeType]

const makers: { readonly [T in ShapeType]: (spec: ShapeSpecs[T]) => readonly Primitive[] } = {
  box: spec => [box(spec.size)],
  convexHull: spec => [convexHull('convexHull', spec.points)],
  polyhedron: spec => [Polyhedron.fromFaces('polyhedron', spec.vertices, spec.faces)],
  halfSpace: spec => [new HalfSpace(spec.normal, spec.offset)],
  sphere: spec => [new Sphere(spec.radius)],
  ellipsoid: spec => [new Ellipsoid(spec.radii)],
  cylinder: spec => [new Cylinder(spec.radius, spec.height)],
  cone: spec => [new Cone(spec.radius, spec.height)],
  capsule: spec => [new Capsule(spec.radius, spec.height)],
  mesh: spec => meshPieces(spec.pieces ?? []),
  superquadric: spec => [new Superquadric(spec.radii, spec.exponents)],
  implicit: spec => [implicitSurface(spec.formula)],
  parametric: spec => [parametricSurface(spec)],
}

function meshPieces(pieces: readonly { readonly points: readonly Vec3[] }[]): Primitive[] {
  if (pieces.length === 0) {
    throw new ShapeError('mesh', 'needsPieces', 'has no convex pieces yet; compute them with "cairn decompose", or with "Decompose" in the editor\'s inspector')
  }
  return pieces.map((piece, i) => convexHull(`mesh piece ${i}`, piece.points))
}

export const SHAPE_TYPES = Object.keys(makers) as readonly ShapeType[]

/** The contact primitive of a shape: every shape with flat faces is a polyhedron. */
export function kindOfShape(type: ShapeType): PrimitiveKind {
  if (type === 'implicit' || type === 'parametric') return 'formula'
  return type === 'box' || type === 'convexHull' || type === 'polyhedron' || type === 'mesh' ? 'polyhedron' : type
}

/** The convex solids of a shape: one per piece of a mesh, one for any other shape. @throws ShapeError */
export function createPrimitives(spec: ShapeSpec): readonly Primitive[] {
  return (makers[spec.type] as (spec: ShapeSpec) => readonly Primitive[])(spec)
}

/** The single convex solid of a shape. @throws ShapeError, also if the shape has several pieces. */
export function createPrimitive(spec: ShapeSpec): Primitive {
  const [primitive, ...others] = createPrimitives(spec)
  if (primitive === undefined || others.length > 0) {
    throw new ShapeError(spec.type, 'needsPieces', `has ${others.length + 1} convex pieces where one is expected`)
  }
  return primitive
}
