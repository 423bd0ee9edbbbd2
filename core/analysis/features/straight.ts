/**
 * Nearest points of two vertices, segments or convex plane polygons, in closed form. The candidates are: each corner with its foot point, each pair of sides
 * with their common perpendicular, and each side with its intersection with the other polygon. Each candidate is a pair of points of the two sets, and one
 * of them is the nearest pair. So degenerate positions need no separate case.
 */

import { addScaled, cross, distanceSquared, dot, sub, type Vec3 } from '../../math/vector'
import { newell } from '../../geometry/polyhedron-build'
import type { Distance } from '../distance'

/** One point, the two ends of a segment, or the corners of a convex polygon in order. */
export type Straight = readonly Vec3[]

export function straightDistance(a: Straight, b: Straight): Distance {
  let least = Infinity
  let [pointA, pointB] = [a[0]!, b[0]!]
  const consider = (p: Vec3, q: Vec3): void => {
    const squared = distanceSquared(p, q)
    if (!(squared < least)) return
    least = squared
    pointA = p
    pointB = q
  }
  for (const p of a) consider(p, footPoint(p, b))
  for (const q of b) consider(footPoint(q, a), q)
  const [sidesA, sidesB] = [sidesOf(a), sidesOf(b)]
  for (const one of sidesA) {
    for (const other of sidesB) {
      const feet = commonPerpendicular(one, other)
      if (feet !== null) consider(...feet)
    }
    const through = passage(one, b)
    if (through !== null) consider(through, through)
  }
  for (const other of sidesB) {
    const through = passage(other, a)
    if (through !== null) consider(through, through)
  }
  return { distance: Math.sqrt(least), pointA, pointB }
}

type Side = readonly [Vec3, Vec3]

function sidesOf(points: Straight): Side[] {
  if (points.length < 3) return points.length === 2 ? [[points[0]!, points[1]!]] : []
  return points.map((p, k) => [p, points[(k + 1) % points.length]!])
}

const along = ([p, q]: Side, share: number): Vec3 => share <= 0 ? p : share >= 1 ? q : addScaled(p, sub(q, p), share)

/** The nearest point of the set. */
function footPoint(p: Vec3, points: Straight): Vec3 {
  if (points.length === 1) return points[0]!
  if (points.length > 2) {
    const normal = areaOf(points)
    const foot = addScaled(p, normal, -dot(normal, sub(p, points[0]!)) / dot(normal, normal))
    if (isInside(foot, points, normal)) return foot
  }
  let best = points[0]!
  for (const side of sidesOf(points)) {
    const edge = sub(side[1], side[0])
    const foot = along(side, dot(sub(p, side[0]), edge) / dot(edge, edge))
    if (distanceSquared(p, foot) < distanceSquared(p, best)) best = foot
  }
  return best
}

/** Feet of the common perpendicular of two segments; null if it does not meet both, or they are parallel. */
function commonPerpendicular(one: Side, other: Side): [Vec3, Vec3] | null {
  const [u, v, w] = [sub(one[1], one[0]), sub(other[1], other[0]), sub(other[0], one[0])]
  const normal = cross(u, v)
  const squared = dot(normal, normal)
  if (squared === 0) return null
  const s = dot(cross(w, v), normal) / squared
  const t = dot(cross(w, u), normal) / squared
  return s >= 0 && s <= 1 && t >= 0 && t <= 1 ? [along(one, s), along(other, t)] : null
}

/** The point in which a segment intersects a polygon. */
function passage(side: Side, points: Straight): Vec3 | null {
  if (points.length < 3) return null
  const normal = areaOf(points)
  const [from, to] = [dot(normal, sub(side[0], points[0]!)), dot(normal, sub(side[1], points[0]!))]
  if (from * to > 0 || from === to) return null
  const through = along(side, from / (from - to))
  return isInside(through, points, normal) ? through : null
}

const areaOf = (points: Straight): Vec3 => newell(points, points.map((_, k) => k))

/** Whether a point of the polygon's plane is in the polygon. */
function isInside(p: Vec3, points: Straight, normal: Vec3): boolean {
  return sidesOf(points).every(([q, r]) => dot(cross(normal, sub(r, q)), sub(p, q)) >= 0)
}
