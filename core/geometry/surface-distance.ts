/** Distance to a surface of triangles, by a tree of boxes; and how far convex pieces extend beyond the solid that they approximate. */

import { add, addScaled, cross, distance, dot, length, lerp, max, min, scale, sub, type Vec3 } from '../math/vector'
import { insideTest } from './cut-surface'
import type { Mesh } from './mesh'
import type { Polyhedron } from './polyhedron'
import { sizeOf } from './polyhedron-build'

type Triangle = readonly [Vec3, Vec3, Vec3]

interface Node {
  readonly low: Vec3
  readonly high: Vec3
  readonly triangles: readonly Triangle[]
  readonly parts: readonly Node[]
}

/** Triangles per leaf; with fewer, the extra boxes cost more than they save. */
const LEAF = 8

function treeOf(triangles: readonly Triangle[]): Node {
  const points = triangles.flat()
  const [low, high] = [points.reduce(min), points.reduce(max)]
  if (triangles.length <= LEAF) {
    return { low, high, triangles, parts: [] }
  }
  const extent = sub(high, low)
  const k = extent.indexOf(Math.max(...extent))
  const sorted = [...triangles].sort((a, b) => a[0][k]! + a[1][k]! + a[2][k]! - b[0][k]! - b[1][k]! - b[2][k]!)
  const middle = sorted.length >> 1
  return { low, high, triangles: [], parts: [treeOf(sorted.slice(0, middle)), treeOf(sorted.slice(middle))] }
}

function distanceToBox({ low, high }: Node, p: Vec3): number {
  return length([0, 1, 2].map(k => Math.max(0, low[k]! - p[k]!, p[k]! - high[k]!)) as unknown as Vec3)
}

/** Distance of a point from a triangle, m. */
export function distanceToTriangle(p: Vec3, [a, b, c]: Triangle): number {
  const normal = cross(sub(b, a), sub(c, a))
  const area = length(normal)
  const within = area > 0 && ([[a, b], [b, c], [c, a]] as const).every(([q, r]) => dot(cross(normal, sub(r, q)), sub(p, q)) >= 0)
  if (within) {
    return Math.abs(dot(normal, sub(p, a))) / area
  }
  return Math.min(...([[a, b], [b, c], [c, a]] as const).map(([q, r]) => {
    const along = sub(r, q)
    const square = dot(along, along)
    const at = square === 0 ? 0 : Math.max(0, Math.min(1, dot(along, sub(p, q)) / square))
    return distance(p, addScaled(q, along, at))
  }))
}

/** Returns the distance of points from a mesh of triangles, m. */
export function distanceTo({ vertices, faces }: Mesh): (p: Vec3) => number {
  const tree = treeOf(faces.map(([a, b, c]): Triangle => [vertices[a!]!, vertices[b!]!, vertices[c!]!]))
  return p => {
    let nearest = Infinity
    const look = (node: Node): void => {
      for (const triangle of node.triangles) {
        nearest = Math.min(nearest, distanceToTriangle(p, triangle))
      }
      const parts = node.parts.map(part => ({ part, away: distanceToBox(part, p) })).sort((one, other) => one.away - other.away)
      for (const { part, away } of parts) {
        if (away < nearest) {
          look(part)
        }
      }
    }
    look(tree)
    return nearest
  }
}

/** Spacing of the sample points on a piece, × the mesh's size. */
const SPACING = 1 / 60

/**
 * How far pieces extend beyond a closed solid, m: the largest distance from it of sample points on their faces, `SPACING`
 * apart. The true maximum may be greater by less than that spacing.
 */
export function reachBeyond(pieces: readonly Polyhedron[], mesh: Mesh): number {
  const isInside = insideTest(mesh.faces.map(face => face.map(v => mesh.vertices[v]!)))
  const away = distanceTo(mesh)
  const spacing = SPACING * sizeOf(mesh.vertices)
  let most = 0
  for (const piece of pieces) {
    for (const { loop } of piece.faces) {
      const corners = Array.from(loop, v => piece.vertices[v]!)
      const middle = scale(corners.reduce(add), 1 / corners.length)
      corners.forEach((p, k) => {
        for (const point of samples(middle, p, corners[(k + 1) % corners.length]!, spacing)) {
          const reach = away(point)
          if (reach > most && !isInside(point)) {
            most = reach
          }
        }
      })
    }
  }
  return most
}

/** Points of a triangle at a spacing of at most `spacing`, including its corners. */
function samples(a: Vec3, b: Vec3, c: Vec3, spacing: number): Vec3[] {
  const rows = Math.max(1, Math.ceil(Math.max(distance(a, b), distance(a, c), distance(b, c)) / spacing))
  const points: Vec3[] = []
  for (let i = 0; i <= rows; i++) {
    const [p, q] = [lerp(a, b, i / rows), lerp(a, c, i / rows)]
    for (let k = 0; k <= i; k++) {
      points.push(i === 0 ? p : lerp(p, q, k / i))
    }
  }
  return points
}
