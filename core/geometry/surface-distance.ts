/** Distance to a triangle mesh, by a tree of boxes; and the distances by which convex pieces extend beyond the solid that they approximate. */

import { add, addScaled, cross, distance, dot, length, lerp, scale, sub, type Vec3 } from '../math/vector'
import type { Mesh } from './mesh'
import type { Polyhedron } from './polyhedron'
import { sizeOf } from './polyhedron-build'
import { isInside, surfaceTree, type Node, type Triangle } from './surface-tree'

function distanceToBox({ low, high }: Node, p: Vec3): number {
  return length([0, 1, 2].map(k => Math.max(0, low[k]! - p[k]!, p[k]! - high[k]!)) as unknown as Vec3)
}

/** Distance of a point from a triangle, m. */
export function distanceToTriangle(p: Vec3, [a, b, c]: Triangle): number {
  const normal = cross(sub(b, a), sub(c, a))
  const area = length(normal)
  const within = area > 0 && ([[a, b], [b, c], [c, a]] as const).every(([q, r]) => dot(cross(normal, sub(r, q)), sub(p, q)) >= 0)
  if (within) {
    return Math.abs(dot(normal, sub(p, a))) / area
  }
  return Math.min(...([[a, b], [b, c], [c, a]] as const).map(([q, r]) => {
    const along = sub(r, q)
    const square = dot(along, along)
    const at = square === 0 ? 0 : Math.max(0, Math.min(1, dot(along, sub(p, q)) / square))
    return distance(p, addScaled(q, along, at))
  }))
}

/** Returns the distance of points from a surface of triangles, m. */
export function distanceTo(tree: Node): (p: Vec3) => number {
  return p => {
    let nearest = Infinity
    const look = (node: Node): void => {
      for (const triangle of node.triangles) {
        nearest = Math.min(nearest, distanceToTriangle(p, triangle))
      }
      const parts = node.parts.map(part => ({ part, away: distanceToBox(part, p) })).sort((one, other) => one.away - other.away)
      for (const { part, away } of parts) {
        if (away < nearest) {
          look(part)
        }
      }
    }
    look(tree)
    return nearest
  }
}

/** Spacing of the sample points on a piece, × the mesh's size. */
const SPACING = 1 / 60

/** Largest deviation from linear interpolation for which a face is not subdivided in the picture, × the mesh's size. */
const EVEN = 1 / 400

/** Faces of pieces, divided into small triangles, with the distance of their corners beyond a solid. */
export interface Deviation {
  /** m, 3 a corner. */
  readonly points: Float32Array
  /** 3 corners a triangle, anticlockwise seen from outside. */
  readonly triangles: Uint32Array
  /** m beyond the solid's surface, one a corner; 0 on it and inside. */
  readonly distances: Float32Array
}

/** × the mesh's size: smaller distances are rounding errors. */
const ON_SURFACE = 1e-9

/**
 * Distances of the faces of convex pieces beyond a closed solid, sampled at points at most `SPACING` apart, and the
 * largest of them, m. The true maximum may be greater by less than that spacing.
 */
export function deviationFrom(mesh: Mesh, pieces: readonly Polyhedron[]): Deviation & { readonly most: number } {
  const tree = surfaceTree(mesh)
  const away = distanceTo(tree)
  const size = sizeOf(mesh.vertices)
  const [points, triangles, distances]: [number[], number[], number[]] = [[], [], []]
  let most = 0
  for (const piece of pieces) {
    for (const { loop } of piece.faces) {
      const corners = Array.from(loop, v => piece.vertices[v]!)
      const middle = scale(corners.reduce(add), 1 / corners.length)
      corners.forEach((p, k) => {
        const fan = samples(middle, p, corners[(k + 1) % corners.length]!, SPACING * size)
        const beyond = fan.at.map(point => {
          const reach = away(point)
          return reach > ON_SURFACE * size && !isInside(tree, point) ? reach : 0
        })
        most = beyond.reduce((far, one) => Math.max(far, one), most)
        const first = points.length / 3
        const { at, small, values } = thinned(fan, beyond, EVEN * size)
        at.forEach(point => points.push(...point))
        distances.push(...values)
        for (const corner of small) {
          triangles.push(first + corner)
        }
      })
    }
  }
  return { points: Float32Array.from(points), triangles: Uint32Array.from(triangles), distances: Float32Array.from(distances), most }
}

/** The triangle itself, if linear interpolation of its corner values gives all sampled values within a tolerance; else its subdivision. */
function thinned({ at, small, rows }: Samples, values: readonly number[], tolerance: number): { at: Vec3[], small: number[], values: readonly number[] } {
  const [last, corner] = [at.length - 1, at.length - 1 - rows]
  const [a, b, c] = [values[0]!, values[corner]!, values[last]!]
  const isEven = values.every((value, index) => {
    const i = Math.floor((Math.sqrt(8 * index + 1) - 1) / 2)
    const k = index - i * (i + 1) / 2
    return Math.abs(value - (a + (i * (b - a) + k * (c - b)) / rows)) <= tolerance
  })
  return isEven ? { at: [at[0]!, at[corner]!, at[last]!], small: [0, 1, 2], values: [a, b, c] } : { at, small, values }
}

interface Samples {
  readonly at: Vec3[]
  readonly small: number[]
  readonly rows: number
}

/** Subdivision of a triangle: its corners and points at most `spacing` apart, and the small triangles between them. */
function samples(a: Vec3, b: Vec3, c: Vec3, spacing: number): Samples {
  const rows = Math.max(1, Math.ceil(Math.max(distance(a, b), distance(a, c), distance(b, c)) / spacing))
  const at: Vec3[] = []
  const small: number[] = []
  for (let i = 0; i <= rows; i++) {
    const [p, q] = [lerp(a, b, i / rows), lerp(a, c, i / rows)]
    const [row, next] = [i * (i + 1) / 2, (i + 1) * (i + 2) / 2]
    for (let k = 0; k <= i; k++) {
      at.push(i === 0 ? p : lerp(p, q, k / i))
      if (i < rows) {
        small.push(row + k, next + k, next + k + 1)
      }
      if (i < rows && k < i) {
        small.push(row + k, next + k + 1, row + k + 1)
      }
    }
  }
  return { at, small, rows }
}
