/**
 * Joints of the scene as SDFormat joints. The child is A, so that positions are those of A relative to B. If A is static, B is the child and axes are
 * reversed.
 */

import { relativePose, type Pose } from '../../math/pose'
import { negate, type Vec3 } from '../../math/vector'
import type { ResolvedBody, ResolvedJoint, ResolvedJointOf, ResolvedScene } from '../../scene'
import type { Losses } from '../shared/losses'
import { localDirection } from '../shared/rotations'
import type { SensorWriter } from './write-sensors'
import { poseTag, tag, type SdfElement } from './text'

type Freedom = Pick<ResolvedJointOf<'hinge'>, 'limits' | 'motor' | 'damping' | 'friction' | 'spring'>

const UNLIMITED = 1e16
/** Gazebo's plugin that holds a joint at a velocity. */
export const CONTROLLER = { filename: 'gz-sim-joint-controller-system', name: 'gz::sim::systems::JointController' } as const

export interface JointContext {
  /** JSON path of the joint. */
  readonly where: string
  readonly bodies: ReadonlyMap<string, ResolvedBody>
  /** The gear by which this joint follows another one: that joint and the ratio. */
  readonly follows: { readonly joint: string; readonly ratio: number } | undefined
  /** Name of a body's link within the model of the joint. */
  readonly linkOf: (body: string) => string
  readonly sensors: SensorWriter
  readonly losses: Losses
}

export interface WrittenJoint {
  readonly joint: SdfElement
  readonly plugins: readonly SdfElement[]
}

/** Null, with a loss, if SDFormat has no such joint. */
export function jointElement(joint: Exclude<ResolvedJoint, { type: 'gear' }>, context: JointContext): WrittenJoint | null {
  const { where, losses, bodies, linkOf } = context
  const moving = (id: string | null): boolean => id !== null && bodies.get(id)!.type !== 'fixed'
  if (!moving(joint.bodyA) && !moving(joint.bodyB)) {
    losses.add(where, 'it joins two bodies that do not move', 'nothing')
    return null
  }
  const turned = !moving(joint.bodyA)
  const [childId, parentId] = turned ? [joint.bodyB!, joint.bodyA] : [joint.bodyA!, joint.bodyB]
  const child = bodies.get(childId)!
  if (parentId !== null && !moving(parentId)) losses.add(`${where}.${turned ? 'bodyA' : 'bodyB'}`, `"${parentId}" is in a model of its own, which does not move`, 'a joint to the world')
  if (joint.collide) losses.add(`${where}.collide`, 'SDFormat has no contact between two joined links', 'links that do not')
  const frame: Pose = relativePose(child, { position: joint.anchor, orientation: child.orientation })
  const plugins: SdfElement[] = []
  const axis = (name: string, direction: Vec3, freedom: Freedom, path: string): SdfElement => {
    if (freedom.motor !== undefined && freedom.motor.maxForce > 0) {
      plugins.push(tag('plugin', [
        tag('joint_name', joint.id), ...name === 'axis' ? [] : [tag('joint_index', 1)], tag('initial_velocity', freedom.motor.targetVelocity),
      ], CONTROLLER))
    }
    return axisElement(name, localDirection(child, turned ? negate(direction) : direction), freedom, path, context)
  }
  const make = (type: string, axes: readonly SdfElement[] = []): WrittenJoint => ({
    joint: tag('joint', [poseTag(frame), tag('parent', moving(parentId) ? linkOf(parentId!) : 'world'), tag('child', linkOf(childId)), ...axes, ...context.sensors.ofJoint(joint.id, turned)], { name: joint.id, type }),
    plugins,
  })
  switch (joint.type) {
    case 'fixed':
      return make('fixed')
    case 'ball':
      for (const key of ['damping', 'friction'] as const) if (joint[key] > 0) losses.add(`${where}.${key}`, `SDFormat has no ${key} in ball joints`, 'none')
      return make('ball')
    case 'hinge':
      return make(joint.limits === undefined && context.follows === undefined ? 'continuous' : 'revolute', [axis('axis', joint.axis, joint, where)])
    case 'slider':
      return make('prismatic', [axis('axis', joint.axis, joint, where)])
    case 'universal': {
      const [onParent, onChild] = turned ? ['A', 'B'] as const : ['B', 'A'] as const
      return make('universal', [
        axis('axis', joint[`axis${onParent}`], joint[`rotation${onParent}`], `${where}.rotation${onParent}`),
        axis('axis2', joint[`axis${onChild}`], joint[`rotation${onChild}`], `${where}.rotation${onChild}`),
      ])
    }
    default:
      losses.add(where, `SDFormat has no ${joint.type} joint`, 'nothing: the bodies are not joined')
      return null
  }
}

function axisElement(
  name: string, xyz: Vec3, { limits, motor, damping, friction, spring }: Freedom, where: string, { follows, losses }: JointContext,
): SdfElement {
  const driven = motor !== undefined && motor.maxForce > 0
  if (follows !== undefined && name !== 'axis') losses.add(where, 'a gear on a universal joint', 'nothing')
  return tag(name, [
    tag('xyz', xyz),
    tag('limit', [tag('lower', limits?.lower ?? -UNLIMITED), tag('upper', limits?.upper ?? UNLIMITED), driven ? tag('effort', motor.maxForce) : null]),
    tag('dynamics', [
      tag('damping', damping), tag('friction', friction), tag('spring_reference', spring.stiffness > 0 ? spring.rest : 0), tag('spring_stiffness', spring.stiffness),
    ]),
    follows === undefined ? null : tag('mimic', [tag('multiplier', follows.ratio), tag('offset', 0), tag('reference', 0)], { joint: follows.joint, axis: 'axis' }),
  ])
}

/** By joint: the first gear by which it follows another one. */
export function followers(scene: ResolvedScene, losses: Losses): ReadonlyMap<string, { readonly joint: string; readonly ratio: number }> {
  const found = new Map<string, { readonly joint: string; readonly ratio: number }>()
  const moving = new Set(scene.bodies.filter(({ type }) => type !== 'fixed').map(({ id }) => id as string | null))
  const written = new Set(scene.joints.filter(joint => joint.type !== 'gear' && (moving.has(joint.bodyA) || moving.has(joint.bodyB))).map(({ id }) => id))
  scene.joints.forEach((joint, i) => {
    if (joint.type !== 'gear') return
    if (!written.has(joint.jointA) || !written.has(joint.jointB)) {
      losses.add(`joints[${i}]`, 'it couples a joint of two bodies that do not move', 'nothing: the other joint turns independently')
      return
    }
    const reversed = found.has(joint.jointA)
    const [follower, leader, ratio] = reversed ? [joint.jointB, joint.jointA, 1 / joint.ratio] : [joint.jointA, joint.jointB, joint.ratio]
    if (found.has(follower)) losses.add(`joints[${i}]`, 'a joint in SDFormat follows one other at most', 'nothing: the two joints turn independently')
    else found.set(follower, { joint: leader, ratio })
  })
  return found
}
