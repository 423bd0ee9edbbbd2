/**
 * Nearest points of a point and a triangle, and of two segments. The direction between them is computed from the features (a face's normal, the cross
 * product of two edges) instead of the points, so it stays exact for nearly coincident points.
 */

import { add, addScaled, cross, dot, length, lengthSquared, scale, sub, type Vec3 } from '../math/vector'

export interface Nearest {
  /** m */
  readonly distance: number
  /** Unit, from B to A; zero if no feature defines it. */
  readonly normal: Vec3
}

export function pointTriangle(p: Vec3, triangle: readonly [Vec3, Vec3, Vec3]): Nearest {
  const [a, b, c] = triangle
  const normal = cross(sub(b, a), sub(c, a))
  const size = length(normal)
  const sides = [[a, b], [b, c], [c, a]] as const
  if (size > 0 && sides.every(([s, t]) => dot(cross(sub(t, s), sub(p, s)), normal) >= 0)) {
    const height = dot(normal, sub(p, a)) / size
    return { distance: Math.abs(height), normal: scale(normal, (height < 0 ? -1 : 1) / size) }
  }
  return sides.map(([s, t]) => pointSegment(p, s, t)).reduce(closer)
}

export function segmentSegment(a: readonly [Vec3, Vec3], b: readonly [Vec3, Vec3]): Nearest {
  const [p, q] = a
  const [r, s] = b
  const ends = [...a.map(end => pointSegment(end, r, s)), ...b.map(end => turned(pointSegment(end, p, q)))]
  const [u, v, w] = [sub(q, p), sub(s, r), sub(r, p)]
  const m = cross(u, v)
  const square = lengthSquared(m)
  if (square > 0) {
    const x = dot(cross(w, v), m) / square
    const y = dot(cross(w, u), m) / square
    if (x >= 0 && x <= 1 && y >= 0 && y <= 1) {
      const height = -dot(w, m) / Math.sqrt(square)
      ends.push({ distance: Math.abs(height), normal: scale(m, (height < 0 ? -1 : 1) / Math.sqrt(square)) })
    }
  }
  return ends.reduce(closer)
}

/** From the segment to the point. */
function pointSegment(point: Vec3, from: Vec3, to: Vec3): Nearest {
  const along = sub(to, from)
  const square = lengthSquared(along)
  const t = square > 0 ? dot(sub(point, from), along) / square : 0
  if (t <= 0 || t >= 1) {
    return between(point, t <= 0 ? from : to)
  }
  const across = sub(point, add(from, scale(along, t)))
  // Two orthogonalisations are enough.
  const upright = addScaled(across, along, -dot(across, along) / square)
  const distance = length(upright)
  return { distance, normal: distance > 0 ? scale(upright, 1 / distance) : upright }
}

function between(a: Vec3, b: Vec3): Nearest {
  const d = sub(a, b)
  const distance = length(d)
  return { distance, normal: distance > 0 ? scale(d, 1 / distance) : d }
}

function closer(best: Nearest, tried: Nearest): Nearest {
  return tried.distance < best.distance ? tried : best
}

function turned({ distance, normal }: Nearest): Nearest {
  return { distance, normal: scale(normal, -1) }
}
