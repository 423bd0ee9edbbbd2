/** Stops the run if joints cannot be satisfied at position or velocity level: the projection has failed. */

import { Rows } from '../../contact/rows'
import { bodiesOfJoint, evaluateJoint, jointEquations } from '../../dynamics/joints'
import { StopError } from '../method'
import type { RunContext } from './context'
import { UNSATISFIED } from './tolerances'

/** @throws StopError if a joint's equations or their rates are violated at the snapshot */
export function requireJoints({ world, equations: { snapshot }, time }: RunContext): void {
  const { size, speed } = world.scales
  const velocities = new Float64Array(6 * snapshot.motions.length)
  snapshot.velocities(velocities)
  for (const { constraint, broken } of world.joints) {
    if (broken) continue
    const { id, rows } = constraint
    const bodies = bodiesOfJoint(constraint)
    if (bodies.some(body => !snapshot.exists[body]) || bodies.every(body => snapshot.inverseMass[body] === 0)) continue
    const out = jointEquations(constraint)
    evaluateJoint(constraint, body => snapshot.motionOf(body), out)
    const one = new Rows(1)
    for (let row = 0; row < rows; row++) {
      one.clear()
      one.pushJoint(constraint, out, row)
      const rate = one.along(0, velocities)
      const error = Math.abs(out.error[row]!)
      const measure = Math.max(1, size)
      if (error <= UNSATISFIED * measure && Math.abs(rate) <= UNSATISFIED * Math.max(1, speed) * measure) continue
      const ids = [id, ...bodies.map(body => world.bodies[body]!.id)]
      throw new StopError(
        'UnsatisfiableConstraints',
        `joint "${id}" cannot be satisfied together with the other constraints of its bodies: its error is ${error} and changes by ${Math.abs(rate)} a second (m or rad)`,
        time, ids)
    }
  }
}
