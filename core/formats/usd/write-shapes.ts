/** Shapes of the scene as gprims [UsdGeom], or as meshes if USD has no such shape. */

import { solidsOf } from '../../analysis/solids'
import type { Mesh } from '../../geometry/mesh'
import { composePoses, type Pose } from '../../math/pose'
import type { Quat } from '../../math/quaternion'
import { addScaled, type Vec3 } from '../../math/vector'
import type { ResolvedShape } from '../../scene'
import { linearOf } from '../shared/colors'
import type { Losses } from '../shared/losses'
import { fromZTo, wxyz } from '../shared/rotations'
import { curvedName, surfaceOf } from '../shared/surface'
import type { SeenMesh } from '../mesh'
import { vertexPrimvars } from './write-looks'
import { path, property, tuple, type UsdaPrim, type UsdaProperty } from './usda-write'

export interface ShapeContext {
  readonly name: string
  /** JSON path of the shape. */
  readonly where: string
  /** Without a path if nothing collides. */
  readonly material: { readonly path: string | null; readonly color: string }
  /** Whether the shape is visible; otherwise its purpose is "guide". */
  readonly shown: boolean
  readonly losses: Losses
  /** Of a visual: the surface with the colours and coordinates of its vertices, and the path of its material with a picture. */
  readonly look?: { readonly seen: SeenMesh; readonly material: string | null }
}

/** Points around a superquadric, or a formula surface, which are written as hulls. */
const AROUND = 32

/** One prim for each convex solid: several for a mesh in pieces. */
export function shapePrims(shape: ResolvedShape, context: ShapeContext): UsdaPrim[] {
  const pose: Pose = { position: shape.position, orientation: shape.orientation }
  const one = (type: string, properties: readonly UsdaProperty[], at: Pose = pose, scale?: Vec3): UsdaPrim[] =>
    [collider(type, context.name, properties, at, context, scale)]
  switch (shape.type) {
    case 'box':
      return one('Cube', [property('double size', 1), extent([0.5, 0.5, 0.5])], pose, shape.size)
    case 'sphere':
      return one('Sphere', [property('double radius', shape.radius), extent([shape.radius, shape.radius, shape.radius])])
    case 'ellipsoid':
      return one('Sphere', [property('double radius', 1), extent([1, 1, 1])], pose, shape.radii)
    case 'capsule':
      return one('Capsule', round(shape.radius, shape.height, shape.height / 2 + shape.radius))
    case 'cylinder':
      return one('Cylinder', round(shape.radius, shape.height, shape.height / 2))
    case 'cone':
      return one('Cone', round(shape.radius, shape.height, shape.height / 2), composePoses(pose, { position: [0, 0, shape.height / 2], orientation: [0, 0, 0, 1] }))
    case 'halfSpace': {
      const at = composePoses(pose, { position: addScaled([0, 0, 0], shape.normal, shape.offset), orientation: fromZTo(shape.normal) })
      return one('Plane', [property('uniform token axis', 'Z'), property('double width', 100), property('double length', 100)], at)
    }
    case 'convexHull':
    case 'polyhedron':
      return [meshPrim(surfaceOf(shape, 0), 'convexHull', context.name, pose, context)]
    case 'superquadric':
    case 'implicit':
    case 'parametric':
      context.losses.add(context.where, `USD has no ${curvedName(shape)}`, 'the convex hull of points on its surface')
      return [meshPrim(surfaceOf(shape, 0, AROUND), 'convexHull', context.name, pose, context)]
    case 'mesh': {
      if (shape.vertices !== undefined && shape.pieces !== undefined) context.losses.add(`${context.where}.pieces`, 'UsdPhysics has no explicit convex pieces', 'the surface, which the reading program decomposes itself')
      if (shape.vertices !== undefined) return [meshPrim(surfaceOf(shape, 0), 'convexDecomposition', context.name, pose, context)]
      if (shape.pieces === undefined) {
        context.losses.add(context.where, `the mesh "${shape.file ?? ''}" is in a file, and its pieces have not been found`, 'nothing: cut it into convex pieces first')
        return []
      }
      context.losses.add(context.where, `the surface of "${shape.file ?? ''}" is in a file`, 'its convex pieces')
      const pieces = solidsOf(shape).map((_, k) => surfaceOf({ ...shape, pieces: [shape.pieces![k]!] }, 0))
      return pieces.map((piece, k) => meshPrim(piece, 'convexHull', `${context.name}_${k}`, pose, context))
    }
  }
}

function round(radius: number, height: number, top: number): readonly UsdaProperty[] {
  return [property('uniform token axis', 'Z'), property('double radius', radius), property('double height', height), extent([radius, radius, top])]
}

function extent([x, y, z]: Vec3): UsdaProperty {
  return property('float3[] extent', [tuple(-x, -y, -z), tuple(x, y, z)])
}

function meshPrim(mesh: Mesh, approximation: string, name: string, pose: Pose, context: ShapeContext): UsdaPrim {
  return collider('Mesh', name, [
    property('uniform token subdivisionScheme', 'none'), property('uniform token physics:approximation', approximation),
    property('point3f[] points', mesh.vertices.map(p => tuple(...p))),
    property('int[] faceVertexCounts', mesh.faces.map(face => face.length)), property('int[] faceVertexIndices', mesh.faces.flat()),
    ...context.look === undefined ? [] : vertexPrimvars(context.look.seen, context.material.color),
  ], pose, context)
}

function collider(
  type: string, name: string, properties: readonly UsdaProperty[], pose: Pose, { material, shown, look }: ShapeContext, scale?: Vec3,
): UsdaPrim {
  const schemas = ['PhysicsCollisionAPI', ...type === 'Mesh' ? ['PhysicsMeshCollisionAPI'] : [], 'MaterialBindingAPI']
  const colors = look?.seen.colors === undefined ? [property('color3f[] primvars:displayColor', [tuple(...linearOf(material.color))])] : []
  if (material.path === null) {
    const bound = look?.material ?? null
    return {
      type, name, ...bound === null ? {} : { metadata: ['prepend apiSchemas = ["MaterialBindingAPI"]'] },
      properties: [
        ...properties.filter(({ declaration }) => !declaration.includes('physics:')), ...colors, ...bound === null ? [] : [property('rel material:binding', path(bound))],
        ...placing(pose, scale),
      ],
    }
  }
  return {
    type, name, metadata: [`prepend apiSchemas = [${schemas.map(schema => `"${schema}"`).join(', ')}]`],
    properties: [
      ...properties, ...colors, ...shown ? [] : [property('uniform token purpose', 'guide')],
      property('rel material:binding:physics', path(material.path)), ...placing(pose, scale),
    ],
  }
}

/** The xformOps of a pose, omitted for the identity. */
export function placing({ position, orientation }: Pose, scale?: Vec3): UsdaProperty[] {
  const moved = position.some(x => x !== 0)
  const turned = orientation[0] !== 0 || orientation[1] !== 0 || orientation[2] !== 0
  const order = [...moved ? ['xformOp:translate'] : [], ...turned ? ['xformOp:orient'] : [], ...scale ? ['xformOp:scale'] : []]
  if (order.length === 0) return []
  return [
    ...moved ? [property('double3 xformOp:translate', tuple(...position))] : [], ...turned ? [property('quatd xformOp:orient', quaternion(orientation))] : [],
    ...scale ? [property('double3 xformOp:scale', tuple(...scale))] : [], property('uniform token[] xformOpOrder', order),
  ]
}

export function quaternion(q: Quat): { readonly tuple: readonly number[] } {
  return { tuple: wxyz(q) }
}

