/** The vertex/vertex or vertex/edge pair of two polyhedra with the shortest distance, by exhaustive search on plain numbers. */

import type { SolidInA } from './solid-in-a'
import type { AxisKind } from './separating-axis'

export interface NearestPoints {
  readonly kind: AxisKind
  readonly indexA: number
  readonly indexB: number
}

interface Nearest {
  readonly square: number
  readonly vertex: number
  /** −1 if the nearest point on the edge is an end, given by `end`. */
  readonly edge: number
  readonly end: number
}

/** The nearest points that are a vertex and a vertex or a vertex and a point within an edge. */
export function nearestPoints(a: SolidInA, b: SolidInA): NearestPoints {
  if (a.flat.edgeCount === 0) return nearestVertices(a, b)
  const ofA = nearest(a, b)
  const ofB = nearest(b, a)
  if (ofA.square <= ofB.square) {
    return ofA.edge >= 0 ? { kind: 'vertexEdge', indexA: ofA.vertex, indexB: ofA.edge } : { kind: 'vertices', indexA: ofA.vertex, indexB: ofA.end }
  }
  return ofB.edge >= 0 ? { kind: 'edgeVertex', indexA: ofB.edge, indexB: ofB.vertex } : { kind: 'vertices', indexA: ofB.end, indexB: ofB.vertex }
}

/** For two polygons: their sides are faces. */
function nearestVertices({ vertices: p, flat: { vertexCount } }: SolidInA, { vertices: q, flat: { vertexCount: count } }: SolidInA): NearestPoints {
  let [least, indexA, indexB] = [Infinity, 0, 0]
  for (let v = 0; v < vertexCount; v++) {
    for (let w = 0; w < count; w++) {
      const x = p[3 * v]! - q[3 * w]!
      const y = p[3 * v + 1]! - q[3 * w + 1]!
      const z = p[3 * v + 2]! - q[3 * w + 2]!
      const square = x * x + y * y + z * z
      if (!(square < least)) continue
      least = square
      indexA = v
      indexB = w
    }
  }
  return { kind: 'vertices', indexA, indexB }
}

/** A vertex of one solid and a point on an edge of the other. */
function nearest({ vertices: points, flat: { vertexCount } }: SolidInA, { vertices: ends, directions, flat }: SolidInA): Nearest {
  const { edgeCount, from, to, lengths } = flat
  let least = Infinity
  let vertex = 0
  let edge = -1
  let end = 0
  for (let e = 0; e < edgeCount; e++) {
    const dx = directions[3 * e]!
    const dy = directions[3 * e + 1]!
    const dz = directions[3 * e + 2]!
    const start = from[e]!
    const ox = ends[3 * start]!
    const oy = ends[3 * start + 1]!
    const oz = ends[3 * start + 2]!
    const length = lengths[e]!
    for (let v = 0; v < vertexCount; v++) {
      const x = points[3 * v]! - ox
      const y = points[3 * v + 1]! - oy
      const z = points[3 * v + 2]! - oz
      const t = x * dx + y * dy + z * dz
      const at = t <= 0 ? 0 : t >= length ? length : t
      const u = x - at * dx
      const w = y - at * dy
      const q = z - at * dz
      const square = u * u + w * w + q * q
      if (square < least) {
        least = square
        vertex = v
        edge = at > 0 && at < length ? e : -1
        end = t <= 0 ? start : to[e]!
      }
    }
  }
  return { square: least, vertex, edge, end }
}
