/** Convex polyhedra as plain polygons in the world, for independent tests of contact detection. Shares no code with it. */

import type { Polyhedron } from '../geometry/polyhedron'
import { toOuter, type Pose } from '../math/pose'
import { add, cross, dot, lengthSquared, normalize, scale, sub, ZERO, type Vec3 } from '../math/vector'

export interface ConvexSolid {
  /** m, world. */
  readonly vertices: readonly Vec3[]
  /** Counter-clockwise seen from outside. */
  readonly faces: readonly (readonly number[])[]
}

export interface HalfSpacePlane {
  /** Unit, outwards. */
  readonly normal: Vec3
  /** m: solid where normal · x ≤ offset. */
  readonly offset: number
}

export function solidAt(polyhedron: Polyhedron, pose: Pose): ConvexSolid {
  return { vertices: polyhedron.vertices.map(v => toOuter(pose, v)), faces: polyhedron.faces.map(face => face.loop) }
}

/** Face normal by the sum of cross products about the first vertex. */
export function faceNormal(polygon: readonly Vec3[]): Vec3 {
  let sum: Vec3 = ZERO
  for (let k = 1; k + 1 < polygon.length; k++) {
    sum = add(sum, cross(sub(polygon[k]!, polygon[0]!), sub(polygon[k + 1]!, polygon[0]!)))
  }
  return normalize(sum)
}

export function facePlanes(solid: ConvexSolid): HalfSpacePlane[] {
  return solid.faces.map(face => {
    const polygon = face.map(v => solid.vertices[v]!)
    const normal = faceNormal(polygon)
    return { normal, offset: dot(normal, scale(polygon.reduce(add), 1 / polygon.length)) }
  })
}

/** Both ends of every edge, each edge once. */
export function edgesOf(solid: ConvexSolid): [Vec3, Vec3][] {
  return solid.faces.flatMap(face => face.flatMap((v, k): [Vec3, Vec3][] => {
    const w = face[(k + 1) % face.length]!
    return v < w ? [[solid.vertices[v]!, solid.vertices[w]!]] : []
  }))
}

/** s(n) = min_A n·a − max_B n·b, m. */
export function gapAlong(normal: Vec3, a: ConvexSolid, b: ConvexSolid): number {
  const origin = b.vertices[0]!
  const low = a.vertices.reduce((m, v) => Math.min(m, dot(normal, sub(v, origin))), Infinity)
  const high = b.vertices.reduce((m, v) => Math.max(m, dot(normal, sub(v, origin))), -Infinity)
  return low - high
}

/** Directions of all possible facets of the difference of two solids: face normals in both directions, and cross products of edges. */
export function separatingDirections(a: ConvexSolid, b: ConvexSolid): Vec3[] {
  const directions = [
    ...facePlanes(a).map(({ normal }) => scale(normal, -1)),
    ...facePlanes(b).map(({ normal }) => normal),
  ]
  for (const [p, q] of edgesOf(a)) {
    for (const [r, s] of edgesOf(b)) {
      const u = sub(q, p)
      const v = sub(s, r)
      const m = cross(u, v)
      if (lengthSquared(m) > 1e-18 * lengthSquared(u) * lengthSquared(v)) {
        const n = normalize(m)
        directions.push(n, scale(n, -1))
      }
    }
  }
  return directions
}
