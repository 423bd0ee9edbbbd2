/** Joints that cannot be satisfied, at their positions or velocities, stop the run: the projection has done what it can. */

import { jointEquations } from '../../dynamics/joints'
import { JACOBIAN_WIDTH } from '../../dynamics/joints/joint'
import { StopError } from '../method'
import type { RunContext } from './context'

/** Errors left after the projection that are no rounding: × the size of the scene (rad), × its speed scale. */
const UNSATISFIED = 1e-6

/** @throws StopError where a joint's equations or their rates are violated at the snapshot */
export function requireJoints({ world, equations: { snapshot }, time }: RunContext): void {
  const { size, speed } = world.scales
  for (const { constraint } of world.joints) {
    const { id, bodyA, bodyB, rows } = constraint
    const bodies = [bodyA, bodyB].filter(body => body >= 0)
    if (bodies.some(body => !snapshot.exists[body]) || bodies.every(body => snapshot.inverseMass[body] === 0)) continue
    const out = jointEquations(rows)
    const [a, b] = [snapshot.motionOf(bodyA), snapshot.motionOf(bodyB)]
    constraint.evaluate(a, b, out)
    for (let row = 0; row < rows; row++) {
      let rate = 0
      for (let k = 0; k < 3; k++) {
        const at = row * JACOBIAN_WIDTH + k
        rate += out.jacobian[at]! * a.velocity[k]! + out.jacobian[at + 3]! * a.angularVelocity[k]!
          + out.jacobian[at + 6]! * b.velocity[k]! + out.jacobian[at + 9]! * b.angularVelocity[k]!
      }
      const error = Math.abs(out.error[row]!)
      const measure = Math.max(1, size)
      if (error <= UNSATISFIED * measure && Math.abs(rate) <= UNSATISFIED * Math.max(1, speed) * measure) continue
      const ids = [id, ...bodies.map(body => world.bodies[body]!.id)]
      throw new StopError(
        'UnsatisfiableConstraints',
        `joint "${id}" cannot be satisfied together with what else holds its bodies: it is off by ${error} and parts at ${Math.abs(rate)} (m or rad, a second)`,
        time, ids)
    }
  }
}
