/** From the scene's joints to constraints and what acts on their coordinates. */

import type { CoordinateElements, JointElement } from '../contact/world'
import type { RigidBody } from '../dynamics/body'
import { jointConstraint, WORLD_MOTION, type Joined } from '../dynamics/joints'
import type { ResolvedJoint, ResolvedJointOf } from '../scene'
import { notSupported, type Problem } from './problem'

const SUPPORTED: readonly string[] = ['ball', 'hinge', 'slider', 'fixed', 'universal', 'cylindrical', 'planar', 'distance']

type Freedom = Pick<ResolvedJointOf<'hinge'>, 'limits' | 'motor' | 'damping' | 'friction' | 'spring'>

/** What of a joint is not computed yet. */
export function unsupportedJoint(joint: ResolvedJoint, path: string): Problem[] {
  if (!SUPPORTED.includes(joint.type)) return [notSupported(`${path}.type`, `joints of type ${joint.type}`, joint.type, [joint.id], SUPPORTED.join(', '))]
  if (joint.type !== 'ball') return []
  return joint.friction > 0 ? [notSupported(`${path}.friction`, 'friction of ball joints', joint.friction, [joint.id], '0')] : []
}

/** @throws RangeError naming the joint where its frames make no sense */
export function compileJoint(joint: ResolvedJoint, bodies: ReadonlyMap<string, RigidBody>): JointElement {
  if (joint.type === 'gear' || joint.type === 'pointOnCurve') throw new RangeError(`joint "${joint.id}": type ${joint.type} is not supported yet`)
  const a = joint.bodyA === null ? null : bodies.get(joint.bodyA)!
  const b = joint.bodyB === null ? null : bodies.get(joint.bodyB)!
  const joined: Joined = {
    id: joint.id, bodyA: a?.index ?? -1, bodyB: b?.index ?? -1, initialA: a?.initial ?? WORLD_MOTION, initialB: b?.initial ?? WORLD_MOTION,
  }
  const constraint = jointConstraint({ ...joint, ...joined } as Parameters<typeof jointConstraint>[0])
  return { constraint, coordinates: freedoms(joint).slice(0, constraint.coordinates).map(elements) }
}

function freedoms(joint: ResolvedJoint): Freedom[] {
  switch (joint.type) {
    case 'hinge':
    case 'slider':
      return [joint]
    case 'universal':
      return [joint.rotationA, joint.rotationB]
    case 'cylindrical':
      return [joint.rotation, joint.translation]
    default:
      return []
  }
}

function elements({ limits, motor, damping, friction, spring }: Freedom): CoordinateElements {
  return {
    limits: limits === undefined ? null : { lower: limits.lower ?? -Infinity, upper: limits.upper ?? Infinity },
    motor: motor ?? null,
    damping,
    friction,
    spring: spring.stiffness > 0 ? spring : null,
  }
}
