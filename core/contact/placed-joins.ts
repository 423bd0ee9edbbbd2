/** What other pieces of a mesh hide of one piece, at one placement. */

import type { Feature, FeaturePair } from '../collision/contact'
import type { Joins } from '../geometry/joins'
import type { Pose } from '../math/pose'
import { toMatrix } from '../math/quaternion'
import { negate, type Vec3 } from '../math/vector'
import type { WorldPrimitive } from './world'

export class PlacedJoins {
  private readonly matrix: readonly number[]

  constructor(private readonly joins: Joins, { orientation }: Pose) {
    this.matrix = toMatrix(orientation)
  }

  /** Whether a neighbour covers face f. */
  covers(f: number): boolean {
    return this.joins.covered[f] === 1
  }

  /** Whether another piece that meets this one at vertex v lies lower along the direction, by more than the sine `turn`. */
  hidesAtVertex(v: number, x: number, y: number, z: number, turn: number): boolean {
    return this.lower(this.joins.around[v]!, x, y, z, turn)
  }

  /** The same for edge e. */
  hidesAtEdge(e: number, x: number, y: number, z: number, turn: number): boolean {
    return this.joins.inner[e] === 1 || this.lower(this.joins.beside[e]!, x, y, z, turn)
  }

  private lower(directions: readonly Vec3[], x: number, y: number, z: number, turn: number): boolean {
    if (directions.length === 0) return false
    const [a, b, c, d, e, f, g, h, i] = this.matrix as [number, number, number, number, number, number, number, number, number]
    const [u, v, w] = [a * x + d * y + g * z, b * x + e * y + h * z, c * x + f * y + i * z]
    return directions.some(([p, q, r]) => p * u + q * v + r * w < -turn)
  }
}

/** Sine of the angle by which directions may differ from those in which features can touch, so that all features of flush faces are found. */
export const RELAXATION = 0.02

/** Two primitives of two bodies. */
export interface Primitives {
  readonly a: WorldPrimitive
  readonly b: WorldPrimitive
}

/** Whether a feature pair of two primitives lies between pieces of one mesh, where the mesh has no such feature. */
export function isHidden({ a, b }: Primitives, features: FeaturePair, startA: Pose, startB: Pose): boolean {
  if (!a.joins && !b.joins) return false
  const { normal } = features.locate(startA, startB)
  return a.joins != null && hides(new PlacedJoins(a.joins, startA), features.featureA, normal)
    || b.joins != null && hides(new PlacedJoins(b.joins, startB), features.featureB, negate(normal))
}

/** @param into direction into the solid of the feature */
function hides(joins: PlacedJoins, { kind, index }: Feature, [x, y, z]: Vec3): boolean {
  if (kind === 'face') return joins.covers(index)
  if (kind === 'edge') return joins.hidesAtEdge(index, x, y, z, RELAXATION)
  return kind === 'vertex' && joins.hidesAtVertex(index, x, y, z, RELAXATION)
}
