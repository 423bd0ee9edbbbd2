/** Nearest points of a point and a triangle, and of two segments. */

import { add, addScaled, cross, dot, lengthSquared, sub, type Vec3 } from '../math/vector'

export interface NearestPair {
  readonly onA: Vec3
  readonly onB: Vec3
}

export function pointTriangle(p: Vec3, triangle: readonly [Vec3, Vec3, Vec3]): NearestPair {
  const [a, b, c] = triangle
  const normal = cross(sub(b, a), sub(c, a))
  const square = lengthSquared(normal)
  const inside = square > 0 && ([[a, b], [b, c], [c, a]] as const).every(([s, t]) => dot(cross(sub(t, s), sub(p, s)), normal) >= 0)
  if (inside) {
    return { onA: p, onB: addScaled(p, normal, -dot(normal, sub(p, a)) / square) }
  }
  const feet = ([[a, b], [b, c], [c, a]] as const).map(([s, t]) => footOn(p, s, t))
  return { onA: p, onB: feet.reduce((best, foot) => lengthSquared(sub(foot, p)) < lengthSquared(sub(best, p)) ? foot : best) }
}

export function segmentSegment(a: readonly [Vec3, Vec3], b: readonly [Vec3, Vec3]): NearestPair {
  const [p, q] = a
  const [r, s] = b
  const ends: NearestPair[] = [
    ...a.map(onA => ({ onA, onB: footOn(onA, r, s) })),
    ...b.map(onB => ({ onA: footOn(onB, p, q), onB })),
  ]
  const [u, v, w] = [sub(q, p), sub(s, r), sub(r, p)]
  const m = cross(u, v)
  const square = lengthSquared(m)
  if (square > 0) {
    const x = dot(cross(w, v), m) / square
    const y = dot(cross(w, u), m) / square
    if (x >= 0 && x <= 1 && y >= 0 && y <= 1) {
      ends.push({ onA: addScaled(p, u, x), onB: addScaled(r, v, y) })
    }
  }
  return ends.reduce((best, pair) => lengthSquared(sub(pair.onA, pair.onB)) < lengthSquared(sub(best.onA, best.onB)) ? pair : best)
}

function footOn(point: Vec3, from: Vec3, to: Vec3): Vec3 {
  const along = sub(to, from)
  const square = lengthSquared(along)
  const t = square > 0 ? Math.max(0, Math.min(1, dot(sub(point, from), along) / square)) : 0
  return add(from, [t * along[0], t * along[1], t * along[2]])
}
