/**
 * The convex hull of points: exact triangles, with coplanar neighbours merged and points inside a side dropped. Every set
 * of points with a volume has a hull.
 */

import { cross, dot, length, lengthSquared, normalize, scale, sub, type Vec3 } from '../math/vector'
import { exactHull } from './exact-hull'
import { triangleArea } from './orientation'
import { checkCount, checkPoints, mergeCoplanar, sizeOf, type MergedFaces } from './polyhedron-build'
import { Polyhedron } from './polyhedron'
import { ShapeError } from './shape'

/** Extent of the points across their best plane, × size, below which they enclose no volume worth simulating. */
const FLAT = 1e-9

/** Largest number of points of one hull. Hulls with more corners than a solid may have are rejected later. */
const MAX_POINTS = 200_000

/**
 * Vertices keep the order of their points; points inside the hull or inside a side are dropped.
 *
 * @throws ShapeError: fewer than 4 points or too many, a non-finite or duplicate point, all points on one plane.
 */
export function convexHull(shape: string, points: readonly Vec3[]): Polyhedron {
  return Polyhedron.fromHull(shape, hullFaces(shape, points))
}

/**
 * Corners and sides of the hull: enough to compute its mass and to draw it.
 * @throws ShapeError as above
 */
export function hullFaces(shape: string, points: readonly Vec3[]): MergedFaces {
  if (points.length > MAX_POINTS) {
    throw new ShapeError(shape, 'tooManyPoints', `${points.length} points given; at most ${MAX_POINTS} are allowed`)
  }
  checkPoints(shape, points)
  requireVolume(shape, points)
  const triangles = exactHull(scaledToOne(points))
  if (triangles === null) throw new ShapeError(shape, 'coplanarPoints', `all ${points.length} points lie on one plane; a hull needs a volume`)
  const index = new Int32Array(points.length).fill(-1)
  for (const triangle of triangles) for (const i of triangle) index[i] = 0
  const corners = points.filter((_, i) => index[i] === 0)
  let count = 0
  for (let i = 0; i < points.length; i++) if (index[i] === 0) index[i] = count++
  const loops = triangles.map(([a, b, c]) => [index[a]!, index[b]!, index[c]!])
  checkCount(shape, loops)
  return mergeCoplanar(corners, loops, loops.map(([a, b, c]) => triangleArea(corners[a!]!, corners[b!]!, corners[c!]!)))
}

/** Scales by a power of two, which is exact, so that products of coordinates neither overflow nor underflow. */
function scaledToOne(points: readonly Vec3[]): readonly Vec3[] {
  let most = 0
  for (const p of points) most = Math.max(most, Math.abs(p[0]), Math.abs(p[1]), Math.abs(p[2]))
  let factor = 1
  while (most * factor > 2) factor /= 2
  while (most * factor < 1) factor *= 2
  return factor === 1 ? points : points.map(p => scale(p, factor))
}

/** Volume of the points' hull, m³; 0 if they enclose none. Points may coincide. */
export function hullVolume(points: readonly Vec3[]): number {
  if (points.length < 4 || flatness(points) <= FLAT) {
    return 0
  }
  const origin = points[0]!
  const triangles = exactHull(scaledToOne(points)) ?? []
  return triangles.reduce((sum, triangle) => {
    const [a, b, c] = triangle.map(i => sub(points[i]!, origin)) as [Vec3, Vec3, Vec3]
    return sum + dot(a, cross(b, c)) / 6
  }, 0)
}

/** Extent of the points across their best plane or line, × size. */
function flatness(points: readonly Vec3[]): number {
  const size = sizeOf(points)
  const { area, thickness } = spread(points)
  return Math.min(area, thickness) / size
}

/** Farthest distances of points from a line through two of them, and from a plane through three. */
function spread(points: readonly Vec3[]): { readonly area: number, readonly thickness: number } {
  const a = points[0]!
  const b = farthest(points, p => lengthSquared(sub(p, a)))
  const along = normalize(sub(b, a))
  const c = farthest(points, p => length(cross(along, sub(p, a))))
  const area = cross(along, sub(c, a))
  const normal = normalize(area)
  const thickness = points.reduce((t, p) => Math.max(t, Math.abs(dot(normal, sub(p, a)))), 0)
  return { area: length(area), thickness }
}

function requireVolume(shape: string, points: readonly Vec3[]): void {
  if (flatness(points) <= FLAT) {
    const { thickness } = spread(points)
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
