/** A particle system: particles, the energies between them, and the loads on them. */

import type { PairCouplings } from '../math/pair-couplings'
import type { BlockMatrix } from '../sparse'
import type { Energy } from './energy'

/** A force that is not an energy between particles of fixed numbers: gravity, drag, wind, springs to moving points, interactions of near particles. */
export interface Load {
  /** Adds its forces at time `t`, N. */
  addForces(t: number, x: Float64Array, v: Float64Array, f: Float64Array): void
  /**
   * Adds −∂f/∂x − (1/a) ∂f/∂v to the matrix: its symmetric part, in blocks of the matrix's pattern. Absent if the load depends on neither, or so
   * weakly that Newton's method converges without it.
   */
  readonly addStiffness?: (t: number, x: Float64Array, v: Float64Array, a: number, matrix: BlockMatrix) => void
  /** Potential energy, J; absent if there is none. */
  readonly potential?: (x: Float64Array) => number
  /** The same forces as couplings of pairs, for loads that implicit steps have to solve like energies. Absent for others. */
  readonly pairs?: PairCouplings
}

export interface ParticleSystem {
  /** kg, all positive. */
  readonly masses: Float64Array
  readonly energies: readonly Energy[]
  readonly loads: readonly Load[]
  /** 1 for particles that forces do not move: fixed, or on a prescribed path. */
  readonly held: Uint8Array
  /**
   * Writes the prescribed positions and velocities of held particles at time `t` (damping forces need the velocities [PBM01-C §5]). Absent if they
   * rest.
   */
  readonly lead?: (t: number, x: Float64Array, v: Float64Array) => void
}

/** 3n each. */
export interface ParticleState {
  /** m */
  readonly positions: Float64Array
  /** m/s */
  readonly velocities: Float64Array
}

/** Weight: f = m g. */
export function gravityLoad(masses: Float64Array, gravity: readonly [number, number, number]): Load {
  return {
    addForces(_t, _x, _v, f) {
      for (let i = 0; i < masses.length; i++) for (let k = 0; k < 3; k++) f[3 * i + k]! += masses[i]! * gravity[k]!
    },
    potential(x) {
      let sum = 0
      for (let i = 0; i < masses.length; i++) for (let k = 0; k < 3; k++) sum -= masses[i]! * gravity[k]! * x[3 * i + k]!
      return sum
    },
  }
}
