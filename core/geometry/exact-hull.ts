/**
 * The convex hull of points as triangles, by adding the farthest point outside until there is none [Barber, Dobkin, Huhdanpaa 1996], with every side decided
 * exactly. A point in the plane of a triangle does not see it. So the triangles that a point sees are always a disc with one outline, every triangle between
 * an edge of that outline and the point has an area, and no set of points, however thin it is or flat its sides are, leaves a surface open.
 */

import { cross, dot, sub, type Vec3 } from '../math/vector'
import { orientation } from './orientation'

interface Triangle {
  readonly corners: readonly [number, number, number]
  /** The neighbour across the edge from corner k to the next. */
  readonly neighbors: [Triangle | null, Triangle | null, Triangle | null]
  /** Points that see this triangle, each in the list of one triangle only; null for none. */
  outside: number[] | null
  isGone: boolean
  /** Number of the point being added, if it is above the triangle. */
  seen: number
}

/** Triangles of indices of points, counter-clockwise seen from outside; `null` if all points lie in one plane. */
export function exactHull(points: readonly Vec3[]): (readonly [number, number, number])[] | null {
  const first = simplex(points)
  if (first === null) return null
  const all = firstTriangles(first)
  const rest: number[] = []
  for (let i = 0; i < points.length; i++) if (!first.includes(i)) rest.push(i)
  share(points, rest, all)
  const starting = new Int32Array(points.length)
  for (let next = 0; next < all.length; next++) {
    const triangle = all[next]!
    while (!triangle.isGone && triangle.outside !== null) add(points, farthest(points, triangle, triangle.outside), triangle, all, starting)
  }
  return all.filter(({ isGone }) => !isGone).map(({ corners }) => corners)
}

/** Four points of a tetrahedron with positive volume. */
function simplex(points: readonly Vec3[]): readonly [number, number, number, number] | null {
  const a = best(points, p => -p[0])
  const b = best(points, p => squared(sub(p, points[a]!)))
  const way = sub(points[b]!, points[a]!)
  const c = best(points, p => squared(cross(way, sub(p, points[a]!))))
  const normal = cross(way, sub(points[c]!, points[a]!))
  const d = best(points, p => Math.abs(dot(normal, sub(p, points[a]!))))
  const side = orientation(points[a]!, points[b]!, points[c]!, points[d]!)
  if (side !== 0) return side < 0 ? [a, b, c, d] : [a, c, b, d]
  // No volume in doubles: any four points that are not coplanar will do.
  for (let i = 0; i < points.length; i++) {
    const height = orientation(points[a]!, points[b]!, points[c]!, points[i]!)
    if (height !== 0) return height < 0 ? [a, b, c, i] : [a, c, b, i]
  }
  return null
}

function squared(v: Vec3): number {
  return dot(v, v)
}

function best(points: readonly Vec3[], measure: (p: Vec3) => number): number {
  let found = 0
  let most = -Infinity
  points.forEach((p, i) => {
    const value = measure(p)
    if (value > most) {
      most = value
      found = i
    }
  })
  return found
}

function triangleOf(a: number, b: number, c: number): Triangle {
  return { corners: [a, b, c], neighbors: [null, null, null], outside: null, isGone: false, seen: -1 }
}

/** The sides of a tetrahedron whose last point lies below the triangle of the others. */
function firstTriangles([a, b, c, d]: readonly [number, number, number, number]): Triangle[] {
  const [top, one, two, three] = [triangleOf(a, b, c), triangleOf(b, a, d), triangleOf(c, b, d), triangleOf(a, c, d)] as const
  join(top, one, two, three)
  join(one, top, three, two)
  join(two, top, one, three)
  join(three, top, two, one)
  return [top, one, two, three]
}

function join(triangle: Triangle, first: Triangle, second: Triangle, third: Triangle): void {
  triangle.neighbors[0] = first
  triangle.neighbors[1] = second
  triangle.neighbors[2] = third
}

function sees(points: readonly Vec3[], p: number, { corners: [a, b, c] }: Triangle): boolean {
  return orientation(points[a]!, points[b]!, points[c]!, points[p]!) > 0
}

/** Assigns each point to the first triangle that it is above; the others lie inside. */
function share(points: readonly Vec3[], some: readonly number[], triangles: readonly Triangle[]): void {
  for (const p of some) {
    for (const triangle of triangles) {
      if (sees(points, p, triangle)) {
        if (triangle.outside === null) triangle.outside = [p]
        else triangle.outside.push(p)
        break
      }
    }
  }
}

function farthest(points: readonly Vec3[], { corners: [a, b, c] }: Triangle, outside: readonly number[]): number {
  const normal = cross(sub(points[b]!, points[a]!), sub(points[c]!, points[a]!))
  let found = outside[0]!
  let most = -Infinity
  const [x, y, z] = points[a]!
  for (const p of outside) {
    const q = points[p]!
    const height = normal[0] * (q[0] - x) + normal[1] * (q[1] - y) + normal[2] * (q[2] - z)
    if (height > most) {
      most = height
      found = p
    }
  }
  return found
}

/**
 * Replaces the triangles below a point by those between it and their outline.
 * @param starting scratch memory: the new triangle that starts at each corner of the outline
 */
function add(points: readonly Vec3[], p: number, from: Triangle, all: Triangle[], starting: Int32Array): void {
  from.seen = p
  const visible = [from]
  const made: Triangle[] = []
  for (let next = 0; next < visible.length; next++) {
    const triangle = visible[next]!
    for (let k = 0; k < 3; k++) {
      const neighbor: Triangle = triangle.neighbors[k]!
      if (neighbor.seen === p) continue
      if (sees(points, p, neighbor)) {
        neighbor.seen = p
        visible.push(neighbor)
        continue
      }
      const u = triangle.corners[k]!
      const v = triangle.corners[(k + 1) % 3]!
      const fresh = triangleOf(u, v, p)
      fresh.neighbors[0] = neighbor
      neighbor.neighbors[neighbor.corners.indexOf(v) as 0 | 1 | 2] = fresh
      starting[u] = made.push(fresh) - 1
    }
  }
  for (const fresh of made) {
    const after = made[starting[fresh.corners[1]]!]!
    fresh.neighbors[1] = after
    after.neighbors[2] = fresh
  }
  const loose: number[] = []
  for (const triangle of visible) {
    triangle.isGone = true
    for (const q of triangle.outside ?? []) if (q !== p) loose.push(q)
    triangle.outside = null
  }
  share(points, loose, made)
  all.push(...made)
}
