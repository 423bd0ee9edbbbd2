/**
 * Interface of forces on particles. Accelerations (gravity, attraction) act on each particle as on a body of its mass. Forces that the scene gives
 * for a whole deformable (a uniform force, drag, wind) act on each particle with its share of the deformable's mass, so that the result does not
 * depend on the fineness of the mesh.
 */

import type { PairCouplings } from '../../../math/pair-couplings'
import type { Deformables } from '../../deformable'
import type { WorkAccount } from '../force'

export interface ParticleForce {
  readonly account: WorkAccount
  /**
   * Adds its forces at time `t`, N, 3 a particle.
   *
   * @param x positions, m, and `v` velocities, m/s, of all particles
   */
  addForces(t: number, x: Float64Array, v: Float64Array, f: Float64Array): void
  /** Potential energy, J; absent if the force has none. */
  readonly potential?: (x: Float64Array) => number
  /** The same force as couplings of pairs, if it acts between particles. */
  readonly pairs?: PairCouplings
}

/** Particles from `first` to `end` − 1, and the mass of their deformable, kg. */
export interface Range {
  readonly first: number
  readonly end: number
  readonly total: number
}

/** @param deformables indices of those that it acts on */
export function rangesOf({ list, mass }: Deformables, deformables: readonly number[]): Range[] {
  return deformables.map(index => {
    const { first, count } = list[index]!
    return { first, end: first + count, total: mass.subarray(first, first + count).reduce((sum, m) => sum + m, 0) }
  })
}
