/** Inextensible segments, and the projection of positions onto their lengths and exact constraints after a support has moved elsewhere. */

import type { World } from '../../contact/world'
import { distanceCondition, multipliers, projectPositions, type BodyPoints, type Condition } from '../../deformables'
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
export function conditionProjection(world: World, attached: readonly AttachedPoint[], points: BodyPoints): ((x: Float64Array) => boolean) | null {
  const rods = rodsOf(world)
  const conditions = heldConditions(world.deformables!)
  if (rods.length === 0 && conditions.length === 0) return null
  // Blocks of bodies and points on them stay where they are.
  const inverse = new Float64Array(points.points.length > 0 ? points.first + points.points.length : world.deformables!.mass.length)
  inverse.set(world.deformables!.mass.map(mass => 1 / mass))
  for (const { particles, body, tied } of attached) if (particles.length === 1 && (!tied || body >= 0)) inverse[particles[0]!] = 0
  const pairs = Int32Array.from(rods.flatMap(({ particles }) => [...particles]))
  const lengths = distanceCondition(pairs, Float64Array.from(rods, ({ length }) => length))
  // Those with feedback are elsewhere on purpose.
  const moves = ({ vertices }: Condition): boolean => vertices.every(vertex => points.carrierOf(vertex) < 0) || vertices.some(vertex => inverse[vertex]! > 0)
  const constraints = multipliers(
    [lengths, ...conditions.flatMap(({ condition, feedback }) => feedback === null && moves(condition) ? [condition] : [])], inverse)
  const still = new Float64Array(3 * inverse.length)
  const project = (positions: Float64Array): boolean => projectPositions(constraints, { positions, velocities: still }, inverse, DRIFT, 'direct').iterations > 0
  if (points.points.length === 0) return project
  return positions => {
    const placed = points.place(positions, false)
    const moved = project(placed)
    positions.set(placed.subarray(0, positions.length))
    return moved
  }
}
