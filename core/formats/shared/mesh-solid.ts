/** Surfaces as solids of the scene: convex hulls for convex surfaces, meshes for closed ones; for open ones plates behind the surface, or approximations. */

import { massesOf, meshMass } from '../../analysis/solids'
import type { SolidPart } from '../../geometry/mass'
import { turnedMesh, triangleMesh, type Mesh } from '../../geometry/mesh'
import { surfacePlates } from '../../geometry/surface-plates'
import { ShapeError } from '../../geometry/shape'
import { add, addScaled, cross, distance, dot, length, lengthSquared, normalize, sub, ZERO, type Vec3 } from '../../math/vector'
import type { Shape } from '../../scene'
import { meshProperties } from './meshes'
import { distinct, FLAT, spansVolume } from './points'

export interface MeshSolid {
  /** Without material and pose; null if no solid can be made. */
  readonly shape: Extract<Shape, { type: 'convexHull' | 'mesh' }> extends infer S ? S extends Shape ? Omit<S, 'material'> : never : never
  /** Changes, as message and replacement. */
  readonly losses: readonly (readonly [string, string])[]
}

/** × size: distance of a neighbour in front of a face up to which the surface counts as convex. */
const CONVEX = 1e-9
/** Thickness of the slab that replaces a flat surface, × its extent. */
const SLAB = 0.01

/**
 * Null if the points do not span a plane.
 * @param hull whether to use the convex hull only
 * @param moves whether the body does: an open surface, such as terrain, is kept as it is on one that does not
 */
export function solidOfMesh(mesh: Mesh, hull: boolean, moves: boolean): MeshSolid | null {
  const points = distinct(mesh.vertices)
  if (!spansVolume(points)) return slab(mesh, points)
  if (hull) return { shape: { type: 'convexHull', points }, losses: [] }
  if (meshProperties(mesh) === null) {
    const instead = { shape: { type: 'convexHull' as const, points }, losses: [['a surface that is not closed encloses no solid', 'its convex hull'] as const] }
    return moves ? instead : plates(mesh) ?? instead
  }
  const triangles = triangleMesh(mesh)
  const { vertices, faces } = signedVolume(triangles) < 0 ? turnedMesh(triangles) : triangles
  if (isConvex({ vertices, faces })) return { shape: { type: 'convexHull', points: [...vertices] }, losses: [] }
  return { shape: { type: 'mesh', vertices: [...vertices], faces: faces.map(face => [...face]) }, losses: [] }
}

/** Null if it has too many flat parts. */
function plates(mesh: Mesh): MeshSolid | null {
  try {
    const { surface, pieces } = surfacePlates(mesh)
    return { shape: { type: 'mesh', vertices: [...surface.vertices], faces: surface.faces.map(face => [...face]), pieces: pieces.map(piece => ({ points: piece })) }, losses: [] }
  } catch (error) {
    if (error instanceof ShapeError) return null
    throw error
  }
}

/** A connected closed surface without reflex edges that winds around once is convex: no neighbouring vertex lies in front of a face. */
function isConvex({ vertices, faces }: Mesh): boolean {
  const apex = new Map<number, number>()
  const n = vertices.length
  for (const [a, b, c] of faces) {
    apex.set(a! * n + b!, c!)
    apex.set(b! * n + c!, a!)
    apex.set(c! * n + a!, b!)
  }
  const box = boundingBox(vertices)
  const size = length(box.size)
  for (const [a, b, c] of faces) {
    const normal = cross(sub(vertices[b!]!, vertices[a!]!), sub(vertices[c!]!, vertices[a!]!))
    const area = length(normal)
    if (!(area > 0)) return false
    for (const [from, to] of [[a!, b!], [b!, c!], [c!, a!]] as const) {
      const across = apex.get(to * n + from)
      if (across === undefined || dot(normal, sub(vertices[across]!, vertices[a!]!)) > CONVEX * size * area) return false
    }
  }
  return connected(faces, n)
}

function connected(faces: readonly (readonly number[])[], count: number): boolean {
  const root = Int32Array.from({ length: count }, (_, i) => i)
  const find = (i: number): number => {
    let at = i
    while (root[at] !== at) {
      root[at] = root[root[at]!]!
      at = root[at]!
    }
    return at
  }
  for (const [a, b, c] of faces) {
    root[find(b!)] = find(a!)
    root[find(c!)] = find(a!)
  }
  const first = find(faces[0]![0]!)
  return faces.every(([a]) => find(a!) === first)
}

function signedVolume({ vertices, faces }: Mesh): number {
  let sum = 0
  for (const [a, b, c] of faces) sum += dot(vertices[a!]!, cross(vertices[b!]!, vertices[c!]!))
  return sum / 6
}

/** A flat surface extruded backwards. */
function slab(mesh: Mesh, points: readonly Vec3[]): MeshSolid | null {
  const first = points[0]
  if (first === undefined) return null
  const extent = Math.max(...points.map(p => distance(p, first)))
  let normal = ZERO
  for (const face of mesh.faces) {
    for (let k = 1; k + 1 < face.length; k++) {
      const [a, b, c] = [face[0]!, face[k]!, face[k + 1]!].map(i => mesh.vertices[i]!) as [Vec3, Vec3, Vec3]
      normal = add(normal, cross(sub(b, a), sub(c, a)))
    }
  }
  if (!(length(normal) > 0) || !(extent > 0)) return null
  const n = normalize(normal)
  if (points.some(p => Math.abs(dot(sub(p, first), n)) > FLAT * extent)) return null
  const thickness = SLAB * extent
  return {
    shape: { type: 'convexHull', points: [...points, ...points.map(p => addScaled(p, n, -thickness))] },
    losses: [['a flat surface has no thickness', `a slab ${thickness.toPrecision(3)} m thick behind it`]],
  }
}

/** The solids that determine a body's mass: as `massesOf`, or the enclosed volume for a mesh without convex pieces. */
export function solidParts(shape: Shape): readonly SolidPart['primitive'][] {
  if (shape.type !== 'mesh' || shape.pieces !== undefined) return massesOf(shape)
  const massProperties = meshMass(shape)
  return massProperties instanceof ShapeError ? [] : [{ massProperties }]
}

/** Bounding box and bounding sphere of points. */
export function boundingBox(points: readonly Vec3[]): { readonly center: Vec3; readonly size: Vec3 } {
  const low = [0, 1, 2].map(k => points.reduce((least, p) => Math.min(least, p[k]!), Infinity))
  const high = [0, 1, 2].map(k => points.reduce((most, p) => Math.max(most, p[k]!), -Infinity))
  return {
    center: [0, 1, 2].map(k => (low[k]! + high[k]!) / 2) as unknown as Vec3,
    size: [0, 1, 2].map(k => high[k]! - low[k]!) as unknown as Vec3,
  }
}

/** Radius about the centre of the bounding box. */
export function boundingRadius(points: readonly Vec3[], center: Vec3): number {
  return Math.sqrt(points.reduce((most, p) => Math.max(most, lengthSquared(sub(p, center))), 0))
}
