/**
 * What to draw for each shape of a scene: a geometry that may be shared (`key`), and how this shape stretches it.
 *
 * A shape that cannot be built (a hull of points in one plane, say) is drawn as the edges of its bounding box: the problem is told elsewhere.
 */

import type { Shape, ShapeOf } from '../../../core/scene'
import { builtSolid } from '../../../core/analysis/solids'
import { convexHull } from '../../../core/geometry/hull'
import type { Vec3 } from '../../../core/math/vector'
import { MeshBuilder, type DrawingMesh } from './drawing-mesh'
import { CUBE_FACES, CUBE_VERTICES, polyhedronMesh, smoothedMesh } from './faceted'
import { capsuleMesh, coneMesh, cylinderMesh, sphereMesh, superquadricMesh, supportMesh, type Detail } from './round'

export interface ShapeDrawing {
  /** Equal keys share a geometry. */
  readonly key: string
  /** Multiplies the geometry's axes. */
  readonly scale: Vec3
  /** True where the number of triangles depends on the detail asked for. */
  readonly round: boolean
  build(detail: Detail): DrawingMesh
}

const all = (s: number): Vec3 => [s, s, s]

/** Where a shape cannot be built, its place. */
const UNKNOWN: readonly Vec3[] = [[-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]]

/** Half-spaces have no mesh: they are drawn as planes. */
export function drawingOf(shape: Exclude<Shape, ShapeOf<'halfSpace'>>): ShapeDrawing {
  switch (shape.type) {
    case 'box': return flat('box', shape.size, () => polyhedronMesh(CUBE_VERTICES, CUBE_FACES))
    case 'convexHull': return flat(contentKey(shape.points, 'hull'), all(1), () => hullMesh(shape.points))
    case 'polyhedron': return flat(
      contentKey(shape.vertices, contentKey(shape.faces, 'polyhedron')), all(1), () => polyhedronMesh(shape.vertices, shape.faces))
    case 'mesh': return meshDrawing(shape)
    case 'sphere': return roundShape('sphere', all(shape.radius), sphereMesh)
    case 'ellipsoid': return roundShape('sphere', shape.radii, sphereMesh)
    case 'superquadric': return roundShape(`superquadric:${shape.exponents.join(':')}`, shape.radii, detail => superquadricMesh(shape.exponents, detail))
    case 'implicit': return formulaDrawing(shape, `implicit|${shape.formula}`)
    case 'parametric': return formulaDrawing(shape, `parametric|${[shape.x, shape.y, shape.z, ...shape.u, ...shape.v].join('|')}`)
    case 'capsule': {
      const ratio = shape.height / shape.radius
      return roundShape(`capsule:${ratio}`, all(shape.radius), detail => capsuleMesh(ratio, detail))
    }
    case 'cylinder': return roundShape('cylinder', [shape.radius, shape.radius, shape.height], cylinderMesh)
    case 'cone': return roundShape('cone', [shape.radius, shape.radius, shape.height], coneMesh)
  }
}

function flat(key: string, scale: Vec3, build: () => DrawingMesh): ShapeDrawing {
  return { key, scale, round: false, build }
}

function roundShape(key: string, scale: Vec3, build: (detail: Detail) => DrawingMesh): ShapeDrawing {
  return { key, scale, round: true, build }
}

function formulaDrawing(shape: ShapeOf<'implicit'> | ShapeOf<'parametric'>, key: string): ShapeDrawing {
  const solid = builtSolid(shape)
  return roundShape(key, all(1), detail => solid === null ? boundingBoxMesh(UNKNOWN) : supportMesh(m => solid.support(m), detail))
}

function meshDrawing(shape: ShapeOf<'mesh'>): ShapeDrawing {
  const { vertices, faces, pieces } = shape
  if (vertices && faces) {
    return flat(contentKey(vertices, contentKey(faces, 'mesh')), all(shape.scale ?? 1), () => smoothedMesh(vertices, faces))
  }
  // A mesh in a file is drawn as its convex pieces, which are what touches.
  if (pieces) return flat(contentKey(pieces, 'pieces'), all(1), () => joined(pieces.map(piece => hullMesh(piece.points))))
  return flat('unknown', all(1), () => boundingBoxMesh(UNKNOWN))
}

/** A mesh as its convex pieces, which are what touches; empty where it has none. */
export function pieceDrawings(shape: ShapeOf<'mesh'>): ShapeDrawing[] {
  return (shape.pieces ?? []).map(({ points }) => flat(contentKey(points, 'hull'), all(1), () => hullMesh(points)))
}

function hullMesh(points: readonly Vec3[]): DrawingMesh {
  try {
    const hull = convexHull('convexHull', points)
    return polyhedronMesh(hull.vertices, hull.faces.map(face => face.loop))
  } catch {
    return boundingBoxMesh(points)
  }
}

function boundingBoxMesh(points: readonly Vec3[]): DrawingMesh {
  const mesh = new MeshBuilder()
  const low = [0, 1, 2].map(k => Math.min(...points.map(p => p[k]!)))
  const high = [0, 1, 2].map(k => Math.max(...points.map(p => p[k]!)))
  const corner = (i: number): Vec3 => [0, 1, 2].map(k => (i >> k) & 1 ? high[k]! : low[k]!) as unknown as Vec3
  for (let i = 0; i < 8; i++) {
    for (let k = 0; k < 3; k++) if (!((i >> k) & 1)) mesh.edge(corner(i), corner(i | (1 << k)))
  }
  return mesh.build()
}

function joined(meshes: readonly DrawingMesh[]): DrawingMesh {
  const indices: number[] = []
  let first = 0
  for (const mesh of meshes) {
    for (const index of mesh.indices) indices.push(index + first)
    first += mesh.positions.length / 3
  }
  const concat = (parts: readonly Float32Array[]) => {
    const out = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
    let at = 0
    for (const part of parts) {
      out.set(part, at)
      at += part.length
    }
    return out
  }
  return {
    positions: concat(meshes.map(mesh => mesh.positions)), normals: concat(meshes.map(mesh => mesh.normals)),
    indices: Uint32Array.from(indices), edges: concat(meshes.map(mesh => mesh.edges)),
  }
}

/** Arrays of the document are immutable: the same array is the same content, and short ones are compared by content. */
const identities = new WeakMap<object, string>()
let nextIdentity = 0

export function contentKey(content: object, prefix: string): string {
  let identity = identities.get(content)
  if (identity === undefined) {
    const text = Array.isArray(content) && content.length <= 64 ? JSON.stringify(content) : ''
    identity = text.length > 0 && text.length < 8000 ? text : `#${nextIdentity++}`
    identities.set(content, identity)
  }
  return `${prefix}|${identity}`
}
