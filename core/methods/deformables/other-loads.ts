/** What everything but deformables does to bodies: the load that the next implicit step of the deformables expects. */

import type { EquationsOfMotion } from '../../contact/equations'
import type { World } from '../../contact/world'
import { length } from '../../math/vector'

/** × the acceleration due to forces: a larger acceleration by other loads is treated as an impact, which does not predict the next step. */
const IMPACT = 3

/**
 * Writes the accelerations of bodies by all other loads in the last step of h seconds, m/s² and rad/s², 6 per body.
 *
 * @param before, after velocities of the bodies at both ends of the step, 6 per body
 */
export function otherLoads(world: World, { snapshot, free }: EquationsOfMotion, before: Float64Array, after: Float64Array, h: number,
  other: Float64Array): void {
  for (const { index, boundingRadius } of world.bodies) {
    if (!(snapshot.inverseMass[index]! > 0)) continue
    const at = 6 * index
    const pushed = pushOf(world, snapshot, index)
    const measured = [0, 1, 2, 3, 4, 5].map(k => (after[at + k]! - before[at + k]!) / h - pushed[k]!)
    // Forces only, without those of deformables: the load on the body without other contacts.
    const alone = [0, 1, 2, 3, 4, 5].map(k => free[at + k]! - pushed[k]!)
    const size = (of: readonly number[], k: number): number => length([of[k]!, of[k + 1]!, of[k + 2]!])
    const impact = size(measured, 0) > IMPACT * size(alone, 0)
      || size(measured, 3) > IMPACT * Math.max(size(alone, 3), size(alone, 0) / boundingRadius)
    for (let k = 0; k < 6; k++) other[at + k] = impact ? alone[k]! : measured[k]!
  }
}

/** Accelerations of a body by reactions in the last step, m/s² and rad/s². */
function pushOf({ reactions }: World, { inverseMass, inverseInertia }: EquationsOfMotion['snapshot'], body: number): number[] {
  const wrench = [0, 1, 2, 3, 4, 5].map(k => reactions.reduce((sum, { wrenches }) => sum + wrenches[6 * body + k]!, 0))
  const turn = (i: number): number => [0, 1, 2].reduce((sum, k) => sum + inverseInertia[9 * body + 3 * i + k]! * wrench[3 + k]!, 0)
  return [...wrench.slice(0, 3).map(f => f * inverseMass[body]!), turn(0), turn(1), turn(2)]
}
