/**
 * Persistent contact manifolds: the features of two solids that face each other, kept from one evaluation to the next while the solids hardly move against
 * each other, and evaluated into columns. A manifold answers the questions that a solver of many bodies has about a pair thousands of times a step; what a
 * pair is asked once in a while is the business of `PairCollider`.
 */

import type { FeaturePair } from '../contact'
import type { Placements } from './placements'

/** Takes the contacts of a manifold. */
export interface ContactSink {
  /**
   * @param code names the features within their pair; NaN where `features` does
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
   * Adds the contacts no farther apart than `reach`, m.
   *
   * @returns m: a lower bound of the distance of the solids; −Infinity where none was looked for
   */
  contacts(at: Placements, a: number, b: number, reach: number, out: ContactSink): number
  /**
   * @param out written only where the solids overlap
   * @returns m: a lower bound of the distance where it is not negative, else minus the depth along the best separating direction
   */
  separation(at: Placements, a: number, b: number, out: Facing): number
  /** The features that a code names. */
  featuresOf(code: number): FeaturePair
}
