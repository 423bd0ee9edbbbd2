/** Solids with flat faces given by their vertices: hulls, polyhedra, and meshes in convex pieces. */

import { scale, type Vec3 } from '../../core/math/vector'
import type { InertiaComponents, ShapeOf } from '../../core/scene'
import type { DrawingMesh } from '../viewport/geometry/drawing-mesh'
import { polyhedronMesh, smoothedMesh } from '../viewport/geometry/faceted'
import { tidy } from '../viewport/gizmos/snapping'
import type { ShapeDescription } from './description'
import { all, contentKey, flat, hullMesh, placeholderMesh, type ShapeDrawing } from './drawing'
import { scaled, scaling } from './sizes'

/** A regular tetrahedron of circumradius √3 r, its faces anticlockwise seen from outside. */
const tetrahedron = (r: number): Vec3[] => [[r, r, r], [-r, r, -r], [r, -r, -r], [-r, -r, r]]
const tetrahedronFaces = (): number[][] => [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]

export const convexHull: ShapeDescription<ShapeOf<'convexHull'>> = {
  label: 'Convex hull',
  stem: 'convexHull',
  planar: false,
  initial: material => ({ type: 'convexHull', points: tetrahedron(0.3), material }),
  restingHeight: ({ points }) => -Math.min(...points.map(point => point[2])),
  drawing: ({ points }) => hullDrawing(points),
  sizes: shape => [scaling(shape.points, factor => ({ ...shape, points: scaled(shape.points, factor) }))],
}

export const polyhedron: ShapeDescription<ShapeOf<'polyhedron'>> = {
  label: 'Tetrahedron',
  stem: 'tetrahedron',
  planar: false,
  initial: material => ({ type: 'polyhedron', vertices: tetrahedron(0.3), faces: tetrahedronFaces(), material }),
  restingHeight: ({ vertices }) => -Math.min(...vertices.map(point => point[2])),
  drawing: ({ vertices, faces }) => flat(contentKey(vertices, contentKey(faces, 'polyhedron')), all(1), () => polyhedronMesh(vertices, faces)),
  sizes: shape => [scaling(shape.vertices, factor => ({ ...shape, vertices: scaled(shape.vertices, factor) }))],
}

export const mesh: ShapeDescription<ShapeOf<'mesh'>> = {
  label: null,
  stem: 'mesh',
  planar: false,
  initial: material => ({ type: 'mesh', vertices: tetrahedron(0.3), faces: tetrahedronFaces(), pieces: [{ points: tetrahedron(0.3) }], material }),
  restingHeight: shape => -(shape.scale ?? 1) * Math.min(0, ...(shape.vertices ?? []).map(point => point[2])),
  drawing: ({ vertices, faces, pieces, scale: size }) => {
    if (vertices && faces) return flat(contentKey(vertices, contentKey(faces, 'mesh')), all(size ?? 1), () => smoothedMesh(vertices, faces))
    // A mesh in a file is drawn as its convex pieces, which collide.
    if (pieces) return flat(contentKey(pieces, 'pieces'), all(1), () => joined(pieces.map(piece => hullMesh(piece.points))))
    return flat('unknown', all(1), placeholderMesh)
  },
  sizes: shape => {
    const size = shape.scale ?? 1
    const points = (shape.vertices ?? shape.pieces?.flatMap(piece => piece.points) ?? []).map(p => scale(p, shape.vertices ? size : 1))
    return [scaling(points, factor => scaledMeshShape(shape, factor))]
  },
}

/** A mesh of another size. Its pieces and its solid are in metres, and are scaled along. */
export function scaledMeshShape(shape: ShapeOf<'mesh'>, factor: number): ShapeOf<'mesh'> {
  const { pieces, solid } = shape
  return {
    ...shape, scale: tidy((shape.scale ?? 1) * factor),
    ...(pieces ? { pieces: pieces.map(piece => ({ ...piece, points: scaled(piece.points, factor) })) } : {}),
    ...(solid ? { solid: {
      volume: solid.volume * factor ** 3, centroid: scale(solid.centroid, factor),
      inertia: solid.inertia.map(component => component * factor ** 5) as unknown as InertiaComponents,
    } } : {}),
  }
}

/** A mesh as its convex pieces, which collide; empty if it has none. */
export function pieceDrawings(shape: ShapeOf<'mesh'>): ShapeDrawing[] {
  return (shape.pieces ?? []).map(({ points }) => hullDrawing(points))
}

function hullDrawing(points: readonly Vec3[]): ShapeDrawing {
  return flat(contentKey(points, 'hull'), all(1), () => hullMesh(points))
}

function joined(meshes: readonly DrawingMesh[]): DrawingMesh {
  const indices: number[] = []
  let first = 0
  for (const one of meshes) {
    for (const index of one.indices) indices.push(index + first)
    first += one.positions.length / 3
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
    positions: concat(meshes.map(one => one.positions)), normals: concat(meshes.map(one => one.normals)),
    indices: Uint32Array.from(indices), edges: concat(meshes.map(one => one.edges)),
  }
}
