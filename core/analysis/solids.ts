/** Converts the scene's shapes to solids, and computes mass properties from a body's shapes and override [scene-format: mass]. */

import { combineMass, type BodyMass, type SolidPart } from '../geometry/mass'
import { hullFaces } from '../geometry/hull'
import { enclosedMass, triangleMesh, type Mesh } from '../geometry/mesh'
import { Polyhedron } from '../geometry/polyhedron'
import type { MergedFaces } from '../geometry/polyhedron-build'
import { polyhedronMass } from '../geometry/polyhedron-mass'
import { createPrimitives, SHAPE_TYPES, type ShapeSpec } from '../geometry/primitives'
import { ShapeError, type MassProperties, type Primitive } from '../geometry/shape'
import { scaleMatrix, symmetric } from '../math/matrix'
import { scale as scaled } from '../math/vector'
import type { ResolvedBody, ResolvedScene, ResolvedShape, ResolvedShapeOf, Shape, ShapeOf } from '../scene'

/** Whether this version supports the shape as a solid. */
export function isKnownShape(shape: ResolvedShape): boolean {
  return (SHAPE_TYPES as readonly string[]).includes(shape.type)
}

const solids = new WeakMap<object, readonly Primitive[]>()

/** The convex solids of a shape, in the shape's axes; cached, because shapes are immutable. @throws ShapeError */
export function solidsOf(shape: ResolvedShape | Shape): readonly Primitive[] {
  let known = solids.get(shape)
  if (known === undefined) {
    known = shape.type === 'convexHull' ? [Polyhedron.fromHull('convexHull', hullOf(shape))] : createPrimitives(shape as unknown as ShapeSpec)
    solids.set(shape, known)
  }
  return known
}

/** The solid of a shape that consists of one piece; null if it cannot be built, which `check` reports. */
export function builtSolid(shape: ResolvedShape | Shape): Primitive | null {
  try {
    return solidsOf(shape)[0] ?? null
  } catch (error) {
    if (error instanceof ShapeError) return null
    throw error
  }
}

interface Hull extends MergedFaces {
  readonly massProperties: MassProperties
}

const hulls = new WeakMap<object, Hull>()

/** Computes the larger part only on demand: exports display and weigh thousands of hulls without contacts. */
function hullOf(shape: ResolvedShapeOf<'convexHull'> | ShapeOf<'convexHull'>): Hull {
  let known = hulls.get(shape)
  if (known === undefined) {
    const faces = hullFaces('convexHull', shape.points)
    known = { ...faces, massProperties: polyhedronMass(faces.vertices, faces.loops) }
    hulls.set(shape, known)
  }
  return known
}

/** Vertices and faces of the solids of a shape with flat faces. @throws ShapeError */
export function flatSurfacesOf(shape: ResolvedShape): Mesh[] {
  if (shape.type !== 'convexHull') return solidsOf(shape).map(solid => ({ vertices: (solid as Polyhedron).vertices, faces: (solid as Polyhedron).faces.map(face => face.loop) }))
  const { vertices, loops } = hullOf(shape)
  return [{ vertices, faces: loops }]
}

type MeshShape = Pick<ShapeOf<'mesh'>, 'vertices' | 'faces' | 'scale' | 'solid' | 'pieces'>

const meshMasses = new WeakMap<object, MassProperties | ShapeError>()

/**
 * Volume and moments enclosed by a mesh's surface: from the surface if it is in the document, from stored values if it is in a file. A ShapeError gives the
 * reason if there is none: no surface available, or an open one.
 */
export function meshMass(shape: MeshShape): MassProperties | ShapeError {
  let known = meshMasses.get(shape)
  if (known === undefined) {
    known = measureMesh(shape)
    meshMasses.set(shape, known)
  }
  return known
}

function measureMesh({ vertices, faces, scale = 1, solid }: MeshShape): MassProperties | ShapeError {
  if (solid !== undefined) {
    return { volume: solid.volume, centroid: solid.centroid, inertia: symmetric(...solid.inertia) }
  }
  if (vertices === undefined || faces === undefined) {
    return new ShapeError('mesh', 'openSurface', 'the volume of its file is not known yet')
  }
  try {
    return enclosedMass(triangleMesh({ vertices: vertices.map(p => scaled(p, scale)), faces }))
  } catch (error) {
    if (error instanceof ShapeError) {
      return error
    }
    throw error
  }
}

/** Solids that determine a body's mass: a closed mesh surface for meshes, and the solids of every other shape. @throws ShapeError */
export function massesOf(shape: ResolvedShape | Shape): readonly SolidPart['primitive'][] {
  if (shape.type === 'convexHull') return [hullOf(shape)]
  const own = solidsOf(shape)
  if (shape.type !== 'mesh') {
    return own
  }
  const massProperties = meshMass(shape)
  return massProperties instanceof ShapeError ? own : [{ massProperties }]
}

const densitiesKnown = new WeakMap<object, ReadonlyMap<string, number>>()

/** kg/m³ by the material's id; cached per scene, because materials are immutable. */
function densitiesOf(materials: ResolvedScene['materials']): ReadonlyMap<string, number> {
  let known = densitiesKnown.get(materials)
  if (known === undefined) {
    known = new Map(materials.map(({ id, density }) => [id, density]))
    densitiesKnown.set(materials, known)
  }
  return known
}

/** All solids that contribute to a body's mass, with pose in the body frame and density. @throws ShapeError */
export function partsOf(body: ResolvedBody, scene: ResolvedScene): SolidPart[] {
  const densities = densitiesOf(scene.materials)
  return body.shapes.flatMap(shape => {
    const density = densities.get(shape.material)!
    return massesOf(shape).map(primitive => ({ primitive, pose: { position: shape.position, orientation: shape.orientation }, density }))
  })
}

/** Each key of the override applies separately: mass without inertia scales the shapes' inertia with the mass. */
export function bodyMass(body: Pick<ResolvedBody, 'mass'>, parts: readonly SolidPart[]): BodyMass {
  const shapes = combineMass(parts)
  const { mass: override } = body
  if (override === undefined) return shapes
  const mass = override.mass ?? shapes.mass
  return {
    mass,
    centerOfMass: override.centerOfMass ?? shapes.centerOfMass,
    inertia: override.inertia ? symmetric(...override.inertia) : scaleMatrix(shapes.inertia, mass / shapes.mass),
  }
}
