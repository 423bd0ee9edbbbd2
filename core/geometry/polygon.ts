/** Plane polygons, convex or not: normals and triangles. */

import { cross, dot, normalize, sub, type Vec3 } from '../math/vector'

/** Unit normal of a polygon by Newell's sum, which is also valid for slightly bent or concave polygons. */
export function polygonNormal(points: readonly Vec3[]): Vec3 {
  let x = 0
  let y = 0
  let z = 0
  for (let i = 0; i < points.length; i++) {
    const p = points[i]!
    const q = points[(i + 1) % points.length]!
    x += (p[1] - q[1]) * (p[2] + q[2])
    y += (p[2] - q[2]) * (p[0] + q[0])
    z += (p[0] - q[0]) * (p[1] + q[1])
  }
  return normalize([x, y, z])
}

/** Triangles of a simple polygon by ear clipping; indices into `points`. */
export function triangulate(points: readonly Vec3[], normal: Vec3): [number, number, number][] {
  const left = points.map((_, i) => i)
  const triangles: [number, number, number][] = []
  const turn = (a: number, b: number, c: number) => dot(cross(sub(points[b]!, points[a]!), sub(points[c]!, points[a]!)), normal)
  const isEar = (a: number, b: number, c: number) => turn(a, b, c) > 0
    && left.every(p => p === a || p === b || p === c || turn(a, b, p) < 0 || turn(b, c, p) < 0 || turn(c, a, p) < 0)
  while (left.length > 3) {
    const n = left.length
    let ear = left.findIndex((_, i) => isEar(left[(i + n - 1) % n]!, left[i]!, left[(i + 1) % n]!))
    // A degenerate polygon has no ear; clipping any corner still covers it.
    if (ear < 0) ear = 0
    triangles.push([left[(ear + n - 1) % n]!, left[ear]!, left[(ear + 1) % n]!])
    left.splice(ear, 1)
  }
  triangles.push([left[0]!, left[1]!, left[2]!])
  return triangles
}
