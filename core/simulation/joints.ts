/** Compiles the scene's joints to constraints and to loads along their coordinates. */

import type { CoordinateElements, JointElement, Servo } from '../contact/world'
import { motionAt, type RigidBody } from '../dynamics/body'
import { HeldTrack } from '../dynamics/held-track'
import { gearJoint, jointConstraint, WORLD_MOTION, type Joined } from '../dynamics/joints'
import type { BodyMotion } from '../geometry/motion'
import { monotoneCurve } from '../math/monotone-curve'
import type { Pose } from '../math/pose'
import { ZERO } from '../math/vector'
import { actingOn, freedomsOf, type ResolvedJoint } from '../scene'
import { driveId, type DriveKind, type LiveTracks } from './live-tracks'

type Freedom = ReturnType<typeof actingOnAll>[number]

const actingOnAll = (joint: ResolvedJoint) => freedomsOf(joint).map(freedom => actingOn(joint, freedom))

/**
 * @param driven collects the drives and their keyframed changes
 * @throws RangeError naming the joint if its frames are invalid
 */
export function compileJoints(
  joints: readonly ResolvedJoint[], bodies: ReadonlyMap<string, RigidBody>, driven: HeldTrack[], live?: LiveTracks,
): JointElement[] {
  const elements = new Map<string, JointElement>()
  for (const joint of joints) if (joint.type !== 'gear') elements.set(joint.id, compileJoint(joint, bodies, driven, live))
  return joints.map(joint => {
    if (joint.type !== 'gear') return elements.get(joint.id)!
    const jointA = elements.get(joint.jointA)!.constraint
    const jointB = elements.get(joint.jointB)!.constraint
    const { id, type, ratio } = joint
    const needs = [elements.get(joint.jointA)!, elements.get(joint.jointB)!]
    return {
      constraint: gearJoint({ id, type, jointA, jointB, ratio }), coordinates: [], spinFriction: 0, breaking: null, spawnTime: 0, removeTime: Infinity, needs,
      broken: false,
    }
  })
}

function compileJoint(
  joint: Exclude<ResolvedJoint, { type: 'gear' }>, bodies: ReadonlyMap<string, RigidBody>, driven: HeldTrack[], live: LiveTracks | undefined,
): JointElement {
  const a = joint.bodyA === null ? null : bodies.get(joint.bodyA)!
  const b = joint.bodyB === null ? null : bodies.get(joint.bodyB)!
  const joined: Joined = {
    id: joint.id, bodyA: a?.index ?? -1, bodyB: b?.index ?? -1,
    initialA: a === null ? WORLD_MOTION : motionFor(a, joint.poseA), initialB: b === null ? WORLD_MOTION : motionFor(b, joint.poseB),
  }
  const constraint = jointConstraint({ ...joint, ...joined } as Parameters<typeof jointConstraint>[0])
  const { breakForce, breakTorque, spawnTime = 0, removeTime = Infinity } = joint
  return {
    constraint, coordinates: actingOnAll(joint).map((freedom, k) => elementsOf(freedom, (kind, first, keys) => {
      const make = (): HeldTrack => new HeldTrack(first, keys)
      const track = live?.drive(driveId(joint.id, k, kind), make) ?? make()
      if (live !== undefined || track.times.length > 0) driven.push(track)
      return track
    }, live !== undefined)), spinFriction: joint.type === 'ball' ? joint.friction : 0,
    breaking: breakForce === undefined && breakTorque === undefined ? null : { force: breakForce ?? Infinity, torque: breakTorque ?? Infinity },
    spawnTime, removeTime, needs: [], broken: spawnTime > 0,
  }
}

/** Motion of a body at the pose at which its joint is defined. */
const motionFor = ({ initial, centerOfMass }: RigidBody, pose: Pose | undefined): BodyMotion =>
  pose === undefined ? initial : motionAt(centerOfMass, pose.position, pose.orientation, ZERO, ZERO)

/** Commands of a coordinate over time. @param keys time, s, and value */
type TrackOf = (kind: DriveKind, first: number, keys: readonly (readonly [number, number])[]) => HeldTrack

function compileServo({ target, stiffness, damping, maxForce = Infinity, keys, interpolation }: NonNullable<Freedom['servo']>, trackOf: TrackOf, live: boolean): Servo {
  const strength = { stiffness, damping, maxForce }
  if (interpolation === 'hold' || (live && keys === undefined)) {
    const track = trackOf('servo', target, keys?.map(key => [key.time, key.target]) ?? [])
    return { ...strength, moves: track.times.length > 0, jumps: true, reference: time => ({ position: track.at(time), velocity: 0 }) }
  }
  if (keys === undefined) {
    const held = { position: target, velocity: 0 }
    return { ...strength, moves: false, jumps: false, reference: () => held }
  }
  const curve = monotoneCurve([0, ...keys.map(({ time }) => time)], [target, ...keys.map(key => key.target)])
  return {
    ...strength, moves: true, jumps: false,
    reference: time => {
      const [position, velocity] = curve(time)
      return { position, velocity }
    },
  }
}

/** s: key times of all servos with smooth motion. */
export function servoKeyTimes(joints: readonly ResolvedJoint[]): number[] {
  return joints.flatMap(joint => actingOnAll(joint).flatMap(({ servo }) => servo?.interpolation === 'hold' ? [] : servo?.keys?.map(({ time }) => time) ?? []))
}

function elementsOf({ limits, motor, servo, drive, damping, friction, spring }: Freedom, trackOf: TrackOf, live: boolean): CoordinateElements {
  return {
    limits: limits === undefined ? null : { lower: limits.lower ?? -Infinity, upper: limits.upper ?? Infinity },
    motor: motor === undefined ? null : {
      maxForce: motor.maxForce, targetVelocity: trackOf('motor', motor.targetVelocity, motor.keys?.map(key => [key.time, key.targetVelocity]) ?? []),
    },
    servo: servo === undefined ? null : compileServo(servo, trackOf, live),
    drive: drive === undefined ? null : trackOf('drive', drive.force, drive.keys?.map(key => [key.time, key.force]) ?? []),
    damping,
    friction,
    spring: spring !== undefined && spring.stiffness > 0 ? spring : null,
    command: null,
  }
}
