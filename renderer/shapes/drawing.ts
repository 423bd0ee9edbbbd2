/** Geometry to draw for a shape: a mesh that may be shared (`key`) and the shape's scale. */

import { convexHull } from '../../core/geometry/hull'
import type { Vec3 } from '../../core/math/vector'
import { MeshBuilder, type DrawingMesh } from '../viewport/geometry/drawing-mesh'
import { polyhedronMesh } from '../viewport/geometry/faceted'
import type { Detail } from '../viewport/geometry/round'

export interface ShapeDrawing {
  /** Shapes with equal keys share a mesh. */
  readonly key: string
  /** Scales the mesh's axes. */
  readonly scale: Vec3
  /** Whether the number of triangles depends on the level of detail. */
  readonly round: boolean
  build(detail: Detail): DrawingMesh
}

export function flat(key: string, scale: Vec3, build: () => DrawingMesh): ShapeDrawing {
  return { key, scale, round: false, build }
}

export function round(key: string, scale: Vec3, build: (detail: Detail) => DrawingMesh): ShapeDrawing {
  return { key, scale, round: true, build }
}

export const all = (s: number): Vec3 => [s, s, s]

/** The hull of points. Without volume: the edges of the bounding box; the check reports the problem. */
export function hullMesh(points: readonly Vec3[]): DrawingMesh {
  try {
    const hull = convexHull('convexHull', points)
    return polyhedronMesh(hull.vertices, hull.faces.map(face => face.loop))
  } catch {
    return boundingBoxMesh(points)
  }
}

/** Replaces a shape that cannot be built: a box of 1 m. */
export function placeholderMesh(): DrawingMesh {
  return boundingBoxMesh([[-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]])
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

/** Arrays of the document are immutable, so the same array has the same content; short arrays are compared by content. */
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
