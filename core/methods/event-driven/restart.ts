/**
 * All changes at one instant: finds the touching points, resolves impacts, decides modes, solves forces, and freezes the index sets until the next
 * event [Baraff92 ch. 3, 6, 8, 9].
 */

import { markEquilibria } from '../../contact/equilibrium'
import { WORKS } from '../../contact/works'
import { islandReaction } from './joint-reaction'
import { mayBreak, breakJoints, springEnergyOf } from '../../contact/joint-breaking'
import { markReachedBounds } from '../../contact/guess'
import { removeApproachVelocities, project } from '../../contact/projection'
import { settleTrees } from '../../contact/settle-trees'
import type { ContactSolution } from '../../lcp/problem'
import { StopError } from '../method'
import { allSpins, reportChanges, standing } from './changes'
import type { RunContext } from './context'
import { classifyDrives, rememberCoordinates, touchingLimits } from '../../contact/drives'
import { freeze, saturate } from './freeze'
import { resolveImpacts } from '../impacts'
import { applyRay } from './inconsistency'
import { chooseSolution } from './indeterminacy'
import { withoutUnloadedSliding } from './unloaded-sliding'
import { noteForces } from './past-forces'
import { restingIslands } from './resting-islands'
import { accelerationOutcome, addLowest, RimSearches } from '../impacts/rims'
import { requireJoints } from './satisfied'
import { solveIsland, unsolved } from './solve-island'
import { PROJECTION_ACCURACY } from './tolerances'

const JOINTS = WORKS.indexOf('joints')
/** Maximum number of impulses for inconsistent configurations at one instant. */
const MAX_ROUNDS = 20

/** Brings the context to a consistent state at its time. @throws StopError */
export function restart(context: RunContext): void {
  const { world, equations, tolerances, state } = context
  markReachedBoundsOfAll(context)
  equations.islands = []
  equations.jointLoads.saturated = []
  settleTrees(equations, state)
  equations.loads(context.time, state)
  rememberCoordinates(world, equations)
  const before = standing(context)
  context.points = context.contacts.touching(equations.snapshot, tolerances.gap, tolerances.approach, context.points)
  context.limits = touchingLimits(world, equations, tolerances)
  let forces = settle(context)
  // A joint that held until now may exceed its limit after another has broken.
  while (part(context, forces)) {
    context.limits = touchingLimits(world, equations, tolerances)
    forces = settle(context)
  }
  removeApproachVelocities(equations, state)
  project(equations, state, PROJECTION_ACCURACY * tolerances.gap)
  equations.loads(context.time, state)
  // With feedback, joints may have an error, which frames report.
  if (context.settings.feedback === null) requireJoints(context)
  markEquilibria(equations, forces, state)
  for (const island of equations.islands) if (island.equilibrium !== null) noteForces(island, island.equilibrium, true)
  reportChanges(context, before)
}

/** Breaks the joints whose load exceeds their limit, by the multipliers of each island. @returns whether any joint broke */
function part(context: RunContext, forces: readonly Float64Array[]): boolean {
  const { world, equations, state, time, environment: { observer } } = context
  if (!mayBreak(world)) return false
  const brokenJoints = breakJoints(world, joint => islandReaction(equations, forces, joint))
  if (brokenJoints.length === 0) return false
  state[equations.layout.bodyLength + JOINTS]! -= springEnergyOf(equations, brokenJoints)
  for (const { joint, message } of brokenJoints) {
    const { bodyA, bodyB } = world.joints[joint]!.constraint
    observer.event({ kind: 'part', time, bodyA, bodyB, joint, message })
  }
  equations.loads(time, state)
  return true
}

/** Resolves impacts and solves forces; if no forces exist, applies an impulse. */
function settle(context: RunContext): Float64Array[] {
  const { equations, tolerances, state } = context
  for (let round = 0; round < MAX_ROUNDS; round++) {
    // An approach slower than the separation of a resting point does not change index sets noticeably.
    if (resolveImpacts(context) > tolerances.parting) forgetPoints(context)
    classifyDrives(context.drives, equations, tolerances.speedNoise * 1e3)
    equations.jointLoads.saturated = context.drives.filter(drive => drive.state !== 'holding' && !drive.element.broken)
    equations.loads(context.time, state)
    const forces = solveForces(context)
    if (forces !== null) return forces
    forgetPoints(context)
  }
  throw new StopError('Inconsistent', `impulses at one instant did not lead to contact forces in ${MAX_ROUNDS} rounds`, context.time, [])
}

/** After an impulse the state of the points is unknown. */
function forgetPoints(context: RunContext): void {
  for (const point of context.points) {
    point.onset = false
    point.settled = false
    point.hint = null
    point.pastNormalForce.before = point.pastNormalForce.last = NaN
  }
  for (const spin of allSpins(context)) {
    spin.onset = false
    spin.hint = null
  }
}

/** Marks the points whose bounds are reached at this instant, from the index sets that end here. */
function markReachedBoundsOfAll(context: RunContext): void {
  const { equations, time, state } = context
  if (equations.islands.length === 0) return
  equations.loads(time, state)
  for (const island of equations.islands) {
    if (island.equilibrium !== null) continue
    island.refill(equations.snapshot, equations.free)
    if (time > context.pastForcesTime) noteForces(island, island.indexSet.multipliers(equations.snapshot))
    // Forces continued from an earlier restart may violate bounds that the least-norm forces satisfy: then the latter replace them, with the same
    // index set.
    markReachedBounds(island, island.indexSet.leastNorm(equations.snapshot))
  }
  context.pastForcesTime = time
}

/**
 * Selects the participating points, solves every island and freezes its index set.
 *
 * @returns multipliers of each island; null if an island had none and an impulse was applied instead
 */
function solveForces(context: RunContext): Float64Array[] | null {
  const { equations } = context
  addLowest(context)
  const rims = new RimSearches(context, context.points)
  for (;;) {
    equations.islands = restingIslands(context)
    const solutions = equations.islands.map(island => {
      island.assemble(equations.snapshot, equations.free)
      return solveIsland(context, island)
    })
    if (solutions.every(({ status }) => status !== 'ray')
      && rims.unsettled(() => accelerationOutcome(context, equations.islands, solutions.map(({ f }) => f)))) continue
    rims.end()
    return settled(context, solutions)
  }
}

/** Chooses among several solutions and freezes their index sets. @returns as `solveForces` */
function settled(context: RunContext, solutions: readonly ContactSolution[]): Float64Array[] | null {
  const { islands } = context.equations
  const forces: Float64Array[] = []
  context.nextSlidingSets = new Map()
  for (const [k, island] of islands.entries()) {
    const solution = chooseSolution(context, island, solutions[k]!)
    if (solution.status === 'ray') {
      if (!applyRay(context, island, solution.ray)) throw unsolved(context, island, solution)
      return null
    }
    freeze(context, island, withoutUnloadedSliding(island, solution, solution !== solutions[k]))
    forces.push(solution.f)
  }
  // A drive that cannot hold applies its full force from here on: its row leaves the problem at the next assembly.
  saturate(context)
  context.slidingSets = context.nextSlidingSets
  return forces
}
