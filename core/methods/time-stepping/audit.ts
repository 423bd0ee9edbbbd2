/** What the impulses of an accepted step did, for the energy audit: each impulse works along the mean of the velocities before and after it. */

import { WORKS } from '../../contact/equations'
import { JACOBIAN_WIDTH } from '../../dynamics/joints/joint'
import type { StepContext } from './context'
import type { Stepper } from './stepper'

const FRICTION = WORKS.indexOf('friction')
const JOINTS = WORKS.indexOf('joints')
const KINEMATIC = WORKS.indexOf('kinematic')

/** Adds the works of the step's impulses, and of forces by the trapezoidal rule from their power at both ends, to the works behind the state at its end. */
export function auditStep(context: StepContext, { islands, motions, end, h }: Stepper, powerBefore: Float64Array): void {
  const { equations: { layout, power }, world } = context
  const at = layout.bodyLength
  for (let k = 0; k < WORKS.length; k++) end[at + k]! += h / 2 * (powerBefore[k]! + power[k]!)
  for (const { problem, mode, constraints, drives, limits, spins } of islands) {
    if (problem === null) continue
    const { rows, p } = problem
    const work = (row: number): number => p[row]! * (rows.along(row, motions.before) + rows.along(row, motions.velocity)) / 2
    if (mode === 'contact') {
      for (const active of constraints) {
        context.impactWork += work(active.row)
        if (active.friction > 0) end[at + FRICTION]! += work(active.row + 1) + work(active.row + 2)
      }
      for (const { of: { joint }, rows: own } of spins) {
        for (const row of own.rows) end[at + (joint === undefined ? FRICTION : JOINTS)]! += work(row)
      }
      for (const { row } of limits) context.impactWork += work(row)
      for (const { row } of drives) end[at + JOINTS]! += work(row)
    }
    for (let row = 0; row < rows.count; row++) {
      for (let side = 0; side < 2; side++) {
        const body = (side === 0 ? rows.bodyA : rows.bodyB)[row]!
        if (body < 0 || world.bodies[body]!.type !== 'kinematic') continue
        let speed = 0
        for (let k = 0; k < 6; k++) speed += rows.jacobian[row * JACOBIAN_WIDTH + 6 * side + k]! * motions.before[6 * body + k]!
        end[at + KINEMATIC]! -= p[row]! * speed
      }
    }
  }
}
