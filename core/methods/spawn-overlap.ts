/** Bodies that appear where others are: moved apart where they overlap by next to nothing, which is said, and refused otherwise [physics.md §0]. */

import type { ContactSet } from '../contact/contact-set'
import { allowedOverlap, overlapsAt } from '../contact/overlaps'
import type { Snapshot } from '../contact/snapshot'
import type { World } from '../contact/world'
import { StopError, type MethodObserver } from './method'
import { shortNumber } from '../math/short-number'

interface Spawning {
  readonly world: World
  readonly contacts: ContactSet
  readonly equations: { readonly snapshot: Snapshot }
  readonly time: number
  readonly warnings: string[]
  readonly environment: { readonly observer: MethodObserver }
}

/**
 * Reports what the bodies that have just appeared overlap with, one warning a pair.
 *
 * @param spawned or let go by a joint, which kept them from touching
 * @param separated the scene asks to have overlapping bodies moved apart, however deep
 * @throws StopError InitialPenetration where an overlap is deeper than what is projected out
 */
export function reportSpawnOverlaps(
  { world, contacts, equations: { snapshot }, time, warnings, environment }: Spawning, spawned: readonly number[], separated: boolean,
  becomes: 'appears' | 'is let go' = 'appears',
): void {
  const allowed = allowedOverlap(world)
  for (const { bodyA, bodyB, depth } of overlapsAt(world, contacts, snapshot)) {
    if (!spawned.includes(bodyA) && !spawned.includes(bodyB)) continue
    const ids = [world.bodies[bodyA]!.id, world.bodies[bodyB]!.id]
    const appears = world.bodies[spawned.includes(bodyA) ? bodyA : bodyB]!.id
    const what = `"${ids[0]}" and "${ids[1]}" overlap by ${shortNumber(depth)} m as "${appears}" ${becomes} at ${shortNumber(time, 6)} s`
    if (depth > allowed && !separated) {
      throw new StopError('InitialPenetration', `${what}; at most ${shortNumber(allowed)} m is projected out`, time, ids)
    }
    const message = `${what}: they are moved apart by that`
    warnings.push(message)
    environment.observer.event({ kind: 'warning', time, bodyA, bodyB, message })
  }
}
