/** One island of a step: whether its contacts are active, and the choice of the solver. */

import type { Clusters } from './clusters'
import type { StepContext } from './context'
import { solveJoints } from './joint-kick'
import type { NewtonFailures } from './newton-failures'
import { rests } from './rest'
import { solverFor } from './solvers'
import type { StepArrays } from './step-arrays'
import type { StepIsland } from './step-island'
import { solveWithoutGain } from './without-gain'
import { GAP_ROUNDING, STICKING } from './tolerances'

/** History of its bodies. */
export interface IslandHistory {
  readonly clusters: Clusters
  readonly newtonFailures: NewtonFailures
  /** By body: whether deformables act on it in this step. */
  readonly loaded: Uint8Array
}

/**
 * Solves an island after free motion of its bodies. If no gap would be violated, the free motion is kept.
 *
 * @returns the reason of a failure, or null
 */
export function solveIsland(context: StepContext, island: StepIsland, step: StepArrays, { clusters, newtonFailures, loaded }: IslandHistory): string | null {
  const { scales, settings } = context
  const { poses } = step.motions
  island.pile = clusters.isPile(island.bodies[0]!)
  island.stickSpeed = STICKING * scales.speed(...island.bodies)
  for (const active of island.constraints) {
    const { bodyA, bodyB } = active.constraint.pair
    active.row = -1
    active.evaluateAtEnd(poses[bodyA]!, poses[bodyB]!, true)
  }
  if (island.jointed) island.mode = 'joints'
  const held = island.joints.length > 0 && island.bodies.some(body => loaded[body] === 1)
  if (held || island.constraints.some(active => active.gap < -GAP_ROUNDING * scales.size(...island.bodies))) {
    island.mode = 'contact'
    island.slack = settings.solver === 'slack'
    const solver = solverFor(settings, island, rests(context, island), island.pile, newtonFailures.prevail(island))
    const reason = solveWithoutGain(context, island, step, solver)
    if (island.pile) newtonFailures.note(island, solver)
    return reason
  }
  // The impulses of its joints are those of the cached island.
  return island.mode === 'joints' ? solveJoints(context, island, step) : null
}
