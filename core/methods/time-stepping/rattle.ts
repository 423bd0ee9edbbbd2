/** Velocities that satisfy the joints, by impulses along Gᵀ: RATTLE's second half, at the end of a step, and where a scene contradicts itself at its start. */

import type { EquationsOfMotion } from '../../contact/equations'
import { Rows } from '../../contact/rows'
import { OFFSET_MOMENTUM, OFFSET_VELOCITY } from '../../dynamics/state'
import { evaluateJoint, JACOBIAN_WIDTH } from '../../dynamics/joints/joint'
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
    const speeds = island.joints.map(({ element: { constraint }, equations: { jacobian } }) => speedOf(constraint, jacobian, velocities))
    if (speeds.every(speed => speed <= ROUNDING * scales.speed)) continue
    const before = kinetic(island)
    projectJointVelocities(equations, island, state, velocities, wrench)
    snapshot.update(state)
    context.impactWork += kinetic(island) - before
  }
}

/** m/s or rad/s: the fastest rate at which some velocities part a joint. */
function speedOf(
  { bodyA, bodyB, rows }: StepIsland['joints'][number]['element']['constraint'], jacobian: Float64Array, velocities: Float64Array,
): number {
  let most = 0
  for (let row = 0; row < rows; row++) {
    let speed = 0
    for (const [side, body] of [bodyA, bodyB].entries()) {
      if (body < 0) continue
      for (let k = 0; k < 6; k++) speed += jacobian[row * JACOBIAN_WIDTH + 6 * side + k]! * velocities[6 * body + k]!
    }
    most = Math.max(most, Math.abs(speed))
  }
  return most
}
