/** How far bodies can be moved along the vertical as one: up out of what they overlap, and down onto what lies below them. */

import { ContactSet } from '../contact/contact-set'
import { Snapshot } from '../contact/snapshot'
import type { World } from '../contact/world'
import { initialState, stateLayout } from '../dynamics/state-layout'
import { add, length, scale, type Vec3 } from '../math/vector'

/** × scene size: smaller gaps and overlaps are rounding. */
const ROUNDING = 1e-9
/** × scene size: largest step along a surface that the bodies touch; and × the step: how far it may lead into that surface. */
const SLIDE = 1e-3
/** Steep contacts converge slowly; bodies that are not free after so many steps are left where they are. */
const MAX_STEPS = 2000

/** Separation of every pair of one moved and one other body near each other, m, if the moved ones are shifted; negative for overlaps. */
type Separations = (shift: number, reach: number) => number[]

/**
 * The least distance up, m, at which the bodies overlap nothing else; 0 if they do not overlap anything. A pair separates by no shorter way than its
 * depth, so moving by the largest depth again and again passes no free place.
 * @param moved ids
 * @returns null if they are not free within reach
 */
export function wayOut(world: World, gravity: Vec3, moved: ReadonlySet<string>): number | null {
  const [separations, size] = [separationsOf(world, gravity, moved), world.scales.size]
  let way = 0
  for (let step = 0; step < MAX_STEPS; step++) {
    const depth = -Math.min(0, ...separations(way, 0))
    if (depth <= ROUNDING * size) return way
    way += depth
  }
  return null
}

/**
 * The distance down, m, after which the bodies touch something; 0 if they already do.
 * @returns null if nothing is below within reach
 */
export function wayDown(world: World, gravity: Vec3, moved: ReadonlySet<string>): number | null {
  const [separations, size] = [separationsOf(world, gravity, moved), world.scales.size]
  const least = ROUNDING * size
  let [way, slide] = [0, SLIDE * size]
  for (let step = 0; step < MAX_STEPS; step++) {
    const gap = Math.min(size, ...separations(-way, size))
    if (gap > least) {
      way += gap
      continue
    }
    // A wall that is touched from the side is no floor.
    const enters = Math.min(0, ...separations(-way - slide, 0)) < -SLIDE * slide
    if (!enters) way += slide
    else if (slide > least) slide /= 2
    else return way
  }
  return null
}

function separationsOf(world: World, gravity: Vec3, moved: ReadonlySet<string>): Separations {
  const up: Vec3 = length(gravity) > 0 ? scale(gravity, -1 / length(gravity)) : [0, 0, 1]
  const isMoved = world.bodies.map(({ id }) => moved.has(id))
  const contacts = new ContactSet(world)
  const layout = stateLayout(world.bodies)
  return (shift, reach) => {
    const snapshot = new Snapshot(layout)
    snapshot.update(initialState(layout))
    const by = scale(up, shift)
    snapshot.motions.forEach((motion, i) => {
      if (isMoved[i]) snapshot.motions[i] = { ...motion, center: add(motion.center, by), pose: { ...motion.pose, position: add(motion.pose.position, by) } }
    })
    const found: number[] = []
    contacts.visitAt(snapshot, reach, ({ bodyA, bodyB, collider }) => {
      if (isMoved[bodyA] !== isMoved[bodyB]) found.push(collider.separation(snapshot.motions[bodyA]!.pose, snapshot.motions[bodyB]!.pose))
      return true
    })
    return found
  }
}
