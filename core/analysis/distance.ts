/**
 * Distance of two convex solids of any kind with their nearest points, from support points only [Gilbert, Johnson, Keerthi 1988]; independent of
 * contact detection. A simplex of support points approaches the point v of the Minkowski difference A − B that is nearest to the origin.
 */

import { toOuter, type Pose } from '../math/pose'
import { rotateInverse } from '../math/quaternion'
import { addScaled, dot, lengthSquared, scale, sub, type Vec3 } from '../math/vector'
import { HalfSpace } from '../geometry/half-space'
import type { Primitive } from '../geometry/shape'

export interface PlacedSolid {
  readonly primitive: Primitive
  /** In the world. */
  readonly pose: Pose
}

export interface Distance {
  /** m; 0 if the solids touch or overlap. */
  readonly distance: number
  /** World; the same point if they overlap. */
  readonly pointA: Vec3
  readonly pointB: Vec3
}

/** Maximum number of support points; more would change only the last digits, because curved solids converge linearly. */
const MAX_STEPS = 200
/** × |v|²: smallest improvement by a support point for which the search continues. */
const GAIN = 1e-13

interface Vertex {
  readonly difference: Vec3
  readonly a: Vec3
  readonly b: Vec3
}

/** Support function of a convex set in the world: its farthest point along a direction, which need not be a unit vector. */
export type Support = (direction: Vec3) => Vec3

/** The smallest distance over all pairs of solids of two bodies; null if a body has none. Two half-spaces have no distance. */
export function bodyDistance(a: readonly PlacedSolid[], b: readonly PlacedSolid[]): Distance | null {
  let best: Distance | null = null
  for (const one of a) {
    for (const other of b) {
      if (one.primitive.kind === 'halfSpace' && other.primitive.kind === 'halfSpace') continue
      const found = solidDistance(one, other)
      if (best === null || found.distance < best.distance) best = found
    }
  }
  return best
}

export function solidDistance(a: PlacedSolid, b: PlacedSolid): Distance {
  if (a.primitive instanceof HalfSpace) return swapped(toPlane(b, a.primitive.placed(a.pose)))
  if (b.primitive instanceof HalfSpace) return toPlane(a, b.primitive.placed(b.pose))
  return supportDistance(supportIn(a), supportIn(b), sub(b.pose.position, a.pose.position))
}

/** Distance of two bounded convex sets. @param first direction from a towards b in which the search starts; zero if unknown */
export function supportDistance(a: Support, b: Support, first: Vec3): Distance {
  let simplex: Vertex[] = [supportOf(a, b, first)]
  let weights = [1]
  for (let step = 0; step < MAX_STEPS; step++) {
    const v = combined(simplex, weights, vertex => vertex.difference)
    const squared = lengthSquared(v)
    if (squared === 0) break
    const next = supportOf(a, b, scale(v, -1))
    if (squared - dot(v, next.difference) <= GAIN * squared || simplex.some(({ difference }) => difference.every((x, k) => x === next.difference[k]))) break
    const nearest = nearestIn([...simplex, next])
    if (!(lengthSquared(combined(nearest.simplex, nearest.weights, vertex => vertex.difference)) < squared)) break
    ;({ simplex, weights } = nearest)
    if (simplex.length === 4) break
  }
  const pointA = combined(simplex, weights, vertex => vertex.a)
  const pointB = combined(simplex, weights, vertex => vertex.b)
  return simplex.length === 4 ? { distance: 0, pointA, pointB: pointA } : { distance: Math.sqrt(lengthSquared(sub(pointA, pointB))), pointA, pointB }
}

const swapped = ({ distance, pointA, pointB }: Distance): Distance => ({ distance, pointA: pointB, pointB: pointA })

function toPlane(solid: PlacedSolid, plane: HalfSpace): Distance {
  const pointA = supportIn(solid)(scale(plane.normal, -1))
  const height = dot(plane.normal, pointA) - plane.offset
  return { distance: Math.max(0, height), pointA, pointB: height > 0 ? addScaled(pointA, plane.normal, -height) : pointA }
}

export function supportIn({ primitive, pose }: PlacedSolid): Support {
  return direction => toOuter(pose, primitive.support(rotateInverse(pose.orientation, direction)))
}

function supportOf(a: Support, b: Support, direction: Vec3): Vertex {
  const along: Vec3 = lengthSquared(direction) > 0 ? direction : [1, 0, 0]
  const [p, q] = [a(along), b(scale(along, -1))]
  return { difference: sub(p, q), a: p, b: q }
}

function combined(simplex: readonly Vertex[], weights: readonly number[], point: (vertex: Vertex) => Vec3): Vec3 {
  return simplex.reduce<Vec3>((sum, vertex, i) => addScaled(sum, point(vertex), weights[i]!), [0, 0, 0])
}

/** The face of a simplex of up to four points that contains its nearest point to the origin: the best of all faces that contain their foot point. */
function nearestIn(points: readonly Vertex[]): { simplex: Vertex[]; weights: number[] } {
  let best: { simplex: Vertex[]; weights: number[]; squared: number } | null = null
  for (let set = 1; set < 1 << points.length; set++) {
    const simplex = points.filter((_, i) => set & (1 << i))
    const weights = footOf(simplex)
    if (weights === null) continue
    const squared = simplex.length === 4 ? 0 : lengthSquared(combined(simplex, weights, vertex => vertex.difference))
    if (best === null || squared < best.squared) best = { simplex, weights, squared }
  }
  return best!
}

/** Barycentric coordinates of the origin's foot point on the flat through the points; null if it is outside, or the points are degenerate. */
function footOf(simplex: readonly Vertex[]): number[] | null {
  const [first, ...others] = simplex.map(vertex => vertex.difference)
  const edges = others.map(point => sub(point, first!))
  const rows = edges.map(e => [...edges.map(f => dot(e, f)), -dot(e, first!)])
  const scales = edges.map(lengthSquared)
  for (let i = 0; i < rows.length; i++) {
    const pivot = rows[i]![i]!
    if (!(pivot > 1e-14 * scales[i]!)) return null
    for (let k = 0; k < rows.length; k++) {
      if (k === i) continue
      const factor = rows[k]![i]! / pivot
      for (let j = i; j <= rows.length; j++) rows[k]![j]! -= factor * rows[i]![j]!
    }
  }
  const weights = rows.map((row, i) => row[rows.length]! / row[i]!)
  const all = [1 - weights.reduce((sum, w) => sum + w, 0), ...weights]
  return all.every(w => w >= 0) ? all : null
}
