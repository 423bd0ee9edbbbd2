/** Triangles of a surface in a tree of boxes, for distances and ray intersections. */

import { cross, dot, max, min, sub, type Vec3 } from '../math/vector'
import type { Mesh } from './mesh'

export type Triangle = readonly [Vec3, Vec3, Vec3]

export interface Node {
  readonly low: Vec3
  readonly high: Vec3
  readonly triangles: readonly Triangle[]
  readonly parts: readonly Node[]
}

/** Triangles per leaf; with fewer, the extra boxes cost more than they save. */
const LEAF = 8

/** @param mesh of triangles, at least one */
export function surfaceTree({ vertices, faces }: Mesh): Node {
  return treeOf(faces.map(([a, b, c]): Triangle => [vertices[a!]!, vertices[b!]!, vertices[c!]!]))
}

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

/**
 * Calls `hit` for each intersection of the ray origin + s direction, 0 < s < `most()`, with a triangle: with s and the
 * sign of direction · normal. An intersection on an edge is reported for each of its triangles.
 */
function walk(node: Node, origin: Vec3, direction: Vec3, most: () => number, hit: (s: number, sign: number) => void): void {
  let [from, to] = [0, most()]
  for (let k = 0; k < 3; k++) {
    const [a, b] = [(node.low[k]! - origin[k]!) / direction[k]!, (node.high[k]! - origin[k]!) / direction[k]!]
    if (direction[k] === 0) {
      if (origin[k]! < node.low[k]! || origin[k]! > node.high[k]!) {
        return
      }
      continue
    }
    from = Math.max(from, Math.min(a, b))
    to = Math.min(to, Math.max(a, b))
  }
  // The margin covers rounding errors of the box's sides.
  if (from > to * (1 + 1e-12)) {
    return
  }
  for (const triangle of node.triangles) {
    const found = intersection(triangle, origin, direction)
    if (found !== null && found.s > 0 && found.s < most()) {
      hit(found.s, found.sign)
    }
  }
  for (const part of node.parts) {
    walk(part, origin, direction, most, hit)
  }
}

/** Tolerance of barycentric coordinates, larger than rounding errors, so that no ray passes between adjacent triangles. */
const SEAM = 1e-9

/** Möller and Trumbore's test; null if the ray misses the triangle or lies in its plane. */
function intersection([a, b, c]: Triangle, origin: Vec3, direction: Vec3): { s: number, sign: number } | null {
  const [ab, ac] = [sub(b, a), sub(c, a)]
  const p = cross(direction, ac)
  const determinant = dot(ab, p)
  if (determinant === 0) {
    return null
  }
  const from = sub(origin, a)
  const u = dot(from, p) / determinant
  const q = cross(from, ab)
  const v = dot(direction, q) / determinant
  if (!(u >= -SEAM && v >= -SEAM && u + v <= 1 + SEAM)) {
    return null
  }
  return { s: dot(ac, q) / determinant, sign: -Math.sign(determinant) }
}

/** Parameter of the first intersection of the ray origin + s direction, s > 0, with the surface; Infinity if there is none before `most`. */
export function firstIntersection(tree: Node, origin: Vec3, direction: Vec3, most = Infinity): number {
  let first = most
  walk(tree, origin, direction, () => first, s => { first = s })
  return first < most ? first : Infinity
}

/** No edge of a modelled solid is parallel to this direction, so a ray crosses faces in their interiors. */
const SKEW: Vec3 = [0.35119, 0.58727, 0.72913]

/** Whether a point is inside a closed surface, by the signed crossings of a ray. For points on the surface, up to rounding, either result is possible. */
export function isInside(tree: Node, p: Vec3): boolean {
  let leaves = 0
  walk(tree, p, SKEW, () => Infinity, (_, sign) => { leaves += sign })
  return leaves > 0
}
