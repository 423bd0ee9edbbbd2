/** Inextensible segments: lists them, and projects positions onto their lengths after the support of a rope's end has moved elsewhere. */

import type { World } from '../../contact/world'
import { distanceCondition, multipliers, projectPositions } from '../../deformables'
import type { AttachedPoint } from './attachments'

/** A segment of constant length. */
export interface Rod {
  /** Two particles. */
  readonly particles: Int32Array
  /** m */
  readonly length: number
}

/** Of inextensible ropes, in their order. */
export function rodsOf({ deformables }: World): Rod[] {
  return deformables!.list.flatMap(({ strands }) => strands.flatMap(({ inextensible, particles, restLength }) => !inextensible ? []
    : Array.from(restLength, (length, k): Rod => ({ particles: particles.slice(k, k + 2), length }))))
}

/** m: smaller length errors are not corrected. */
const DRIFT = 1e-11

/** Corrects particles to the rods' lengths by the smallest change in the mass metric; fixed particles do not move. Null without rods. */
export function rodProjection(world: World, attached: readonly AttachedPoint[]): ((x: Float64Array) => boolean) | null {
  const rods = rodsOf(world)
  if (rods.length === 0) return null
  const inverse = Float64Array.from(world.deformables!.mass, mass => 1 / mass)
  for (const { particles, body, tied } of attached) if (particles.length === 1 && (!tied || body >= 0)) inverse[particles[0]!] = 0
  const pairs = Int32Array.from(rods.flatMap(({ particles }) => [...particles]))
  const constraints = multipliers([distanceCondition(pairs, Float64Array.from(rods, ({ length }) => length))], inverse)
  const still = new Float64Array(3 * inverse.length)
  return positions => projectPositions(constraints, { positions, velocities: still }, inverse, DRIFT, 'direct').iterations > 0
}
