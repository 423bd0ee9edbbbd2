/** Weight, F = m g with V = −m g·x, and constant forces distributed by mass, F = (m / M) F₀ with V = −(m / M) F₀·x. */

import type { Vec3 } from '../../../math/vector'
import type { Deformables } from '../../deformable'
import { rangesOf, type ParticleForce } from './particle-force'

/** Weight of all particles. @param field m/s², world frame */
export function particleGravity(field: Vec3, deformables: Deformables): ParticleForce {
  return constant(deformables.mass, field)
}

/** The force on each deformable, distributed by mass. @param force N, world frame @param on indices of deformables */
export function uniformOnParticles(force: Vec3, deformables: Deformables, on: readonly number[]): ParticleForce {
  const share = new Float64Array(deformables.mass.length)
  for (const { first, end, total } of rangesOf(deformables, on)) for (let i = first; i < end; i++) share[i] = deformables.mass[i]! / total
  return constant(share, force)
}

function constant(factor: Float64Array, [fx, fy, fz]: Vec3): ParticleForce {
  return {
    account: 'potential',
    addForces(_t, _x, _v, f) {
      for (let i = 0; i < factor.length; i++) {
        f[3 * i] = f[3 * i]! + factor[i]! * fx
        f[3 * i + 1] = f[3 * i + 1]! + factor[i]! * fy
        f[3 * i + 2] = f[3 * i + 2]! + factor[i]! * fz
      }
    },
    potential(x) {
      let sum = 0
      for (let i = 0; i < factor.length; i++) sum -= factor[i]! * (fx * x[3 * i]! + fy * x[3 * i + 1]! + fz * x[3 * i + 2]!)
      return sum
    },
  }
}
