/** The region over a face. */

import type { Face, Polyhedron } from '../geometry/polyhedron'
import { dot, type Vec3 } from '../math/vector'
import type { BoundaryPlane } from './pairs/boundary'

const known = new WeakMap<Face, readonly BoundaryPlane[]>()

/** The planes through a face's sides, created once for each face of a polyhedron. */
export function sidePlanes(polyhedron: Polyhedron, face: Face): readonly BoundaryPlane[] {
  let planes = known.get(face)
  if (planes === undefined) known.set(face, planes = face.sides.map((normal, k) => ({ normal, offset: dot(normal, polyhedron.vertices[face.loop[k]!]!) })))
  return planes
}

/** Distance of a point inside all sides of a face, m, in the polyhedron's frame. */
export function insideFace(polyhedron: Polyhedron, face: Face, point: Vec3): number {
  const { coordinates: c } = polyhedron
  let inside = Infinity
  for (let k = 0; k < face.loop.length; k++) {
    const side = face.sides[k]!
    const at = 3 * face.loop[k]!
    inside = Math.min(inside, side[0] * (point[0] - c[at]!) + side[1] * (point[1] - c[at + 1]!) + side[2] * (point[2] - c[at + 2]!))
  }
  return inside
}
