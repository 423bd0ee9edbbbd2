/**
 * Persistent contact manifolds: facing features of two solids, kept between evaluations while the relative motion is small, and evaluated into columns.
 * Manifolds serve solvers of many bodies, which evaluate a pair thousands of times a step; `PairCollider` serves occasional queries.
 */

import type { FeaturePair } from '../contact'
import type { Placements } from './placements'

/** Receives the contacts of a manifold. */
export interface ContactSink {
  /**
   * @param code names the features within their pair; NaN if `features` is given instead
   * @param x m, the point midway between the surfaces, world
   * @param nx the unit normal out of B towards A, world
   * @param gap m
   */
  add(code: number, features: FeaturePair | null, x: number, y: number, z: number, nx: number, ny: number, nz: number, gap: number): void
}

/** Best separating direction of a pair: unit normal out of B (0 to 2) and the point midway between the surfaces, m (3 to 5), world. */
export type Facing = Float64Array

export interface Manifold {
  /**
   * Adds the contacts with gaps up to `reach`, m.
   *
   * @returns m: a lower bound of the distance of the solids; −Infinity if none was computed
   */
  contacts(at: Placements, a: number, b: number, reach: number, out: ContactSink): number
  /**
   * @param out written only if the solids overlap
   * @returns m: a lower bound of the distance if it is not negative, otherwise minus the depth along the best separating direction
   */
  separation(at: Placements, a: number, b: number, out: Facing): number
  /** The features of a code. */
  featuresOf(code: number): FeaturePair
}
