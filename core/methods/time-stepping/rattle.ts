/** RATTLE's second half: velocities that satisfy the joints at the end of the step, by impulses along G(q⁺)ᵀ. */

import type { EquationsOfMotion } from '../../contact/equations'
import { Rows } from '../../contact/rows'
import { OFFSET_MOMENTUM, OFFSET_VELOCITY } from '../../dynamics/state'
import { evaluateJoint } from '../../dynamics/joints/joint'
import { EqualityRows } from './equality'
import type { StepIsland } from './step-island'

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
