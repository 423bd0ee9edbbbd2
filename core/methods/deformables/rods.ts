/** Inextensible segments, and the projection of positions onto their lengths and exact constraints after a support has moved elsewhere. */

import type { World } from '../../contact/world'
import { distanceCondition, multipliers, projectPositions } from '../../deformables'
import type { AttachedPoint } from './attachments'
import { heldConditions } from './conditions'

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

/** m, and units of other conditions: smaller errors are not corrected. */
const DRIFT = 1e-11

/** Corrects particles to rods and constraints by the smallest change in the mass metric; fixed particles do not move. Null if there are none. */
export function rodProjection(world: World, attached: readonly AttachedPoint[]): ((x: Float64Array) => boolean) | null {
  const rods = rodsOf(world)
  const conditions = heldConditions(world.deformables!)
  if (rods.length === 0 && conditions.length === 0) return null
  const inverse = Float64Array.from(world.deformables!.mass, mass => 1 / mass)
  for (const { particles, body, tied } of attached) if (particles.length === 1 && (!tied || body >= 0)) inverse[particles[0]!] = 0
  const pairs = Int32Array.from(rods.flatMap(({ particles }) => [...particles]))
  const lengths = distanceCondition(pairs, Float64Array.from(rods, ({ length }) => length))
  // Those with feedback are elsewhere on purpose.
  const constraints = multipliers([lengths, ...conditions.flatMap(({ condition, feedback }) => feedback === null ? [condition] : [])], inverse)
  const still = new Float64Array(3 * inverse.length)
  return positions => projectPositions(constraints, { positions, velocities: still }, inverse, DRIFT, 'direct').iterations > 0
}
