/** From the scene's joints to constraints and what acts on their coordinates. */

import type { CoordinateElements, JointElement } from '../contact/world'
import type { RigidBody } from '../dynamics/body'
import { gearJoint, jointConstraint, WORLD_MOTION, type Joined } from '../dynamics/joints'
import type { ResolvedJoint, ResolvedJointOf } from '../scene'

type Freedom = Pick<ResolvedJointOf<'hinge'>, 'limits' | 'motor' | 'damping' | 'friction' | 'spring'>

/** @throws RangeError naming the joint where its frames make no sense */
export function compileJoints(joints: readonly ResolvedJoint[], bodies: ReadonlyMap<string, RigidBody>): JointElement[] {
  const elements = new Map<string, JointElement>()
  for (const joint of joints) if (joint.type !== 'gear') elements.set(joint.id, compileJoint(joint, bodies))
  return joints.map(joint => {
    if (joint.type !== 'gear') return elements.get(joint.id)!
    const jointA = elements.get(joint.jointA)!.constraint
    const jointB = elements.get(joint.jointB)!.constraint
    const { id, type, ratio } = joint
    return { constraint: gearJoint({ id, type, jointA, jointB, ratio }), coordinates: [], spinFriction: 0 }
  })
}

function compileJoint(joint: Exclude<ResolvedJoint, { type: 'gear' }>, bodies: ReadonlyMap<string, RigidBody>): JointElement {
  const a = joint.bodyA === null ? null : bodies.get(joint.bodyA)!
  const b = joint.bodyB === null ? null : bodies.get(joint.bodyB)!
  const joined: Joined = {
    id: joint.id, bodyA: a?.index ?? -1, bodyB: b?.index ?? -1, initialA: a?.initial ?? WORLD_MOTION, initialB: b?.initial ?? WORLD_MOTION,
  }
  const constraint = jointConstraint({ ...joint, ...joined } as Parameters<typeof jointConstraint>[0])
  return { constraint, coordinates: freedoms(joint).slice(0, constraint.coordinates).map(elementsOf), spinFriction: joint.type === 'ball' ? joint.friction : 0 }
}

function freedoms(joint: Exclude<ResolvedJoint, { type: 'gear' }>): Freedom[] {
  switch (joint.type) {
    case 'hinge':
    case 'slider':
      return [joint]
    case 'universal':
      return [joint.rotationA, joint.rotationB]
    case 'cylindrical':
      return [joint.rotation, joint.translation]
    case 'pointOnCurve':
      return [{ damping: joint.damping, friction: joint.friction, spring: { stiffness: 0, rest: 0 } }]
    default:
      return []
  }
}

function elementsOf({ limits, motor, damping, friction, spring }: Freedom): CoordinateElements {
  return {
    limits: limits === undefined ? null : { lower: limits.lower ?? -Infinity, upper: limits.upper ?? Infinity },
    motor: motor ?? null,
    servo: null,
    damping,
    friction,
    spring: spring.stiffness > 0 ? spring : null,
    command: null,
  }
}
