/** Rest at the start and at the end of a step. */

import { BODY_STATE, OFFSET_MOMENTUM, OFFSET_VELOCITY } from '../../dynamics/state'
import { length } from '../../math/vector'
import type { BodyMotions } from './body-motions'
import type { StepContext } from './context'
import type { LocalScales } from './local-scales'
import type { StepIsland } from './step-island'
import { BALANCED, BALANCED_IN_PILE } from './tolerances'

/** Whether all bodies of the island are slower than the bounce threshold. */
export function rests({ world, settings, equations: { snapshot } }: StepContext, { bodies }: StepIsland): boolean {
  return bodies.every(body => {
    const { velocity, angularVelocity } = snapshot.motions[body]!
    return length(velocity) + world.bodies[body]!.boundingRadius * length(angularVelocity) <= settings.restingSpeed
  })
}

/** m/s: largest residual velocity of bodies at rest in a step of h seconds that does not count as motion. */
export function stillSpeed(scales: LocalScales, bodies: readonly number[], pile: boolean, h: number): number {
  const speed = scales.speed(...bodies)
  return (pile ? BALANCED_IN_PILE : BALANCED) * h * speed * speed / scales.size(...bodies)
}

/**
 * Whether contacts hold an island, which hardly moved before, as exactly as forces have to balance. The remaining velocities are then residuals of
 * the solver, and the island ends the step where it began.
 */
export function comesToRest(
  { world: { bodies: all }, scales, state }: StepContext, island: StepIsland, motions: BodyMotions, end: Float64Array, h: number,
): boolean {
  if (island.mode !== 'contact' || island.joints.length > 0 || island.inTrees) return false
  const { snapshot: { layout, inverseMass }, before, velocity, path } = motions
  const size = scales.size(...island.bodies)
  const least = stillSpeed(scales, island.bodies, island.pile, h)
  const slow = (v: Float64Array, body: number): boolean => {
    const reach = Math.min(all[body]!.boundingRadius, size)
    const at = 6 * body
    return length([v[at]!, v[at + 1]!, v[at + 2]!]) + reach * length([v[at + 3]!, v[at + 4]!, v[at + 5]!]) <= least
  }
  // Bodies with position corrections at the end of the step keep these.
  if (!island.bodies.every(body => inverseMass[body]! > 0 && slow(before, body) && slow(velocity, body) && path[body]! <= h * least)) return false
  for (const body of island.bodies) {
    const o = layout.offsets[body]!
    end.set(state.subarray(o, o + BODY_STATE), o)
    for (let k = 0; k < 3; k++) end[o + OFFSET_VELOCITY + k] = end[o + OFFSET_MOMENTUM + k] = 0
  }
  return true
}
