/**
 * RATTLE's second half: velocities at the end of a step that satisfy the joints, by impulses along Gᵀ there, together with those of drives, limits
 * and joint friction. Also corrects initial velocities that contradict the joints.
 *
 * Contacts that pushed in the whole kick of the step take part: joints that rotate in the step push the bodies in contact along, in both halves of RATTLE
 * by the same amount. Without the second half, bodies would approach each other again, and lose that energy in an impact of the next step.
 */

import type { EquationsOfMotion } from '../../contact/equations'
import { applyImpulsiveWrench } from '../../contact/impact'
import type { Rows } from '../../contact/rows'
import { settleTrees } from '../../contact/settle-trees'
import { ROW_UNILATERAL } from '../../lcp/problem'
import { StopError } from '../method'
import type { StepContext } from './context'
import type { EliminatedRows } from './elimination'
import { gatherJoints } from './gather-joints'
import { HalfKick } from './half-kick'
import { partition } from './partition'
import { rowsAtEnd } from './rows-at-end'
import { SECOND_ORDER_ROWS } from './settings'
import type { EndContacts, StepIsland } from './step-island'
import { JOINT_ALLOWED, JOINT_VELOCITY_ROUNDING } from './tolerances'

/**
 * @param end the state at `time`, s, the end of the step, with all kicks, and the snapshot of the equations with it; changed in place
 * @param size of the island, m
 * @param velocities of all bodies there, 6 doubles a body
 * @param before the same without the second half of the kick
 * @param wrench scratch of the same length, zero for this island's bodies
 * @throws StopError
 */
export function projectVelocities(
  equations: EquationsOfMotion, island: StepIsland, end: Float64Array, time: number, size: number,
  { velocities, before, wrench }: { readonly velocities: Float64Array; readonly before: Float64Array; readonly wrench: Float64Array },
): void {
  const { snapshot, jointPositions, world: { bodies } } = equations
  const withContacts = takesContacts(island) ? allAtEnd(equations, island, velocities) : null
  const half = withContacts?.half ?? island.atEnd(snapshot, jointPositions)
  const { rows } = half
  const impulse = withContacts?.impulse ?? new Float64Array(rows.count)
  if (withContacts === null) {
    const missing = stopping(rows, velocities)
    if (island.mode === 'joints') for (const { row, rate } of island.drives) missing[row]! += rate
    const open = island.mode === 'contact' ? [] : island.limits.filter(({ row, gap }) => row >= 0 && gap > JOINT_ALLOWED * size && !(island.problem!.p[row]! > 0))
    const reason = new HalfKick(half, new Set(open.map(({ row }) => row))).solve(missing, impulse)
    if (reason !== null) throw new StopError('SolverFailure', reason, time, island.bodies.map(body => bodies[body]!.id))
  }
  rows.addWrench(impulse, wrench)
  applyImpulsiveWrench(island.bodies, snapshot, wrench, end)
  const after = velocities.slice()
  rows.addMotion(impulse, after)
  const work = impulse.map((p, row) => p * (rows.along(row, before) + rows.along(row, after)) / 2)
  island.endImpulse = impulse
  island.endRows = rows
  island.endWork = work.subarray(0, withContacts === null ? rows.count : sharedRows(island))
  island.endContacts = withContacts === null ? null : contactsAtEnd(withContacts, island, work)
}

/** Whether contacts take part: they have had their whole kick, and are few enough. */
function takesContacts(island: StepIsland): boolean {
  const { mode, constraints, leapfrog, pile, inTrees, rowCount, tiedRows } = island
  return mode === 'contact' && constraints.length > 0 && !leapfrog && !pile && !inTrees && rowCount - tiedRows <= SECOND_ORDER_ROWS
}

/** Number of rows that the problem of a step with contacts has in the same place at its end: of joints, drives and limits. */
function sharedRows({ tiedRows, drives, limits }: StepIsland): number {
  return tiedRows + drives.length + limits.length
}

interface WithContacts {
  readonly half: EliminatedRows & { readonly rowsInStep: readonly number[] }
  readonly impulse: Float64Array
}

/** Impulses of joints and contacts that stop their rates, where contacts only push; null if none were found. */
function allAtEnd(equations: EquationsOfMotion, island: StepIsland, velocities: Float64Array): WithContacts | null {
  const { spins, ...filled } = rowsAtEnd(island, equations)
  const { rows } = filled
  rows.weigh(equations.snapshot)
  const half = { ...filled, spin: spins.map(own => own.rows) }
  const missing = stopping(rows, velocities)
  for (const { row, compliance } of island.drives) {
    missing[row] = 0
    rows.compliance[row] = compliance
  }
  const open = island.limits.filter(({ row }) => !(island.problem!.p[row]! > 0))
  const impulse = new Float64Array(rows.count)
  return new HalfKick(half, new Set(open.map(({ row }) => row))).solve(missing, impulse) === null ? { half, impulse } : null
}

/** The change of each row's rate that stops it, m/s and rad/s. */
function stopping(rows: Rows, velocities: Float64Array): Float64Array {
  return Float64Array.from({ length: rows.count }, (_, row) => -rows.along(row, velocities))
}

function contactsAtEnd({ half: { kind, rowsInStep }, impulse }: WithContacts, island: StepIsland, work: Float64Array): EndContacts {
  const found = { p: new Float64Array(island.problem!.p.length), normal: 0, friction: 0 }
  for (let row = sharedRows(island); row < work.length; row++) {
    found.p[rowsInStep[row]!] = impulse[row]!
    if (kind[row] === ROW_UNILATERAL) found.normal += work[row]!
    else found.friction += work[row]!
  }
  return found
}

/**
 * Applies the smallest change of velocities that the joints require, recorded as an impact: initial velocities of a scene, or of spawned bodies, may
 * contradict them.
 */
export function applyJointImpact(context: StepContext): void {
  const { equations, state, scales, world: { bodies } } = context
  const { snapshot } = equations
  settleTrees(equations, state)
  snapshot.update(state)
  const { joints } = gatherJoints(context, () => true)
  const velocities = new Float64Array(6 * bodies.length)
  snapshot.velocities(velocities)
  const kinetic = (island: StepIsland): number => island.bodies.reduce((sum, body) => sum + equations.kineticEnergyOf(body), 0)
  const wrench = new Float64Array(velocities.length)
  for (const island of partition(snapshot, joints, [], [], [], [])) {
    const { rows } = island.atEnd(snapshot, equations.jointPositions)
    const least = JOINT_VELOCITY_ROUNDING * scales.speed(...island.bodies)
    if (Array.from({ length: rows.count }, (_, row) => rows.along(row, velocities)).every(speed => Math.abs(speed) <= least)) continue
    const energy = kinetic(island)
    projectVelocities(equations, island, state, context.time, scales.size(...island.bodies), { velocities, before: velocities, wrench })
    snapshot.update(state)
    context.impactWork += kinetic(island) - energy
  }
}
