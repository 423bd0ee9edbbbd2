/** Breakable joints: their loads, and the changes to the world when they break. */

import { shortNumber } from '../math/short-number'
import { cross, length, sub, type Vec3 } from '../math/vector'
import type { EquationsOfMotion } from './equations'
import type { World } from './world'

/** Relative tolerance within which a reaction counts as at its limit: the accuracy of the event. */
const AT_LIMIT = 1e-7

/** N and N m, on A at the anchor. */
export interface Reaction {
  readonly force: Vec3
  readonly torque: Vec3
}

/** Remaining shares of the largest force and torque; Infinity without a limit. */
export function remainingStrength({ joints }: World, joint: number, { force, torque }: Reaction): readonly [force: number, torque: number] {
  const { breaking } = joints[joint]!
  if (breaking === null) return [Infinity, Infinity]
  return [1 - length(force) / breaking.force, 1 - length(torque) / breaking.torque]
}

/** The torque about a joint's anchor, from that about A's centre of mass. */
export function aboutAnchor({ world, snapshot }: EquationsOfMotion, joint: number, force: Vec3, torque: Vec3): Vec3 {
  const { constraint } = world.joints[joint]!
  const a = snapshot.motionOf(constraint.bodyA)
  return sub(torque, cross(sub(constraint.anchor(a, snapshot.motionOf(constraint.bodyB)), a.center), force))
}

/** A joint that breaks, directly or as a gear on a broken joint. */
export interface BrokenJoint {
  readonly joint: number
  readonly message: string
}

/**
 * Breaks the joints at their limits, and the gears on broken joints.
 *
 * @param reactionOf null if a joint has no load
 * @returns the joints that break now
 */
export function breakJoints(world: World, reactionOf: (joint: number) => Reaction | null): BrokenJoint[] {
  const brokenJoints: BrokenJoint[] = []
  world.joints.forEach((element, joint) => {
    if (element.broken || element.breaking === null) return
    const reaction = reactionOf(joint)
    if (reaction === null) return
    const [force, torque] = remainingStrength(world, joint, reaction)
    if (Math.min(force, torque) > AT_LIMIT) return
    element.broken = true
    const { breaking: limits } = element
    const message = force <= torque ? `force ${shortNumber(length(reaction.force), 6)} N of at most ${limits.force} N`
      : `torque ${shortNumber(length(reaction.torque), 6)} N m of at most ${limits.torque} N m`
    brokenJoints.push({ joint, message })
  })
  world.joints.forEach((element, joint) => {
    const lost = element.broken ? undefined : element.needs.find(other => other.broken)
    if (lost === undefined) return
    element.broken = true
    brokenJoints.push({ joint, message: `its joint "${lost.constraint.id}" has broken` })
  })
  return brokenJoints
}

/** Whether any joint may still break. */
export function mayBreak({ joints }: World): boolean {
  return joints.some(({ breaking, broken }) => breaking !== null && !broken)
}

/** J: energy at the snapshot of the springs of joints that break, appear or disappear now. */
export function springEnergyOf(equations: EquationsOfMotion, brokenJoints: readonly Pick<BrokenJoint, 'joint'>[]): number {
  return brokenJoints.reduce((sum, { joint }) => sum + equations.world.joints[joint]!.coordinates.reduce((own, { spring }, coordinate) => {
    if (spring === null) return own
    const stretch = equations.jointLoads.coordinate(joint, coordinate).position - spring.rest
    return own + 0.5 * spring.stiffness * stretch * stretch
  }, 0), 0)
}
