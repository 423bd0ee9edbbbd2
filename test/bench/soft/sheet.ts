/** A square sheet of cloth above a ball, in the form given to every engine, and measurements of its result. Metres, kilograms, seconds; z up. */

import { crossings } from '../../verification/crossings'

export const BALL = 0.3
/** m: half the sheet's thickness, and its height above the ball's top. */
export const RADIUS = 0.005
const HEIGHT = BALL + 0.02
const WIDTH = 1
export const MASS = 0.2
export const FRICTION = 0.3
export const GRAVITY = 9.81
export const STEP = 1 / 60
/** N/m of the sheet along its threads, and across. */
export const STRETCH = 200
export const SHEAR = 20

export interface Sheet {
  readonly cells: number
  /** m: of a cell. */
  readonly size: number
  readonly vertices: readonly (readonly number[])[]
  readonly triangles: readonly (readonly number[])[]
  /** Along the threads, and across cells. */
  readonly threads: readonly (readonly [number, number])[]
  readonly diagonals: readonly (readonly [number, number])[]
}

/** One engine with the sheet in it. */
export interface SoftWorld {
  /** By `STEP`. */
  step(): void
  /** m, three a vertex. */
  positions(): Float64Array
}

export function sheetOf(cells: number): Sheet {
  const side = cells + 1
  const number = (i: number, j: number): number => i * side + j
  const at = (k: number): number => (k / cells - 0.5) * WIDTH
  const vertices = Array.from({ length: side * side }, (_, k) => [at(Math.floor(k / side)), at(k % side), HEIGHT])
  const triangles: number[][] = []
  const threads: [number, number][] = []
  const diagonals: [number, number][] = []
  for (let i = 0; i < side; i++) {
    for (let j = 0; j < side; j++) {
      const [a, b, c, d] = [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)]
      if (i < cells) threads.push([a, b])
      if (j < cells) threads.push([a, d])
      if (i === cells || j === cells) continue
      triangles.push(...(i + j) % 2 === 0 ? [[a, b, c], [a, c, d]] : [[a, b, d], [b, c, d]])
      diagonals.push([a, c], [b, d])
    }
  }
  return { cells, size: WIDTH / cells, vertices, triangles, threads, diagonals }
}

export interface Lie {
  /** m: how deep the sheet's middle surface is inside the ball, at most. */
  readonly deep: number
  readonly crossed: number
  /** Largest |length ÷ length at rest − 1| of a thread. */
  readonly strain: number
}

export function lieOf({ triangles, threads, size }: Sheet, x: Float64Array): Lie {
  const deep = triangles.reduce((most, [a, b, c]) => Math.max(most, BALL - Math.sqrt(distanceSquared(x, 3 * a!, 3 * b!, 3 * c!))), 0)
  const length = (a: number, b: number): number => Math.hypot(x[3 * a]! - x[3 * b]!, x[3 * a + 1]! - x[3 * b + 1]!, x[3 * a + 2]! - x[3 * b + 2]!)
  const strain = threads.reduce((most, [a, b]) => Math.max(most, Math.abs(length(a, b) / size - 1)), 0)
  return { deep, crossed: crossings(x, triangles), strain }
}

/** From the origin to a triangle, by its barycentric coordinates [Ericson 2005, §5.1.5]. */
function distanceSquared(x: Float64Array, a: number, b: number, c: number): number {
  const of = (p: number): readonly number[] => [x[p]!, x[p + 1]!, x[p + 2]!]
  const dot = (u: readonly number[], v: readonly number[]): number => u[0]! * v[0]! + u[1]! * v[1]! + u[2]! * v[2]!
  const [A, B, C] = [of(a), of(b), of(c)]
  const along = (p: readonly number[], q: readonly number[]): number => {
    const d = [q[0]! - p[0]!, q[1]! - p[1]!, q[2]! - p[2]!]
    const share = Math.min(Math.max(-dot(p, d) / dot(d, d), 0), 1)
    const at = [p[0]! + share * d[0]!, p[1]! + share * d[1]!, p[2]! + share * d[2]!]
    return dot(at, at)
  }
  const [u, v] = [[B[0]! - A[0]!, B[1]! - A[1]!, B[2]! - A[2]!], [C[0]! - A[0]!, C[1]! - A[1]!, C[2]! - A[2]!]]
  const [uu, uv, vv, ua, va] = [dot(u, u), dot(u, v), dot(v, v), -dot(u, A), -dot(v, A)]
  const whole = uu * vv - uv * uv
  const [s, t] = [(vv * ua - uv * va) / whole, (uu * va - uv * ua) / whole]
  if (!(s >= 0 && t >= 0 && s + t <= 1)) return Math.min(along(A, B), along(B, C), along(C, A))
  const foot = [0, 1, 2].map(k => A[k]! + s * u[k]! + t * v[k]!)
  return dot(foot, foot)
}
