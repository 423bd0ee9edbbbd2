/**
 * A scene in its state at an instant of a run, for programs that start there. Bodies have their recorded poses. Joints are defined at the poses of
 * that instant, and their coordinates are relative to it. Keyframed quantities have their values at that instant.
 */

import { motionAt } from '../dynamics/body'
import { HeldTrack } from '../dynamics/held-track'
import { jointConstraint, WORLD_MOTION } from '../dynamics/joints'
import { monotoneCurve } from '../math/monotone-curve'
import { IDENTITY_POSE, toInner, toOuter, type Pose } from '../math/pose'
import { multiplyQuaternions, rotate, rotateInverse, conjugate } from '../math/quaternion'
import { ZERO, type Vec3 } from '../math/vector'
import { actingOn, freedomsOf, type ResolvedBody, type ResolvedCurve, type ResolvedJoint, type ResolvedJointOf, type ResolvedScene } from '../scene'
import type { RecordedInstant } from './instant'

type Simple = Exclude<ResolvedJoint, { type: 'gear' }>
type Acting = Partial<Pick<ResolvedJointOf<'hinge'>, 'limits' | 'motor' | 'servo' | 'drive' | 'spring'>>

/** Bodies that are absent then, and joints that appear later, keep their definition in the scene; joints that no longer hold are omitted. */
export function sceneAt(scene: ResolvedScene, instant: RecordedInstant): ResolvedScene {
  const { time, broken } = instant
  const comesLater = (joint: ResolvedJoint): boolean => joint.type !== 'gear' && (joint.spawnTime ?? 0) > time
  const isGone = (joint: ResolvedJoint): boolean => broken.includes(joint.id) || (joint.type !== 'gear' && (joint.removeTime ?? Infinity) <= time)
  const holds = (joint: ResolvedJoint): boolean => comesLater(joint) || !isGone(joint)
  const there = new Map(scene.joints.filter(holds).map(joint => [joint.id, joint]))
  const joints = [...there.values()]
    .filter(joint => joint.type !== 'gear' || (there.has(joint.jointA) && there.has(joint.jointB)))
    .map(joint => joint.type === 'gear' || comesLater(joint) ? joint : jointAt(joint, scene, instant))
  const kept = new Set(joints.map(({ id }) => id))
  return {
    ...scene, joints, bodies: scene.bodies.map(body => bodyAt(body, instant)), ...gravityAt(scene, time),
    parameters: scene.parameters.map(parameter => parameterAt(parameter, time)),
    sensors: scene.sensors.filter(sensor => sensor.type !== 'joint' || kept.has(sensor.joint)),
  }
}

function bodyAt(body: ResolvedBody, { bodies }: RecordedInstant): ResolvedBody {
  const state = bodies.get(body.id)
  if (state === undefined || Number.isNaN(state[0]!)) return body
  const three = (k: number): [number, number, number] => [state[k]!, state[k + 1]!, state[k + 2]!]
  return {
    ...body, spawnTime: 0, position: three(0), orientation: [state[3]!, state[4]!, state[5]!, state[6]!], linearVelocity: three(7), angularVelocity: three(10),
  }
}

function gravityAt({ gravity, gravityKeys }: ResolvedScene, time: number): Partial<ResolvedScene> {
  if (gravityKeys === undefined) return {}
  const track = new HeldTrack<Vec3>(gravity, gravityKeys.map(key => [key.time, key.gravity]))
  return { gravity: [...track.at(time)], gravityKeys: after(gravityKeys, time) }
}

/** The initial value is kept, because formulas have used it: scripts receive the current value by a key at 0. */
function parameterAt(parameter: ResolvedScene['parameters'][number], time: number): ResolvedScene['parameters'][number] {
  const { value, keys = [] } = parameter
  if (keys.length === 0) return parameter
  const held = new HeldTrack(value, keys.map(key => [key.time, key.value])).at(time)
  return { ...parameter, keys: [{ time: 0, value: held }, ...after(keys, time) ?? []] }
}

/** Later keys, relative to that time; absent if there are none. */
function after<Key extends { time: number }>(keys: Key[] | undefined, time: number): Key[] | undefined {
  const later = keys?.filter(key => key.time > time).map(key => ({ ...key, time: key.time - time }))
  return later?.length ? later : undefined
}

/** A body's pose in the joint's definition, and its present pose. */
interface Carried {
  readonly from: Pose
  readonly to: Pose
}

function jointAt(joint: Simple, scene: ResolvedScene, { time, bodies, joints }: RecordedInstant): Simple {
  const carried = (id: string | null, given: Pose | undefined): Carried => {
    const body = scene.bodies.find(one => one.id === id)
    const state = id === null ? undefined : bodies.get(id)
    if (body === undefined) return { from: IDENTITY_POSE, to: IDENTITY_POSE }
    const from = given ?? body
    return {
      from, to: state === undefined || Number.isNaN(state[0]!) ? from
        : { position: [state[0]!, state[1]!, state[2]!], orientation: [state[3]!, state[4]!, state[5]!, state[6]!] },
    }
  }
  const [a, b] = [carried(joint.bodyA, joint.poseA), carried(joint.bodyB, joint.poseB)]
  const { poseA: _a, poseB: _b, spawnTime: _spawn, ...rest } = joint
  const moved = { ...rest, anchor: point(a, joint.anchor) } as Simple
  switch (moved.type) {
    case 'hinge':
    case 'slider':
    case 'cylindrical':
      moved.axis = direction(a, moved.axis)
      break
    case 'universal':
      moved.axisA = direction(a, moved.axisA)
      moved.axisB = direction(b, moved.axisB)
      break
    case 'planar':
      moved.normal = direction(b, moved.normal)
      break
    case 'distance':
      moved.anchorB = point(b, moved.anchorB)
      break
    case 'pointOnCurve':
      moved.curve = curveAt(moved.curve, b)
  }
  if (moved.removeTime !== undefined) moved.removeTime -= time
  return countedFrom(moved, coordinatesAt(joint, a, b, joints.get(joint.id) ?? 0), time)
}

function coordinatesAt(joint: Simple, a: Carried, b: Carried, near: number): number[] {
  const motion = ({ position, orientation }: Pose) => motionAt(ZERO, position, orientation, ZERO, ZERO)
  const [bodyA, bodyB] = [joint.bodyA === null ? -1 : 0, joint.bodyB === null ? -1 : 1]
  const [A, B] = [bodyA < 0 ? WORLD_MOTION : motion(a.to), bodyB < 0 ? WORLD_MOTION : motion(b.to)]
  const constraint = jointConstraint({
    ...joint, bodyA, bodyB, initialA: bodyA < 0 ? WORLD_MOTION : motion(a.from), initialB: bodyB < 0 ? WORLD_MOTION : motion(b.from),
  } as Parameters<typeof jointConstraint>[0])
  return freedomsOf(joint).map((_, k) => constraint.coordinate(k, A, B, k === 0 && Number.isFinite(near) ? near : 0).position)
}

/** Loads along coordinates, with these values relative to their definition. */
function countedFrom(joint: Simple, positions: readonly number[], time: number): Simple {
  if (joint.type === 'pointOnCurve') return joint
  return freedomsOf(joint).reduce<Simple>((changed, freedom, k) => {
    const acting = actingAt(actingOn(changed, freedom), positions[k]!, time)
    return (freedom.field === null ? { ...changed, ...acting } : { ...changed, [freedom.field]: { ...actingOn(changed, freedom), ...acting } }) as Simple
  }, joint)
}

function actingAt({ limits, motor, servo, drive, spring }: Acting, position: number, time: number): Partial<Acting> {
  return {
    // At a stop the coordinate may exceed it by rounding.
    ...limits && {
      limits: {
        ...limits.lower === undefined ? {} : { lower: Math.min(0, limits.lower - position) },
        ...limits.upper === undefined ? {} : { upper: Math.max(0, limits.upper - position) },
      },
    },
    ...motor && {
      motor: {
        ...motor, keys: after(motor.keys, time),
        targetVelocity: new HeldTrack(motor.targetVelocity, motor.keys?.map(key => [key.time, key.targetVelocity])).at(time),
      },
    },
    ...servo && { servo: servoAt(servo, position, time) },
    ...drive && {
      drive: { ...drive, keys: after(drive.keys, time), force: new HeldTrack(drive.force, drive.keys?.map(key => [key.time, key.force])).at(time) },
    },
    ...spring && spring.stiffness > 0 && { spring: { ...spring, rest: spring.rest - position } },
  }
}

/** A smooth motion between two keys restarts from rest: the keys do not contain the speed. */
function servoAt(servo: NonNullable<Acting['servo']>, position: number, time: number): NonNullable<Acting['servo']> {
  const { keys = [], target, interpolation } = servo
  const now = keys.length === 0 || interpolation === 'hold'
    ? new HeldTrack(target, keys.map(key => [key.time, key.target])).at(time)
    : monotoneCurve([0, ...keys.map(key => key.time)], [target, ...keys.map(key => key.target)])(time)[0]
  return { ...servo, target: now - position, keys: after(keys, time)?.map(key => ({ ...key, target: key.target - position })) }
}

const point = ({ from, to }: Carried, given: Vec3): [number, number, number] => [...toOuter(to, toInner(from, given))]
const direction = ({ from, to }: Carried, given: Vec3): [number, number, number] => [...rotate(to.orientation, rotateInverse(from.orientation, given))]

function curveAt(curve: ResolvedCurve, b: Carried): ResolvedCurve {
  switch (curve.type) {
    case 'line': return { ...curve, point: point(b, curve.point), direction: direction(b, curve.direction) }
    case 'circle': return { ...curve, center: point(b, curve.center), normal: direction(b, curve.normal) }
    case 'ellipse': return { ...curve, center: point(b, curve.center), semiAxisA: direction(b, curve.semiAxisA), semiAxisB: direction(b, curve.semiAxisB) }
    case 'helix': return { ...curve, center: point(b, curve.center), axis: direction(b, curve.axis) }
    case 'spline': return { ...curve, points: curve.points.map(p => point(b, p)) }
    case 'formula': {
      const turn = multiplyQuaternions(b.to.orientation, conjugate(b.from.orientation))
      return { ...curve, center: point(b, curve.center), orientation: [...multiplyQuaternions(turn, curve.orientation)] as typeof curve.orientation }
    }
  }
}
