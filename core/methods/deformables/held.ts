/** Particles that forces do not move: on static and prescribed bodies, pinned to the world, or on prescribed paths. */

import type { ParticleBlock } from '../../dynamics/blocks'
import type { BodyMotion } from '../../geometry/motion'
import { cross, sub, type Vec3 } from '../../math/vector'
import { placeOf, type AttachedPoint } from './attachments'

/** Moves them to their supports, or to their places on their paths at a time. */
export function placeHeld(attached: readonly AttachedPoint[], motions: readonly BodyMotion[], time: number, { position, velocity }: ParticleBlock): void {
  for (const point of attached) {
    if (point.tied) continue
    const place = placeOf(point, motions, time)
    position.set(place.position, 3 * point.particles[0]!)
    velocity.set(place.velocity, 3 * point.particles[0]!)
  }
}

/**
 * Their positions and velocities at time t within a step: exact on paths; supports continue the motion that they had at the step's start.
 *
 * @param motions of bodies at the step's start; @param from s: that instant
 */
export function leadHeld(attached: readonly AttachedPoint[], motions: readonly BodyMotion[], t: number, from: number, x: Float64Array, v: Float64Array): void {
  for (const point of attached) {
    if (point.tied) continue
    const particle = point.particles[0]!
    const { position, velocity } = placeOf(point, motions, t)
    const spin: Vec3 = point.body < 0 ? [0, 0, 0] : motions[point.body]!.angularVelocity
    const s = point.path === null ? t - from : 0
    const turned = point.body < 0 ? velocity : sub(velocity, motions[point.body]!.velocity)
    const bent = cross(spin, turned)
    for (let k = 0; k < 3; k++) {
      x[3 * particle + k] = position[k]! + s * (velocity[k]! + s / 2 * bent[k]!)
      v[3 * particle + k] = velocity[k]! + s * bent[k]!
    }
  }
}

/** J: their kinetic energy. */
export function kineticOf(held: Uint8Array, { mass, velocity }: ParticleBlock): number {
  let sum = 0
  for (let i = 0; i < mass.length; i++) if (held[i] === 1) for (let k = 3 * i; k < 3 * i + 3; k++) sum += 0.5 * mass[i]! * velocity[k]! * velocity[k]!
  return sum
}

/**
 * Adds to the reactions on controlled particles what changes their own momentum in an implicit step.
 *
 * @param h s: length of the run's step; @param pulls N, 3 per attached point: means over that step
 */
export function pushPaths(attached: readonly AttachedPoint[], mass: Float64Array, h: number, before: Float64Array, after: Float64Array,
  pulls: Float64Array): void {
  attached.forEach(({ particles: [particle], path }, k) => {
    if (path === null) return
    for (let c = 0; c < 3; c++) pulls[3 * k + c]! += mass[particle!]! * (after[3 * particle! + c]! - before[3 * particle! + c]!) / h
  })
}
