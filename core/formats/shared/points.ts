/** Checks on point sets before solids are made of them. */

import { firstAtPlace } from '../../geometry/coincident'
import { cross, distance, dot, length, normalize, sub, type Vec3 } from '../../math/vector'

/** Distance from their plane up to which points count as flat, × extent. */
export const FLAT = 1e-6

/** Whether the points span a volume. */
export function spansVolume(points: readonly Vec3[]): boolean {
  const a = points[0]
  if (a === undefined) return false
  const b = farthest(points, p => distance(p, a))
  const size = distance(a, b)
  if (!(size > 0)) return false
  const along = normalize(sub(b, a))
  const c = farthest(points, p => length(cross(along, sub(p, a))))
  const across = cross(along, sub(c, a))
  if (!(length(across) > FLAT * size)) return false
  const normal = normalize(across)
  return points.some(p => Math.abs(dot(normal, sub(p, a))) > FLAT * size)
}

function farthest(points: readonly Vec3[], measure: (p: Vec3) => number): Vec3 {
  let best = points[0]!
  let most = -1
  for (const p of points) {
    const value = measure(p)
    if (value > most) [best, most] = [p, value]
  }
  return best
}

/** The distinct points, in their order. */
export function distinct(points: readonly Vec3[]): Vec3[] {
  const first = firstAtPlace(points)
  return points.filter((_, i) => first[i] === i)
}
