/** From the scene's joints to constraints and what acts on their coordinates. */

import type { CoordinateElements, JointElement } from '../contact/world'
import type { RigidBody } from '../dynamics/body'
import { gearJoint, jointConstraint, meshedGear, WORLD_MOTION, type Joined, type MeshedWheel } from '../dynamics/joints'
import { normalize } from '../math/vector'
import type { ResolvedJoint, ResolvedJointOf } from '../scene'

type Freedom = Pick<ResolvedJointOf<'hinge'>, 'limits' | 'motor' | 'damping' | 'friction' | 'spring'>

/** @throws RangeError naming the joint where its frames make no sense */
export function compileJoints(joints: readonly ResolvedJoint[], bodies: ReadonlyMap<string, RigidBody>): JointElement[] {
  const elements = new Map<string, JointElement>()
  for (const joint of joints) if (joint.type !== 'gear') elements.set(joint.id, compileJoint(joint, bodies))
  const fixed = new Map([...bodies.values()].filter(body => body.type === 'fixed').map(body => [body.index, body.initial]))
  return joints.map(joint => {
    if (joint.type !== 'gear') return elements.get(joint.id)!
    const jointA = elements.get(joint.jointA)!.constraint
    const jointB = elements.get(joint.jointB)!.constraint
    const { id, type, ratio } = joint
    const wheels = meshedWheels(joint, joints, bodies)
    const constraint = wheels === null
      ? gearJoint({ id, type, jointA, jointB, ratio, fixedMotion: body => fixed.get(body) ?? null })
      : meshedGear({ id, ratio, wheelA: wheels[0], wheelB: wheels[1] })
    return { constraint, coordinates: [], spinFriction: 0 }
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

/** The wheels of a gear of two hinges on the same moving body, of which neither is fixed; null for every other gear. */
function meshedWheels(
  gear: ResolvedJointOf<'gear'>, joints: readonly ResolvedJoint[], bodies: ReadonlyMap<string, RigidBody>,
): readonly [MeshedWheel, MeshedWheel] | null {
  const hinges = [gear.jointA, gear.jointB].map(id => joints.find((joint): joint is ResolvedJointOf<'hinge'> => joint.id === id && joint.type === 'hinge'))
  const [a, b] = hinges
  if (a === undefined || b === undefined) return null
  const moves = (id: string | null): boolean => id !== null && bodies.get(id)!.type !== 'fixed'
  const carrier = [a.bodyA, a.bodyB].find(id => moves(id) && (id === b.bodyA || id === b.bodyB))
  if (carrier === undefined) return null
  const wheel = ({ bodyA, bodyB, anchor, axis }: ResolvedJointOf<'hinge'>): MeshedWheel | null => {
    const own = bodyA === carrier ? bodyB : bodyA
    if (!moves(own)) return null
    const { index, initial } = bodies.get(own!)!
    return { body: index, initial, anchor, axis: normalize(axis), sign: own === bodyB ? 1 : -1 }
  }
  const [wheelA, wheelB] = [wheel(a), wheel(b)]
  return wheelA === null || wheelB === null || wheelA.body === wheelB.body ? null : [wheelA, wheelB]
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
    damping,
    friction,
    spring: spring.stiffness > 0 ? spring : null,
  }
}
