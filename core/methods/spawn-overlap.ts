/** Bodies that appear inside others: tiny overlaps are removed and reported, larger ones are refused. */

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
 * Reports the overlaps of newly spawned bodies, one warning per pair.
 *
 * @param spawned or released by a joint that excluded their contact
 * @param separated the scene allows separation at any depth
 * @throws StopError InitialPenetration if an overlap is deeper than projection allows
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
