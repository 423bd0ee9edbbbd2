/**
 * Indeterminate configurations [Baraff92 ch. 10–11]: with dynamic friction several motions can satisfy all laws at once. An event
 * lists all basic solutions. The run continues with the one closest to the previous state, or with the one that `simulation.branch` names.
 */

import type { Island } from '../../contact/island'
import { basicSolutions, MAX_ENUMERATED, onlySlidingUndecided } from '../../lcp/enumerate'
import { BASIS_CLAMPED, BASIS_LIMITED, type ContactSolution } from '../../lcp/problem'
import { mayBeIndeterminate } from '../../lcp/uniqueness'
import { StopError, type SolvedContact } from '../method'
import type { ContactMode } from '../../vocabulary'
import type { RunContext } from './context'
import { solvedContact } from './solved-contacts'

/**
 * Up to this number of sliding contacts, every restart searches for solutions, even if other contacts may stick or separate. With more, it searches
 * only if the set of sliding contacts differs from that of the last restart.
 */
const ALWAYS_SEARCHED = 4
/** Upper limit of subsets of sliding contacts × rows² for a search that the run does not need to continue; this limits the cost of cascades. */
const MAX_WORK = 3e4

/**
 * The solution to continue with. If the solver found none (`ray`), a basic solution that it missed is used if there is one. Returns `solution` itself
 * if it is the only one, if too many contacts slide, or if the island keeps its index set while another island's has ended.
 *
 * @throws StopError if `simulation.branch` refers to a solution that does not exist
 */
export function chooseSolution(context: RunContext, island: Island, solution: ContactSolution): ContactSolution {
  const sliding = island.points.map((_, i) => i).filter(i => island.problem.friction[island.coneIndex[i]!]?.state === 'sliding')
  if (sliding.length === 0 || sliding.length > MAX_ENUMERATED || !mayBeIndeterminate(island.problem)) return solution
  const { size } = island.problem
  const subsets = 1 << sliding.length
  const cheap = onlySlidingUndecided(island.problem)
  if (!cheap && solution.status !== 'ray' && subsets * size * size > MAX_WORK) return solution
  const key = sliding.map(i => island.points[i]!.key).sort().join(' ')
  const known = context.slidingSets.get(key)
  context.nextSlidingSets.set(key, known ?? 'one')
  if (!cheap && solution.status !== 'ray' && known !== undefined && sliding.length > ALWAYS_SEARCHED) return solution
  const unconcerned = context.concerned !== null && !island.bodies.some(body => context.concerned!.includes(body))
  if (unconcerned && solution.basisHit && known !== undefined) return solution
  const found = basicSolutions(island.problem)
  if (typeof found === 'string' || found.length === 0) return solution
  if (found.length === 1) return solution.status === 'ray' ? found[0]! : solution
  context.nextSlidingSets.set(key, 'many')
  const natural = mostContinuous(island, sliding, found)
  if (known === 'many') return found[natural]!
  const chosen = branchAt(context, found.length) ?? natural
  report(context, island, sliding, found, chosen)
  return found[chosen]!
}

/** Index in `found` of the solution that changes the fewest of the holding contacts. */
function mostContinuous(island: Island, sliding: readonly number[], found: readonly ContactSolution[]): number {
  const held = sliding.map(i => {
    const { settled, normal, hint } = island.points[i]!
    return settled && normal === 'holding' && hint?.kind !== 'free'
  })
  return leastChange(held, found.map(({ basis }) => sliding.map(i => basis[island.pointRow[i]!] === BASIS_CLAMPED)))
}

/**
 * Selects among several sets of holding contacts: first by the fewest holding contacts that separate, then by the fewest others that start to press,
 * then by order. For at most MAX_ENUMERATED contacts.
 */
export function leastChange(held: readonly boolean[], choices: readonly (readonly boolean[])[]): number {
  const costs = choices.map(holds => held.reduce((cost, before, k) => cost + (before === holds[k] ? 0 : before ? MAX_ENUMERATED + 1 : 1), 0))
  return costs.indexOf(Math.min(...costs))
}

function branchAt({ settings, events, time }: RunContext, solutions: number): number | null {
  const branch = settings.branch.find(({ event }) => event === events.count)
  if (branch === undefined) return null
  events.branched.add(branch.event)
  if (branch.solution < solutions) return branch.solution
  throw new StopError(
    'InvalidBranch', `simulation.branch selects solution ${branch.solution} at event ${branch.event}, which has ${solutions}: 0 to ${solutions - 1}`, time, [])
}

function report(context: RunContext, island: Island, sliding: readonly number[], found: readonly ContactSolution[], chosen: number): void {
  const first = island.points[sliding[0]!]!
  const { bodyA, bodyB, shapeA, shapeB, features } = first
  const { location: { point, normal } } = island.geometry[sliding[0]!]!
  context.environment.observer.event({
    kind: 'indeterminate', time: context.time, bodyA, bodyB, shapeA, shapeB, featureA: features.featureA, featureB: features.featureB, point, normal,
    solutions: found.map(solution => contactsOf(island, context.equations.islands.indexOf(island), solution)), solution: chosen,
    message: `${found.length} motions satisfy every law: the run continues with solution ${chosen}`,
  })
}

function contactsOf(island: Island, number: number, solution: ContactSolution): SolvedContact[] {
  return island.points.map((point, i) => {
    const row = island.pointRow[i]!
    const slides = point.friction === 'sliding' || (island.frictionIndex[i]! >= 0 && solution.basis[row + 1] === BASIS_LIMITED)
    const mode: ContactMode = solution.basis[row] !== BASIS_CLAMPED && solution.a[row]! > 0 ? 'separating' : slides ? 'sliding' : 'sticking'
    return solvedContact(island, number, i, solution, mode, null)
  })
}
