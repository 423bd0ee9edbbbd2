/**
 * Triangles as a surface: adjacency, the hinges at inner edges, and the patch of particles around each triangle whose positions determine its
 * curvature.
 */

import { hypot } from '../math/elementary'
import { secondDerivatives, type Patches } from './conditions/curvature'

/** For each side of each triangle (3t + k is the side from corner k to corner k + 1) the neighbour's side at the same edge; −1 at the border. */
export function neighbouringSides(triangles: Int32Array, particles: number): Int32Array {
  const sides = new Int32Array(triangles.length).fill(-1)
  const open = new Map<number, number>()
  for (let s = 0; s < triangles.length; s++) {
    const a = triangles[s]!
    const b = triangles[s - (s % 3) + ((s + 1) % 3)]!
    const key = a < b ? a * particles + b : b * particles + a
    const other = open.get(key)
    if (other === undefined) {
      open.set(key, s)
    } else if (sides[other] === -1) {
      sides[other] = s
      sides[s] = other
    }
  }
  return sides
}

const corner = (triangles: Int32Array, side: number, ahead: number): number => triangles[side - (side % 3) + ((side + ahead) % 3)]!

/** x₀, x₁ of each inner edge and the opposite corners: the elements of `bendCondition`. */
export function hingesOf(triangles: Int32Array, sides: Int32Array): Int32Array {
  const hinges: number[] = []
  for (let s = 0; s < sides.length; s++) {
    if (sides[s]! > s) hinges.push(triangles[s]!, corner(triangles, s, 1), corner(triangles, s, 2), corner(triangles, sides[s]!, 2))
  }
  return Int32Array.from(hinges)
}

/** Most rings of neighbours in a patch; a mesh that needs more is too small to determine its curvature. */
const RINGS = 4

/** (u, v) ↦ (c u − s v + x, s u + c v + y): rest coordinates of a triangle unfolded into those of the first. */
interface Unfolding {
  readonly triangle: number
  readonly c: number
  readonly s: number
  readonly x: number
  readonly y: number
}

/** Patches of equal size, and the triangle of each. */
export interface PatchGroup {
  readonly patches: Patches
  readonly triangles: readonly number[]
}

/**
 * The patch of each triangle, grouped by the number of particles.
 *
 * @param uv rest coordinates of each triangle's corners, six a triangle
 * @returns null if the mesh is too small for patches
 */
export function curvaturePatches(triangles: Int32Array, uv: Float64Array, sides: Int32Array): PatchGroup[] | null {
  const groups = new Map<number, { vertices: number[]; weights: number[]; triangles: number[] }>()
  for (let t = 0; t < triangles.length / 3; t++) {
    const patch = patchOf(t, triangles, uv, sides)
    if (!patch) return null
    const arity = patch.vertices.length
    const group = groups.get(arity) ?? { vertices: [], weights: [], triangles: [] }
    groups.set(arity, group)
    group.vertices.push(...patch.vertices)
    group.weights.push(...patch.weights)
    group.triangles.push(t)
  }
  return [...groups].sort(([a], [b]) => a - b).map(([arity, { vertices, weights, triangles: owners }]) => ({
    patches: { arity, vertices: Int32Array.from(vertices), weights: Float64Array.from(weights) }, triangles: owners,
  }))
}

function patchOf(t: number, triangles: Int32Array, uv: Float64Array, sides: Int32Array): { vertices: number[]; weights: Float64Array } | null {
  const vertices: number[] = []
  const points: [number, number][] = []
  const centre = [0, 1].map(k => (uv[6 * t + k]! + uv[6 * t + 2 + k]! + uv[6 * t + 4 + k]!) / 3)
  const size = Math.max(...[2, 4].map(k => hypot(uv[6 * t + k]! - uv[6 * t]!, uv[6 * t + k + 1]! - uv[6 * t + 1]!)))
  const add = ({ triangle, c, s, x, y }: Unfolding): void => {
    for (let k = 0; k < 3; k++) {
      const v = triangles[3 * triangle + k]!
      if (vertices.includes(v)) continue
      vertices.push(v)
      const [p, q] = [uv[6 * triangle + 2 * k]!, uv[6 * triangle + 2 * k + 1]!]
      points.push([c * p - s * q + x - centre[0]!, s * p + c * q + y - centre[1]!])
    }
  }
  const seen = new Set([t])
  let ring: Unfolding[] = [{ triangle: t, c: 1, s: 0, x: 0, y: 0 }]
  add(ring[0]!)
  for (let r = 0; r < RINGS; r++) {
    const next: Unfolding[] = []
    for (const from of ring) {
      for (let side = 3 * from.triangle; side < 3 * from.triangle + 3; side++) {
        const other = sides[side]!
        const triangle = Math.floor(other / 3)
        if (other < 0 || seen.has(triangle)) continue
        seen.add(triangle)
        const unfolded = unfold(from, side, other, uv, triangles)
        next.push(unfolded)
        add(unfolded)
      }
    }
    const weights = secondDerivatives(points, size)
    if (weights) return { vertices, weights }
    ring = next
  }
  return null
}

/** The map of the neighbour beyond `side` that makes the common edge coincide. */
function unfold(from: Unfolding, side: number, other: number, uv: Float64Array, triangles: Int32Array): Unfolding {
  const at = (of: number, ahead: number): readonly [number, number] => {
    const k = of - (of % 3) + ((of + ahead) % 3)
    return [uv[2 * k]!, uv[2 * k + 1]!]
  }
  const map = ([u, v]: readonly [number, number]): readonly [number, number] => [from.c * u - from.s * v + from.x, from.s * u + from.c * v + from.y]
  const [a, b] = [map(at(side, 0)), map(at(side, 1))]
  const same = triangles[side] === triangles[other]
  const [p, q] = same ? [at(other, 0), at(other, 1)] : [at(other, 1), at(other, 0)]
  const [dx, dy, ex, ey] = [b[0] - a[0], b[1] - a[1], q[0] - p[0], q[1] - p[1]]
  const length = Math.sqrt((dx * dx + dy * dy) * (ex * ex + ey * ey))
  const c = (dx * ex + dy * ey) / length
  const s = (dy * ex - dx * ey) / length
  return { triangle: Math.floor(other / 3), c, s, x: a[0] - c * p[0] + s * p[1], y: a[1] - s * p[0] - c * p[1] }
}
