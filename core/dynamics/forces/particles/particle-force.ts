/**
 * The face of forces on particles. What acts on a body at its centre of mass acts on particles where they are: accelerations (gravity, attraction) on each
 * as on a body of its mass; forces that the scene gives for a whole thing (a uniform force, drag, wind) on each with its share of the deformable's mass, so
 * that a finer mesh changes nothing.
 */

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
  /** Potential energy, J; absent where it has none. */
  readonly potential?: (x: Float64Array) => number
}

/** Particles from `first` to `end` − 1, and the mass of the deformable that they are, kg. */
export interface Range {
  readonly first: number
  readonly end: number
  readonly total: number
}

/** @param deformables indices of those that are acted upon */
export function rangesOf({ list, mass }: Deformables, deformables: readonly number[]): Range[] {
  return deformables.map(index => {
    const { first, count } = list[index]!
    return { first, end: first + count, total: mass.subarray(first, first + count).reduce((sum, m) => sum + m, 0) }
  })
}
