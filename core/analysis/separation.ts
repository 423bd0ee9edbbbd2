/** Exact distance and penetration depth of two convex polyhedra by exhaustive search: slow, simple, and independent of contact detection. */

import { addScaled, cross, dot, length, lengthSquared, sub, type Vec3 } from '../math/vector'
import { edgesOf, faceNormal, gapAlong, separatingDirections, type ConvexSolid } from './convex-solid'

/** Penetration depth of two solids: the smallest displacement that separates them; 0 if they do not overlap. m */
export function penetrationDepth(a: ConvexSolid, b: ConvexSolid): number {
  return Math.max(0, -bestGap(a, b))
}

/** Largest s(n̂) over all facet directions: > 0 exactly if the solids are separated, −depth if they overlap. m */
export function bestGap(a: ConvexSolid, b: ConvexSolid): number {
  return separatingDirections(a, b).reduce((best, n) => Math.max(best, gapAlong(n, a, b)), -Infinity)
}

/** Distance of two solids, m: that of the nearest points if separated, minus the penetration depth if they overlap. */
export function signedDistance(a: ConvexSolid, b: ConvexSolid): number {
  const gap = bestGap(a, b)
  return gap <= 0 ? gap : Math.max(gap, nearestFeatures(a, b))
}

function nearestFeatures(a: ConvexSolid, b: ConvexSolid): number {
  let best = Infinity
  for (const [solid, other] of [[a, b], [b, a]] as const) {
    for (const face of other.faces) {
      const polygon = face.map(v => other.vertices[v]!)
      for (const v of solid.vertices) {
        best = Math.min(best, distanceToPolygon(v, polygon))
      }
    }
  }
  for (const [p, q] of edgesOf(a)) {
    for (const [r, s] of edgesOf(b)) {
      best = Math.min(best, segmentDistance(p, q, r, s))
    }
  }
  return best
}

export function distanceToPolygon(point: Vec3, polygon: readonly Vec3[]): number {
  const normal = faceNormal(polygon)
  const inside = polygon.every((p, k) => dot(cross(normal, sub(polygon[(k + 1) % polygon.length]!, p)), sub(point, p)) >= 0)
  if (inside) {
    return Math.abs(dot(normal, sub(point, polygon[0]!)))
  }
  return polygon.reduce((d, p, k) => Math.min(d, distanceToSegment(point, p, polygon[(k + 1) % polygon.length]!)), Infinity)
}

export function distanceToSegment(point: Vec3, p: Vec3, q: Vec3): number {
  const along = sub(q, p)
  const t = Math.max(0, Math.min(1, dot(sub(point, p), along) / lengthSquared(along)))
  return length(sub(point, addScaled(p, along, t)))
}

export function segmentDistance(p: Vec3, q: Vec3, r: Vec3, s: Vec3): number {
  const u = sub(q, p)
  const v = sub(s, r)
  const m = cross(u, v)
  const square = lengthSquared(m)
  let best = Math.min(distanceToSegment(p, r, s), distanceToSegment(q, r, s), distanceToSegment(r, p, q), distanceToSegment(s, p, q))
  if (square > 0) {
    const w = sub(r, p)
    const x = dot(cross(w, v), m) / square
    const y = dot(cross(w, u), m) / square
    if (x >= 0 && x <= 1 && y >= 0 && y <= 1) {
      best = Math.min(best, Math.abs(dot(w, m)) / Math.sqrt(square))
    }
  }
  return best
}
