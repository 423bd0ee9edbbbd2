/** The measurable features of a shape, in the shape's axes: computed exactly from the solid, not from drawn triangles. */

import { Capsule } from '../../geometry/capsule'
import { Cone } from '../../geometry/cone'
import { Cylinder } from '../../geometry/cylinder'
import { HalfSpace } from '../../geometry/half-space'
import { triangleMesh } from '../../geometry/mesh'
import { Polyhedron } from '../../geometry/polyhedron'
import { ShapeError, type Primitive } from '../../geometry/shape'
import { Sphere } from '../../geometry/sphere'
import { scale as scaled } from '../../math/vector'
import type { ResolvedShape, Shape } from '../../scene'
import { solidsOf } from '../solids'
import type { ShapeFeature } from './feature'
import { surfaceFeatures } from './surface-features'

const known = new WeakMap<object, readonly ShapeFeature[]>()

/**
 * Vertices, edges, faces, circles and axes, in an order that depends on the shape only; none if the shape cannot be built. Cached, because shapes
 * are immutable.
 */
export function featuresOf(shape: ResolvedShape | Shape): readonly ShapeFeature[] {
  let features = known.get(shape)
  if (features === undefined) {
    features = builtFeatures(shape)
    known.set(shape, features)
  }
  return features
}

function builtFeatures(shape: ResolvedShape | Shape): ShapeFeature[] {
  try {
    if (shape.type === 'mesh' && shape.vertices !== undefined && shape.faces !== undefined) {
      const { scale = 1 } = shape
      return surfaceFeatures(triangleMesh({ vertices: shape.vertices.map(p => scaled(p, scale)), faces: shape.faces }))
    }
    return solidsOf(shape).flatMap(solidFeatures)
  } catch (error) {
    if (error instanceof ShapeError) return [] // the inspector reports the invalid shape
    throw error
  }
}

function solidFeatures(solid: Primitive): ShapeFeature[] {
  if (solid instanceof Polyhedron) return polyhedronFeatures(solid.prism ?? solid)
  if (solid instanceof HalfSpace) return [{ feature: { kind: 'plane', point: scaled(solid.normal, solid.offset), normal: solid.normal }, normals: [solid.normal] }]
  if (solid instanceof Sphere) return [{ feature: { kind: 'sphere', centre: [0, 0, 0], radius: solid.radius }, normals: [] }]
  if (solid instanceof Cylinder) {
    const { girth, height } = solid
    return [...endFeatures(girth, height / 2, 1), ...endFeatures(girth, -height / 2, -1), axis(-height / 2, height / 2, girth)]
  }
  if (solid instanceof Capsule) return [axis(-solid.height / 2, solid.height / 2, solid.girth)]
  if (solid instanceof Cone) {
    return [{ feature: { kind: 'vertex', point: [0, 0, solid.height] }, normals: [] }, ...endFeatures(solid.girth, 0, -1), axis(0, solid.height, null)]
  }
  return []
}

function endFeatures(radius: number, z: number, side: 1 | -1): ShapeFeature[] {
  const end = { centre: [0, 0, z], normal: [0, 0, side], radius } as const
  return [{ feature: { kind: 'circle', ...end }, normals: [] }, { feature: { kind: 'disc', ...end }, normals: [end.normal] }]
}

function axis(from: number, to: number, radius: number | null): ShapeFeature {
  return { feature: { kind: 'axis', ends: [[0, 0, from], [0, 0, to]], radius }, normals: [] }
}

function polyhedronFeatures({ vertices, edges, faces, vertexFaces }: Polyhedron): ShapeFeature[] {
  return [
    ...vertices.map((point, v): ShapeFeature => ({ feature: { kind: 'vertex', point }, normals: vertexFaces[v]!.map(f => faces[f]!.normal) })),
    ...edges.map(({ from, to, left, right }): ShapeFeature => ({
      feature: { kind: 'edge', ends: [vertices[from]!, vertices[to]!] }, normals: [faces[left]!.normal, faces[right]!.normal],
    })),
    ...faces.map(({ loop, normal }): ShapeFeature => {
      const corners = loop.map(v => vertices[v]!)
      return { feature: { kind: 'face', parts: [corners], outline: corners.map((a, k) => [a, corners[(k + 1) % corners.length]!]), normal }, normals: [normal] }
    }),
  ]
}
