/** The vertex/vertex or vertex/edge pair of two polyhedra with the shortest distance, by trying all on plain numbers. */

import type { Polyhedron } from '../geometry/polyhedron'
import { transform } from '../math/matrix'
import type { Vec3 } from '../math/vector'
import { pointToA, type RelativePose } from './relative'
import type { Axis } from './separating-axis'

interface Nearest {
  square: number
  vertex: number
  /** −1 where the vertex nearest on the edge is an end: then `end` says which. */
  edge: number
  end: number
}

/** The axis of the nearest points that are a vertex and a vertex or a vertex and a point within an edge. */
export function nearestPoints(a: Polyhedron, b: Polyhedron, relative: RelativePose): Axis {
  const verticesB = b.vertices.map(v => pointToA(relative, v))
  const ofA = nearest(a.vertices, verticesB, b, b.edges.map(edge => transform(relative.rotation, edge.direction)))
  const ofB = nearest(verticesB, a.vertices, a, a.edges.map(edge => edge.direction))
  if (ofA.square <= ofB.square) {
    return ofA.edge >= 0 ? { kind: 'vertexEdge', indexA: ofA.vertex, indexB: ofA.edge } : { kind: 'vertices', indexA: ofA.vertex, indexB: ofA.end }
  }
  return ofB.edge >= 0 ? { kind: 'edgeVertex', indexA: ofB.edge, indexB: ofB.vertex } : { kind: 'vertices', indexA: ofB.end, indexB: ofB.vertex }
}

function nearest(points: readonly Vec3[], ends: readonly Vec3[], solid: Polyhedron, directions: readonly Vec3[]): Nearest {
  const best: Nearest = { square: Infinity, vertex: 0, edge: -1, end: 0 }
  for (let e = 0; e < solid.edges.length; e++) {
    const edge = solid.edges[e]!
    const [dx, dy, dz] = directions[e]!
    const [ox, oy, oz] = ends[edge.from]!
    for (let v = 0; v < points.length; v++) {
      const [px, py, pz] = points[v]!
      const [x, y, z] = [px - ox, py - oy, pz - oz]
      const t = x * dx + y * dy + z * dz
      const at = t <= 0 ? 0 : t >= edge.length ? edge.length : t
      const [u, w, q] = [x - at * dx, y - at * dy, z - at * dz]
      const square = u * u + w * w + q * q
      if (square < best.square) {
        best.square = square
        best.vertex = v
        best.edge = at > 0 && at < edge.length ? e : -1
        best.end = t <= 0 ? edge.from : edge.to
      }
    }
  }
  return best
}
