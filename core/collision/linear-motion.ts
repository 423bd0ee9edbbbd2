/**
 * Time of contact for vertices that move along straight lines: a vertex and a triangle, or two edges, for deformable meshes.
 *
 * Conservative advancement as for rigid bodies, with an exact bound. Every vertex moves at a constant speed along the current separating direction n̂, so
 * the time until n̂ no longer separates them is the earliest zero of a few linear functions.
 */

import { dot, lerp, sub, type Vec3 } from '../math/vector'
import { pointTriangle, segmentSegment, type Nearest } from './simplex-distance'

/** Vertices at times 0 and 1. */
export interface LinearMotion {
  readonly start: readonly Vec3[]
  readonly end: readonly Vec3[]
}

export interface LinearContact {
  /** `unresolved`: the limit of evaluations was reached at a small distance; treat it as a contact. */
  readonly outcome: 'contact' | 'apart' | 'unresolved'
  /** 0 … 1; time of the contact, or end of the proven separation. */
  readonly time: number
  readonly iterations: number
}

const MAX_ITERATIONS = 2000

/** First time at which a vertex and a triangle are within `tolerance` (m) of each other; never later than their contact. */
export function vertexFaceContact(vertex: LinearMotion, triangle: LinearMotion, tolerance: number): LinearContact {
  return advance(vertex, triangle, tolerance, (a, b) => pointTriangle(a[0]!, [b[0]!, b[1]!, b[2]!]))
}

/** The same for two edges. */
export function edgeEdgeContact(a: LinearMotion, b: LinearMotion, tolerance: number): LinearContact {
  return advance(a, b, tolerance, (p, q) => segmentSegment([p[0]!, p[1]!], [q[0]!, q[1]!]))
}

function advance(
  a: LinearMotion, b: LinearMotion, tolerance: number, nearest: (a: readonly Vec3[], b: readonly Vec3[]) => Nearest,
): LinearContact {
  let time = 0
  for (let iterations = 1; iterations <= MAX_ITERATIONS; iterations++) {
    const [p, q] = [at(a, time), at(b, time)]
    const { distance, normal } = nearest(p, q)
    if (distance <= tolerance) {
      return { outcome: 'contact', time, iterations }
    }
    const step = separatedFor(normal, a, p, b, q)
    if (time === 1 || step === Infinity) {
      return { outcome: 'apart', time: 1, iterations }
    }
    const next = Math.min(1, time + step)
    if (next <= time) {
      return { outcome: 'unresolved', time, iterations }
    }
    time = next
  }
  return { outcome: 'unresolved', time, iterations: MAX_ITERATIONS }
}

/** Time during which the normal separates every vertex of A from every vertex of B. */
function separatedFor(normal: Vec3, a: LinearMotion, p: readonly Vec3[], b: LinearMotion, q: readonly Vec3[]): number {
  let step = Infinity
  for (let i = 0; i < p.length; i++) {
    const speedA = dot(normal, sub(a.end[i]!, a.start[i]!))
    for (let j = 0; j < q.length; j++) {
      const closing = dot(normal, sub(b.end[j]!, b.start[j]!)) - speedA
      if (closing > 0) {
        step = Math.min(step, Math.max(0, dot(normal, sub(p[i]!, q[j]!))) / closing)
      }
    }
  }
  return step
}

function at(motion: LinearMotion, time: number): Vec3[] {
  return motion.start.map((p, i) => lerp(p, motion.end[i]!, time))
}
