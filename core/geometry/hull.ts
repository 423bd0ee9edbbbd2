/** The convex hull of points, found by quickhull and then made exact: planes in double precision, flat sides merged, points within them dropped. */

import quickhull from 'quickhull3d'
import { cross, dot, length, lengthSquared, normalize, sub, type Vec3 } from '../math/vector'
import { checkPoints, sizeOf } from './polyhedron-build'
import { Polyhedron } from './polyhedron'
import { ShapeError } from './shape'

/** Extent of the points across their best plane, × size, below which they enclose no volume worth simulating. */
const FLAT = 1e-9

/** Points of one hull; hulls of more corners than a solid may have are refused after. */
const MAX_POINTS = 200_000

/**
 * Vertices keep the order of the points they come from; points inside or within a side are dropped.
 * @throws ShapeError: fewer than 4 points or too many, a non-finite or duplicate point, all points on one plane.
 */
export function convexHull(shape: string, points: readonly Vec3[]): Polyhedron {
  if (points.length > MAX_POINTS) {
    throw new ShapeError(shape, 'tooManyPoints', `${points.length} points given; at most ${MAX_POINTS} are allowed`)
  }
  checkPoints(shape, points)
  requireVolume(shape, points)
  const triangles = quickhull(points.map(p => [p[0], p[1], p[2]] as [number, number, number]))
  const used = new Set(triangles.flat())
  const index = new Int32Array(points.length).fill(-1)
  const corners = points.filter((_, i) => used.has(i))
  points.reduce((count, _, i) => {
    index[i] = used.has(i) ? count : -1
    return used.has(i) ? count + 1 : count
  }, 0)
  return Polyhedron.fromFaces(shape, corners, triangles.map(triangle => triangle.map(i => index[i]!)))
}

function requireVolume(shape: string, points: readonly Vec3[]): void {
  const size = sizeOf(points)
  const a = points[0]!
  const b = farthest(points, p => lengthSquared(sub(p, a)))
  const along = normalize(sub(b, a))
  const c = farthest(points, p => length(cross(along, sub(p, a))))
  const area = cross(along, sub(c, a))
  const normal = normalize(area)
  const thickness = points.reduce((t, p) => Math.max(t, Math.abs(dot(normal, sub(p, a)))), 0)
  if (length(area) <= FLAT * size || thickness <= FLAT * size) {
    throw new ShapeError(shape, 'coplanarPoints', `all ${points.length} points lie on one plane (thickness ${thickness} m); a hull needs a volume`)
  }
}

function farthest(points: readonly Vec3[], measure: (p: Vec3) => number): Vec3 {
  let best = points[0]!
  let value = -Infinity
  for (const p of points) {
    const m = measure(p)
    if (m > value) {
      value = m
      best = p
    }
  }
  return best
}
