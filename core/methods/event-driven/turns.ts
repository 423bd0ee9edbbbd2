/** Updates the directions of sliding contacts after a step. */

import { tangential } from '../../contact/slip'
import { velocityAt } from '../../geometry/motion'
import { length, scale, sub } from '../../math/vector'
import type { RunContext } from './context'

/** Sets the directions of rotation to the present ones. */
export function updateSpinDirections({ equations: { islands }, tolerances }: RunContext): void {
  for (const { spin, velocity } of islands.flatMap(island => island.spins)) {
    const speed = length(velocity)
    if (spin.friction === 'sliding' && !spin.onset && speed > tolerances.onsetSpin) spin.slip = scale(velocity, 1 / speed)
  }
}

/** Sets the slip directions to the present ones; slow slips keep theirs. */
export function updateSlipDirections({ points, equations: { snapshot }, tolerances }: RunContext): void {
  for (const point of points) {
    if (point.friction !== 'sliding' || point.onset) continue
    const a = snapshot.motions[point.bodyA]!
    const b = snapshot.motions[point.bodyB]!
    const { point: at, normal } = point.features.locate(a.pose, b.pose)
    const v = tangential(sub(velocityAt(a, at), velocityAt(b, at)), normal)
    const speed = length(v)
    if (speed > tolerances.onset) point.slip = scale(v, 1 / speed)
  }
}
