/** Finds the deformable under the pointer: cloth and balls by their drawn triangles, ropes, hair and springs within a few pixels. */

import { cross, dot, sub, type Vec3 } from '../../../core/math/vector'
import { toPixelInto, type Projection, type Ray } from '../camera/projection'
import type { DeformableMesh } from './mesh'

/** CSS pixels. */
const REACH = 6

export interface DeformableHit {
  readonly deformable: number
  /** m along the ray. */
  readonly distance: number
}

/** @param x m, 3 a particle: the drawn positions */
export function deformableUnder(
  mesh: DeformableMesh, x: Float64Array, view: Projection, ray: Ray, pixel: readonly [number, number], wanted: (deformable: number) => boolean,
): DeformableHit | null {
  let best: DeformableHit | null = null
  const offer = (deformable: number, distance: number): void => {
    if (distance > 0 && (best === null || distance < best.distance)) best = { deformable, distance }
  }
  const at = (particle: number): Vec3 => [x[3 * particle]!, x[3 * particle + 1]!, x[3 * particle + 2]!]
  for (const { at: first, kind, particles, triangles, radius } of mesh.parts) {
    const owner = mesh.owner[first]!
    if (!wanted(owner)) continue
    if (kind === 'sheet') {
      for (let t = 0; t < triangles.length; t += 3) {
        const distance = meetTriangle(ray, at(particles[triangles[t]!]!), at(particles[triangles[t + 1]!]!), at(particles[triangles[t + 2]!]!))
        if (distance !== null) offer(owner, distance)
      }
    } else if (kind === 'ball') {
      const distance = meetBall(ray, at(particles[0]!), radius)
      if (distance !== null) offer(owner, distance)
    } else {
      for (let i = 0; i + 1 < particles.length; i++) {
        const [a, b] = [at(particles[i]!), at(particles[i + 1]!)]
        if (pixelsFrom(view, a, b, pixel) <= REACH) offer(owner, dot(sub(a, ray.origin), ray.direction))
      }
    }
  }
  return best
}

/** Möller and Trumbore's test, two-sided. Distance in m; null without intersection. */
function meetTriangle(ray: Ray, a: Vec3, b: Vec3, c: Vec3): number | null {
  const [e1, e2] = [sub(b, a), sub(c, a)]
  const h = cross(ray.direction, e2)
  const determinant = dot(e1, h)
  if (determinant === 0) return null
  const s = sub(ray.origin, a)
  const u = dot(s, h) / determinant
  const q = cross(s, e1)
  const v = dot(ray.direction, q) / determinant
  return u < 0 || v < 0 || u + v > 1 ? null : dot(e2, q) / determinant
}

function meetBall(ray: Ray, center: Vec3, radius: number): number | null {
  const to = sub(center, ray.origin)
  const along = dot(to, ray.direction)
  const within = radius * radius - (dot(to, to) - along * along)
  return within < 0 ? null : along - Math.sqrt(within)
}

const p: [number, number, number] = [0, 0, 0]
const q: [number, number, number] = [0, 0, 0]

/** Distance of a picture point from a segment, CSS pixels. */
function pixelsFrom(view: Projection, a: Vec3, b: Vec3, [x, y]: readonly [number, number]): number {
  if (!toPixelInto(view, ...a, p) || !toPixelInto(view, ...b, q)) return Infinity
  const [dx, dy] = [q[0] - p[0], q[1] - p[1]]
  const t = Math.min(1, Math.max(0, ((x - p[0]) * dx + (y - p[1]) * dy) / (dx * dx + dy * dy || 1)))
  return Math.hypot(p[0] + t * dx - x, p[1] + t * dy - y)
}
