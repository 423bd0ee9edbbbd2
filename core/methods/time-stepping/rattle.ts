/** Velocities that satisfy the joints, by impulses along Gᵀ: RATTLE's second half, at the end of a step, and where a scene contradicts itself at its start. */

import type { EquationsOfMotion } from '../../contact/equations'
import { Rows } from '../../contact/rows'
import { OFFSET_MOMENTUM, OFFSET_VELOCITY } from '../../dynamics/state'
import { evaluateJoint } from '../../dynamics/joints/joint'
import type { StepContext } from './context'
import { EqualityRows } from './equality'
import { gatherJoints } from './gather-joints'
import { partition } from './partition'
import type { StepIsland } from './step-island'

/** × the scene's speed: velocities that part a joint by less are rounding. */
const ROUNDING = 1e-12

/**
 * @param end the state at the end of the step, with all kicks, and the snapshot of the equations with it; changed in place
 * @param velocities of all bodies there, 6 doubles a body
 * @param wrench scratch of the same length, zero where this island's bodies are
 */
export function projectJointVelocities(
  equations: EquationsOfMotion, island: StepIsland, end: Float64Array, velocities: Float64Array, wrench: Float64Array,
): void {
  const { snapshot } = equations
  let size = 0
  for (const { element } of island.joints) size += element.constraint.rows
  const rows = new Rows(size)
  for (const { element: { constraint }, atEnd } of island.joints) {
    evaluateJoint(constraint, body => snapshot.motionOf(body), atEnd)
    for (let r = 0; r < constraint.rows; r++) rows.pushJoint(constraint, atEnd, r)
  }
  rows.weigh(snapshot)
  const b = Float64Array.from({ length: size }, (_, row) => -rows.along(row, velocities))
  const impulse = new Float64Array(size)
  new EqualityRows(rows).solve(b, impulse)
  rows.addWrench(impulse, wrench)
  for (const body of island.bodies) {
    const o = snapshot.layout.offsets[body]!
    const m = snapshot.inverseMass[body]!
    for (let k = 0; k < 3; k++) {
      end[o + OFFSET_VELOCITY + k]! += m * wrench[6 * body + k]!
      end[o + OFFSET_MOMENTUM + k]! += wrench[6 * body + 3 + k]!
    }
  }
  island.endImpulse = impulse
  island.endRows = rows
}

/**
 * Changes the velocities of the context's state by the least that its joints ask for, as an impact of theirs, which is booked as one: at the start, or where a
 * body spawns, a scene may give velocities that contradict them.
 */
export function meetJoints(context: StepContext): void {
  const { equations, state, world: { bodies, scales } } = context
  const { snapshot } = equations
  snapshot.update(state)
  const { joints } = gatherJoints(context, () => true)
  const velocities = new Float64Array(6 * bodies.length)
  snapshot.velocities(velocities)
  const kinetic = (island: StepIsland): number => island.bodies.reduce((sum, body) => sum + equations.kineticEnergyOf(body), 0)
  const wrench = new Float64Array(velocities.length)
  for (const island of partition(snapshot, joints, [], [], [], [])) {
    const rows = new Rows(island.joints.reduce((sum, { element }) => sum + element.constraint.rows, 0))
    for (const { element: { constraint }, equations: start } of island.joints) for (let r = 0; r < constraint.rows; r++) rows.pushJoint(constraint, start, r)
    if (Array.from({ length: rows.count }, (_, row) => rows.along(row, velocities)).every(speed => Math.abs(speed) <= ROUNDING * scales.speed)) continue
    const before = kinetic(island)
    projectJointVelocities(equations, island, state, velocities, wrench)
    snapshot.update(state)
    context.impactWork += kinetic(island) - before
  }
}
