/** Rest at the start of a step. */

import { length } from '../../math/vector'
import type { StepContext } from './context'
import type { StepIsland } from './step-island'

/** Whether none of the island's bodies moves faster than what does not bounce. */
export function rests({ world, settings, equations: { snapshot } }: StepContext, { bodies }: StepIsland): boolean {
  return bodies.every(body => {
    const { velocity, angularVelocity } = snapshot.motions[body]!
    return length(velocity) + world.bodies[body]!.boundingRadius * length(angularVelocity) <= settings.restingSpeed
  })
}
