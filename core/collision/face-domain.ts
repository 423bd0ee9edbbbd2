/** What lies over a face. */

import type { Face, Polyhedron } from '../geometry/polyhedron'
import { dot, sub, type Vec3 } from '../math/vector'
import type { BoundaryPlane } from './pairs/boundary'

const known = new WeakMap<Face, readonly BoundaryPlane[]>()

/** The planes through a face's sides, made once for each face of a polyhedron. */
export function sidePlanes(polyhedron: Polyhedron, face: Face): readonly BoundaryPlane[] {
  let planes = known.get(face)
  if (planes === undefined) known.set(face, planes = face.sides.map((normal, k) => ({ normal, offset: dot(normal, polyhedron.vertices[face.loop[k]!]!) })))
  return planes
}

/** Distance of a point inside all sides of a face, m, in the polyhedron's frame. */
export function insideFace(polyhedron: Polyhedron, face: Face, point: Vec3): number {
  let inside = Infinity
  for (let k = 0; k < face.loop.length; k++) {
    inside = Math.min(inside, dot(face.sides[k]!, sub(point, polyhedron.vertices[face.loop[k]!]!)))
  }
  return inside
}
