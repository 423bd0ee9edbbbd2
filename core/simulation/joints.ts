/** From the scene's joints to constraints and what acts on their coordinates. */

import type { CoordinateElements, JointElement, Servo } from '../contact/world'
import type { RigidBody } from '../dynamics/body'
import { gearJoint, jointConstraint, WORLD_MOTION, type Joined } from '../dynamics/joints'
import { monotoneCurve } from '../math/monotone-curve'
import { actingOn, freedomsOf, type ResolvedJoint } from '../scene'

type Freedom = ReturnType<typeof actingOnAll>[number]

const actingOnAll = (joint: ResolvedJoint) => freedomsOf(joint).map(freedom => actingOn(joint, freedom))

/** @throws RangeError naming the joint where its frames make no sense */
export function compileJoints(joints: readonly ResolvedJoint[], bodies: ReadonlyMap<string, RigidBody>): JointElement[] {
  const elements = new Map<string, JointElement>()
  for (const joint of joints) if (joint.type !== 'gear') elements.set(joint.id, compileJoint(joint, bodies))
  return joints.map(joint => {
    if (joint.type !== 'gear') return elements.get(joint.id)!
    const jointA = elements.get(joint.jointA)!.constraint
    const jointB = elements.get(joint.jointB)!.constraint
    const { id, type, ratio } = joint
    const needs = [elements.get(joint.jointA)!, elements.get(joint.jointB)!]
    return { constraint: gearJoint({ id, type, jointA, jointB, ratio }), coordinates: [], spinFriction: 0, breaking: null, needs, broken: false }
  })
}

function compileJoint(joint: Exclude<ResolvedJoint, { type: 'gear' }>, bodies: ReadonlyMap<string, RigidBody>): JointElement {
  const a = joint.bodyA === null ? null : bodies.get(joint.bodyA)!
  const b = joint.bodyB === null ? null : bodies.get(joint.bodyB)!
  const joined: Joined = {
    id: joint.id, bodyA: a?.index ?? -1, bodyB: b?.index ?? -1, initialA: a?.initial ?? WORLD_MOTION, initialB: b?.initial ?? WORLD_MOTION,
  }
  const constraint = jointConstraint({ ...joint, ...joined } as Parameters<typeof jointConstraint>[0])
  const { breakForce, breakTorque } = joint
  return {
    constraint, coordinates: actingOnAll(joint).map(elementsOf), spinFriction: joint.type === 'ball' ? joint.friction : 0,
    breaking: breakForce === undefined && breakTorque === undefined ? null : { force: breakForce ?? Infinity, torque: breakTorque ?? Infinity },
    needs: [], broken: false,
  }
}

function compileServo({ target, stiffness, damping, maxForce = Infinity, keys }: NonNullable<Freedom['servo']>): Servo {
  if (keys === undefined) {
    const held = { position: target, velocity: 0 }
    return { stiffness, damping, maxForce, moves: false, reference: () => held }
  }
  const curve = monotoneCurve([0, ...keys.map(({ time }) => time)], [target, ...keys.map(key => key.target)])
  return {
    stiffness, damping, maxForce, moves: true,
    reference: time => {
      const [position, velocity] = curve(time)
      return { position, velocity }
    },
  }
}

/** s: of the keys of all servos. */
export function servoKeyTimes(joints: readonly ResolvedJoint[]): number[] {
  return joints.flatMap(joint => actingOnAll(joint).flatMap(({ servo }) => servo?.keys?.map(({ time }) => time) ?? []))
}

function elementsOf({ limits, motor, servo, damping, friction, spring }: Freedom): CoordinateElements {
  return {
    limits: limits === undefined ? null : { lower: limits.lower ?? -Infinity, upper: limits.upper ?? Infinity },
    motor: motor ?? null,
    servo: servo === undefined ? null : compileServo(servo),
    damping,
    friction,
    spring: spring !== undefined && spring.stiffness > 0 ? spring : null,
    command: null,
  }
}
