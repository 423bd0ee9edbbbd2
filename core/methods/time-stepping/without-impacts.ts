/**
 * Motion of an island's contacts to the end of a step without impacts, with persistent contacts active: a body that falls onto a resting one
 * approaches it by its own acceleration only. This distinguishes impacts from persistent contacts.
 */

import { bounces } from './bounce'
import type { StepContext } from './context'
import type { StepArrays } from './step-arrays'
import type { StepIsland } from './step-island'
import type { StepProblem, StepSolver } from './step-problem'

/** × the largest velocity change by the step's forces: the target of a colliding contact is reduced by this, so that it has no impulse. */
const IDLE = 100
const NO_SLIP = [0, 0] as const

/**
 * Fills `collides` of the island's contacts. Contacts with an impulse persist unless they bounce: bodies rotate, and slide along curved surfaces. An impact
 * acts through all approaching contacts.
 *
 * @returns whether there may be an impact
 */
export function markImpacts(context: StepContext, { constraints }: StepIsland): boolean {
  const { restingSpeed } = context.settings
  const meets = constraints.some(active => active.normalVelocity < -restingSpeed && (!active.pressed || bounces(context, active)))
  for (const active of constraints) active.collides = meets && active.normalVelocity < -restingSpeed
  return meets
}

/**
 * Fills `unmet` and `unmetSlip` of the island's contacts; the problem is prepared except for their impacts.
 *
 * @param accuracy m/s
 */
export function predictWithoutImpacts(
  context: StepContext, island: StepIsland, { motions }: StepArrays, solver: StepSolver, accuracy: number,
): void {
  const { settings: { restingSpeed }, counts } = context
  const { free, constraints, bodies } = island
  const problem = island.problem!
  const { rows } = problem
  for (const active of constraints) {
    active.unmet = free[active.row]!
    active.unmetSlip = active.friction > 0 ? [free[active.row + 1]!, free[active.row + 2]!] : NO_SLIP
  }
  // With many impacts, velocities are not accurate enough for this, and the additional solve is not worthwhile.
  if (island.pile || constraints.length === 0) return
  const colliding = constraints.filter(({ collides }) => collides)
  // The rows of contacts come last.
  const holds = colliding.length < constraints.length || constraints[0]!.row > 0
  if (colliding.length === 0 || !holds) return
  let change = restingSpeed
  for (let row = 0; row < rows.count; row++) change = Math.max(change, Math.abs(free[row]! - rows.along(row, motions.before)))
  const alone: StepProblem = { ...problem, b: problem.b.slice(), p: problem.p.slice(), basis: problem.basis.slice(), slip: problem.slip.slice(), warm: false }
  for (const { row, friction } of colliding) {
    alone.b[row] = -IDLE * change
    alone.p.fill(0, row, row + (friction > 0 ? 3 : 1))
  }
  const solution = solver.solve(alone, accuracy)
  counts.solverCalls++
  counts.pivots += solution.iterations
  if (!solution.solved) return
  for (const body of bodies) motions.push.fill(0, 6 * body, 6 * body + 6)
  rows.addWrench(alone.p, motions.push)
  motions.accelerateAll(bodies)
  for (const active of constraints) {
    const { row, friction } = active
    active.unmet = rows.along(row, motions.velocity)
    if (friction > 0) active.unmetSlip = [rows.along(row + 1, motions.velocity), rows.along(row + 2, motions.velocity)]
  }
  for (const body of bodies) motions.push.fill(0, 6 * body, 6 * body + 6)
  motions.accelerateAll(bodies)
}
