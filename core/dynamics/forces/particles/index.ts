/** Forces of the scene on particles, by their type. */

import type { Deformables } from '../../deformable'
import type { ForceSpec } from '../index'
import { dragOnParticles, windOnParticles } from './air'
import { attractorOnParticles } from './attractor'
import { uniformOnParticles } from './constant'
import type { ParticleForce } from './particle-force'

export { particleGravity } from './constant'
export type { ParticleForce } from './particle-force'

/** Null if a force of this type acts on bodies only. @param on indices of the deformables that it acts on */
export function particleForce(spec: ForceSpec, deformables: Deformables, on: readonly number[]): ParticleForce | null {
  if (on.length === 0) return null
  switch (spec.type) {
    case 'uniform': return uniformOnParticles(spec.force, deformables, on)
    case 'drag': return dragOnParticles(spec, deformables, on)
    case 'wind': return windOnParticles(spec, deformables, on)
    case 'attractor': return attractorOnParticles(spec, deformables, on)
    default: return null
  }
}
