/**
 * What convex pieces of one solid hide of each other: a face between two pieces, such as the side of a plate whose neighbour continues the surface, is not a
 * face of the solid; and at an edge or vertex where pieces meet, bodies touch the solid only in directions that all these pieces leave free.
 */

import { cross, dot, length, negate, normalize, sub, type Vec3 } from '../math/vector'
import type { Polyhedron } from './polyhedron'

/** Of one piece. */
export interface Joins {
  /** By face: whether a neighbour covers it. */
  readonly covered: Uint8Array
  /** By vertex: unit directions along the edges of other pieces that start there. */
  readonly around: readonly (readonly Vec3[])[]
  /** By edge: unit directions into the faces of other pieces with the same edge, perpendicular to it. */
  readonly beside: readonly (readonly Vec3[])[]
  /** By edge: whether both its faces are covered. Then it lies within the solid, even where no neighbour has the same edge. */
  readonly inner: Uint8Array
}

/** Corners closer than this × the size of the pieces are one. */
const SAME = 1e-9
/** Least cosine of the angle between a covered face's outward normal and a face of the neighbour that continues its surface. */
const CONTINUES = 0.8
/** × distance from the common edge: how far corners of a covered face may stand out of the neighbour, where the surface bends. */
const STANDS_OUT = 0.3

/** @returns null for pieces that share no corner with another */
export function joinsOf(pieces: readonly Polyhedron[]): (Joins | null)[] {
  const grid = SAME * Math.max(...pieces.map(({ radius }) => radius))
  const corners = new Map<string, { piece: number, vertex: number }[]>()
  const keys = pieces.map(({ vertices }, piece) => vertices.map((corner, vertex) => {
    const key = corner.map(value => Math.round(value / grid)).join()
    const known = corners.get(key)
    if (known === undefined) corners.set(key, [{ piece, vertex }])
    else known.push({ piece, vertex })
    return key
  }))
  return pieces.map((solid, piece) => {
    const others = keys[piece]!.map(key => corners.get(key)!.filter(other => other.piece !== piece))
    if (others.every(({ length: count }) => count === 0)) return null
    const around = others.map(found => found.flatMap(({ piece: p, vertex }) => {
      const { vertices, vertexNeighbors } = pieces[p]!
      return vertexNeighbors[vertex]!.map(w => normalize(sub(vertices[w]!, vertices[vertex]!)))
    }))
    const covered = new Uint8Array(solid.faces.length)
    const beside = solid.edges.map((edge): Vec3[] => {
      const tangents: Vec3[] = []
      for (const { piece: p, vertex } of others[edge.from]!) {
        const end = others[edge.to]!.find(other => other.piece === p)
        if (end === undefined) continue
        const neighbour = pieces[p]!
        const shared = neighbour.edges.findIndex(({ from, to }) => (from === vertex && to === end.vertex) || (from === end.vertex && to === vertex))
        if (shared < 0) continue
        const into = tangentsOf(neighbour, shared)
        tangents.push(...into)
        for (const f of [edge.left, edge.right]) {
          const continues = into.some(tangent => dot(tangent, solid.faces[f]!.normal) > CONTINUES)
          if (continues && covers(neighbour, solid, f, edge.from)) covered[f] = 1
        }
      }
      return tangents
    })
    return { covered, around, beside, inner: Uint8Array.from(solid.edges, ({ left, right }) => covered[left]! & covered[right]!) }
  })
}

/** Unit vectors in the two faces of an edge, perpendicular to it, into the faces. */
function tangentsOf({ edges, faces }: Polyhedron, e: number): Vec3[] {
  const { left, right, direction } = edges[e]!
  return [cross(faces[left]!.normal, direction), negate(cross(faces[right]!.normal, direction))]
}

/** Whether a neighbour lies before the whole face, except for a wedge where the surface bends at the edge with vertex `from`. */
function covers(neighbour: Polyhedron, { faces, vertices }: Polyhedron, f: number, from: number): boolean {
  const start = vertices[from]!
  return faces[f]!.loop.every(v => {
    const corner = vertices[v]!
    const room = STANDS_OUT * length(sub(corner, start))
    return neighbour.faces.every(({ normal, offset }) => dot(normal, corner) - offset <= room + SAME * neighbour.radius)
  })
}
