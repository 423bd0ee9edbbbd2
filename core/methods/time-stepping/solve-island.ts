/** One island of a step: whether its contacts are active, and the choice of the solver. */

import type { Clusters } from './clusters'
import type { StepContext } from './context'
import { AT_ONCE, firstTouch, meetsInStep } from './first-touch'
import { solveJoints } from './joint-kick'
import { reachesLimit } from './leapfrog'
import type { NewtonFailures } from './newton-failures'
import { rests } from './rest'
import { solverFor } from './solvers'
import type { StepArrays } from './step-arrays'
import type { DivisionPoint } from './division-point'
import type { StepIsland } from './step-island'
import type { StepSolver } from './step-problem'
import { solveIslandImpact } from './island-impact'
import { solveWithoutGain } from './without-gain'
import { GAP_ROUNDING, STICKING } from './tolerances'

/** Rows of joints up to which steps are of second order: long taut chains vibrate faster than steps resolve. */
const MAX_TIED_ROWS = 60

/** How the present step is divided at impacts. */
export interface Division {
  /** s: the last impact that it was divided at. */
  readonly last: number
  /** Whether impacts still have a restitution. */
  readonly bounces: boolean
}

/** History of its bodies. */
export interface IslandHistory {
  readonly clusters: Clusters
  readonly newtonFailures: NewtonFailures
  /** By body: whether deformables act on it in this step. */
  readonly loaded: Uint8Array
  /** How steps with impacts are to be taken in two; null: not at all. */
  readonly division: Division | null
}

/**
 * Solves an island after free motion of its bodies. If no gap would be violated, the free motion is kept.
 *
 * @returns the reason of a failure, or null
 */
export function solveIsland(context: StepContext, island: StepIsland, step: StepArrays, history: IslandHistory): string | null {
  const { clusters, newtonFailures, loaded, division } = history
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
    // Trees have other kicks. A limited number of linearisations leaves overlaps, which do not correspond to
    // forces. Solvers selected for comparison fail more often with the gaps that an impact leaves.
    island.mayLeap = context.smooth && settings.solver === 'auto' && settings.linearizations === null && !island.pile && !island.inTrees
      && island.tiedRows <= MAX_TIED_ROWS && island.bodies.every(body => loaded[body] === 0)
    const solver = solverFor(settings, island, rests(context, island), island.pile, newtonFailures.prevail(island))
    island.divisionPoint = null
    island.narrow = step.memory.wasNarrow(island)
    let reason = solveInRoom(context, island, step, solver)
    const limited = island.leapfrog && reason === null && reachesLimit(island, step.motions)
    if (island.leapfrog && (limited || (reason === null ? meetsInStep(island) : island.jointed || island.constraints.some(({ collides }) => collides)))) {
      const divides = reason === null && !limited && division !== null && settings.impact === 'simultaneous' && island.jointSpins.length === 0
      island.divisionPoint = divides ? divisionPointOf(context, island, step, solver, division) : null
      if (island.divisionPoint !== null) return null
      island.mayLeap = false
      reason = solveInRoom(context, island, step, solver)
    }
    if (island.pile) newtonFailures.note(island, solver)
    return reason
  }
  // The impulses of its joints are those of the cached island.
  return island.mode === 'joints' ? solveJoints(context, island, step) : null
}

/**
 * Solves the island, again with a smaller gap target if no motion was found and contacts were to open to the usual one. Bodies that fit exactly
 * between others cannot.
 */
function solveInRoom(context: StepContext, island: StepIsland, step: StepArrays, solver: StepSolver): string | null {
  const reason = solveWithoutGain(context, island, step, solver)
  if (reason === null || island.narrow || !solver.exact || !island.constraints.some(({ at: { gap }, aim }) => gap < aim)) return reason
  island.narrow = true
  for (const active of island.constraints) active.forget()
  return solveWithoutGain(context, island, step, solver)
}

/** The first impact of an island that was solved without impacts; null if the whole step is to be solved with its impacts. */
function divisionPointOf(context: StepContext, island: StepIsland, step: StepArrays, solver: StepSolver, { last, bounces }: Division): DivisionPoint | null {
  const after = firstTouch(context, island)
  if (after === Infinity) return null
  if (after > 0 && context.time + after > last + AT_ONCE * context.settings.step) return { after, islandImpacts: [] }
  const found = solveIslandImpact(context, island, step, solver, bounces ? 1 : 0)
  return found && { after: 0, islandImpacts: [found] }
}
