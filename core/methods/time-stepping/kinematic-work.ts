/** Work on bodies with a prescribed motion, which the energy balance counts as supplied from outside. */

import type { Rows } from '../../contact/rows'
import type { World } from '../../contact/world'
import { JACOBIAN_WIDTH } from '../../dynamics/joints/joint'

/** J: work of rows on bodies with a prescribed motion. @param velocity of all bodies, six doubles each */
export function workOnKinematic({ bodies }: World, rows: Rows, impulses: Float64Array, velocity: Float64Array): number {
  let work = 0
  for (let row = 0; row < rows.count; row++) {
    for (let side = 0; side < 2; side++) {
      const body = (side === 0 ? rows.bodyA : rows.bodyB)[row]!
      if (body < 0 || bodies[body]!.type !== 'kinematic') continue
      let speed = 0
      for (let k = 0; k < 6; k++) speed += rows.jacobian[row * JACOBIAN_WIDTH + 6 * side + k]! * velocity[6 * body + k]!
      work += impulses[row]! * speed
    }
  }
  return work
}
