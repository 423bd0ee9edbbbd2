/** A particle system: particles, the energies between them, and the loads on them. */

import type { PairCouplings } from '../math/pair-couplings'
import type { BlockMatrix } from '../sparse'
import { DeformableError } from './condition'
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

/** @throws DeformableError for a mass that is not positive and finite */
export function checkMasses(masses: Float64Array): void {
  const bad = masses.findIndex(m => !(m > 0 && m < Infinity))
  if (bad >= 0) throw new DeformableError(`masses[${bad}]`, masses[bad]!, 'more than 0 and finite')
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

/** Drag of the medium, f = −c v [PBM01-C §4.1]; c in N s/m, one a particle. */
export function dragLoad(coefficients: Float64Array): Load {
  return {
    addForces(_t, _x, v, f) {
      for (let i = 0; i < coefficients.length; i++) for (let k = 0; k < 3; k++) f[3 * i + k]! -= coefficients[i]! * v[3 * i + k]!
    },
    addStiffness(_t, _x, _v, a, { starts, values }) {
      for (let i = 0; i < coefficients.length; i++) for (let k = 0; k < 9; k += 4) values[9 * (starts[i + 1]! - 1) + k]! += coefficients[i]! / a
    },
  }
}
