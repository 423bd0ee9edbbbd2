/**
 * RATTLE's second half: velocities at the end of a step that satisfy the joints, by impulses along Gᵀ there, together with those of drives, limits
 * and joint friction. Also corrects initial velocities that contradict the joints.
 */

import type { EquationsOfMotion } from '../../contact/equations'
import { applyImpulsiveWrench } from '../../contact/impact'
import { settleTrees } from '../../contact/settle-trees'
import { StopError } from '../method'
import type { StepContext } from './context'
import { gatherJoints } from './gather-joints'
import { HalfKick } from './half-kick'
import { partition } from './partition'
import type { StepIsland } from './step-island'
import { JOINT_ALLOWED, JOINT_VELOCITY_ROUNDING } from './tolerances'

/**
 * @param end the state at `time`, s, the end of the step, with all kicks, and the snapshot of the equations with it; changed in place
 * @param size of the island, m
 * @param velocities of all bodies there, 6 doubles a body
 * @param before the same without the second half of the kick
 * @param wrench scratch of the same length, zero for this island's bodies
 * @throws StopError
 */
export function projectJointVelocities(
  { snapshot, jointPositions, world: { bodies } }: EquationsOfMotion, island: StepIsland, end: Float64Array, time: number, size: number,
  { velocities, before, wrench }: { readonly velocities: Float64Array; readonly before: Float64Array; readonly wrench: Float64Array },
): void {
  const half = island.atEnd(snapshot, jointPositions)
  const { rows } = half
  const missing = Float64Array.from({ length: rows.count }, (_, row) => -rows.along(row, velocities))
  if (island.mode === 'joints') for (const { row, rate } of island.drives) missing[row]! += rate
  const open = island.mode === 'contact' ? [] : island.limits.filter(({ row, gap }) => row >= 0 && gap > JOINT_ALLOWED * size && !(island.problem!.p[row]! > 0))
  const impulse = new Float64Array(rows.count)
  const kick = new HalfKick(half, new Set(open.map(({ row }) => row)))
  const reason = kick.solve(missing, impulse)
  if (reason !== null) throw new StopError('SolverFailure', reason, time, island.bodies.map(body => bodies[body]!.id))
  rows.addWrench(impulse, wrench)
  applyImpulsiveWrench(island.bodies, snapshot, wrench, end)
  const after = velocities.slice()
  rows.addMotion(impulse, after)
  island.endImpulse = impulse
  island.endRows = rows
  island.endWork = impulse.map((p, row) => p * (rows.along(row, before) + rows.along(row, after)) / 2)
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
    projectJointVelocities(equations, island, state, context.time, scales.size(...island.bodies), { velocities, before: velocities, wrench })
    snapshot.update(state)
    context.impactWork += kinetic(island) - energy
  }
}
