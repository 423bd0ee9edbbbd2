/** Facing points of the features of a separating plane. */

import type { Polyhedron } from '../geometry/polyhedron'
import { transform } from '../math/matrix'
import { addScaled, type Vec3 } from '../math/vector'
import { feet } from './pairs/line-line'
import { pointToA, type RelativePose } from './relative'
import type { SeparatingPlane } from './separating-axis'

/** m: the point of A that faces B along the plane's normal, in A's frame. */
export function footOnA(a: Polyhedron, b: Polyhedron, relative: RelativePose, plane: SeparatingPlane): Vec3 {
  switch (plane.kind) {
    case 'faceA':
    case 'edgeVertex':
      return addScaled(pointToA(relative, b.vertices[plane.supportB]!), plane.normal, plane.separation)
    case 'faceB':
    case 'vertexEdge':
    case 'vertices':
      return a.vertices[plane.supportA]!
    case 'edges': {
      const edgeA = a.edges[plane.indexA]!
      const edgeB = b.edges[plane.indexB]!
      const originA = a.vertices[edgeA.from]!
      const { s } = feet(originA, edgeA.direction, pointToA(relative, b.vertices[edgeB.from]!), transform(relative.rotation, edgeB.direction), 1)
      return addScaled(originA, edgeA.direction, s)
    }
  }
}
