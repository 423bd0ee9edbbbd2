/**
 * Gravity that changes with time, without its initial value: F = m (g(t) − g₀) at the centre of mass.
 *
 * A change of gravity does work on bodies, by an amount that depends on the reference height. Therefore the potential energy stays that of g₀, and
 * the change is an external force, whose work ∫ F·v dt does not depend on the reference height: kinetic energy + V₀ − that work is constant while a
 * body falls.
 */

import { scale, sub, type Vec3 } from '../../math/vector'
import type { RigidBody } from '../body'
import type { Deformables } from '../deformable'
import type { HeldTrack } from '../held-track'
import type { ForceElement } from './force'
import type { ParticleForce } from './particles/particle-force'
import { dynamicTargets } from './targets'

/** @param first m/s², g₀ @param id in the header's list of forces */
export function gravityChange(id: string, first: Vec3, field: HeldTrack<Vec3>, bodies: readonly RigidBody[]): ForceElement {
  const targets = dynamicTargets(bodies)
  return {
    id, type: 'gravityChange', bodies: targets.map(body => body.index), breakpoints: field.times,
    potential: () => 0,
    apply(time, motions, exists, sink) {
      const change = sub(field.at(time), first)
      if (isZero(change)) return
      for (const { index, mass } of targets) if (exists[index]) sink.force(index, scale(change, mass), motions[index]!.center, 'scripts')
    },
  }
}

/** The same on particles. */
export function gravityChangeOnParticles(first: Vec3, field: HeldTrack<Vec3>, { mass }: Deformables): ParticleForce {
  return {
    account: 'scripts',
    addForces(time, _x, _v, f) {
      const change = sub(field.at(time), first)
      if (isZero(change)) return
      for (let i = 0; i < mass.length; i++) for (let k = 0; k < 3; k++) f[3 * i + k] = f[3 * i + k]! + mass[i]! * change[k]!
    },
  }
}

const isZero = ([x, y, z]: Vec3): boolean => x === 0 && y === 0 && z === 0
