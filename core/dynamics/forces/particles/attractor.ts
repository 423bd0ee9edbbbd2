/** Attraction of particles to a point of the world, each as a body of its mass [forces/attractor]. */

import { log, pow } from '../../../math/elementary'
import type { Deformables } from '../../deformable'
import type { AttractorSpec } from '../attractor'
import { rangesOf, type ParticleForce } from './particle-force'

/** F = −m strength d ρ^−(exponent + 1), ρ² = |d|² + softening², with d from the centre (world frame, m) to the particle. @param on indices of deformables */
export function attractorOnParticles({ center: [cx, cy, cz], strength, exponent, softening }: AttractorSpec, deformables: Deformables,
  on: readonly number[]): ParticleForce {
  const { mass } = deformables
  const ranges = rangesOf(deformables, on)
  /** ρ² of particle i. */
  const reach2 = (x: Float64Array, i: number): number => {
    const dx = x[3 * i]! - cx
    const dy = x[3 * i + 1]! - cy
    const dz = x[3 * i + 2]! - cz
    return dx * dx + dy * dy + dz * dz + softening * softening
  }
  return {
    account: 'potential',
    addForces(_t, x, _v, f) {
      for (const { first, end } of ranges) {
        for (let i = first; i < end; i++) {
          const rho2 = reach2(x, i)
          if (rho2 === 0) continue
          const pull = -mass[i]! * strength * pow(rho2, -0.5 * (exponent + 1))
          f[3 * i] = f[3 * i]! + pull * (x[3 * i]! - cx)
          f[3 * i + 1] = f[3 * i + 1]! + pull * (x[3 * i + 1]! - cy)
          f[3 * i + 2] = f[3 * i + 2]! + pull * (x[3 * i + 2]! - cz)
        }
      }
    },
    potential(x) {
      let sum = 0
      for (const { first, end } of ranges) {
        for (let i = first; i < end; i++) {
          const rho2 = reach2(x, i)
          sum += mass[i]! * strength * (exponent === 1 ? 0.5 * log(rho2) : pow(rho2, 0.5 * (1 - exponent)) / (1 - exponent))
        }
      }
      return sum
    },
  }
}
