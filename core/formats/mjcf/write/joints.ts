/** Joints in MJCF: branches of the tree as `<joint>` elements with their part of the keyframe, all others as equalities. */

import type { Pose } from '../../../math/pose'
import { IDENTITY_POSE, toInner } from '../../../math/pose'
import { add, addScaled, cross, dot, length, negate, normalize, perpendicular, sub, ZERO, type Vec3 } from '../../../math/vector'
import type { ResolvedBody, ResolvedJoint, ResolvedJointOf } from '../../../scene'
import type { Loss } from '../../format'
import { element, type XmlElement } from '../../shared/write-xml'
import { localDirection } from '../../shared/rotations'
import type { BranchJoint } from '../../shared/body-tree'

type Freedom = Pick<ResolvedJointOf<'hinge'>, 'limits' | 'motor' | 'servo' | 'damping' | 'friction' | 'spring'>

/** The contributions of one branch to the file. */
export interface Branch {
  readonly joints: readonly XmlElement[]
  readonly actuators: readonly XmlElement[]
  /** Generalised positions and velocities of the keyframe, and controls of the actuators. */
  readonly qpos: readonly number[]
  readonly qvel: readonly number[]
  readonly ctrl: readonly number[]
}

/** Motion of a body: centre of mass, its velocity, and angular velocity, in the world frame. */
export interface Moving {
  readonly center: Vec3
  readonly velocity: Vec3
  readonly angularVelocity: Vec3
}

export const AT_REST: Moving = { center: ZERO, velocity: ZERO, angularVelocity: ZERO }

const NOTHING: Freedom = { damping: 0, friction: 0, spring: { stiffness: 0, rest: 0 } } as Freedom
/** rad or m: bound written for the open side of a one-sided limit. */
const UNLIMITED = 1e6
/** Equalities are springs in MuJoCo. These are as stiff as millisecond steps allow: time constant of two steps, critically damped. */
const STIFF = { solref: [0.002, 1], solimp: [0.999, 0.9999, 0.001] } as const
/** × the speeds of two bodies: smaller relative velocities count as zero. */
const SAME_SPEED = 1e-9
/** Relative error of a motor's velocity at its largest force. */
const MOTOR_SLACK = 0.01

const poseOf = (body: ResolvedBody): Pose => ({ position: body.position, orientation: body.orientation })

/**
 * @param child the child body
 * @param childIsA the scene's position is that of A relative to B, so that a child B has its axes reversed
 */
export function branch(joint: BranchJoint, child: ResolvedBody, childIsA: boolean, a: Moving, b: Moving): Branch {
  const sign = childIsA ? 1 : -1
  const pos = toInner(poseOf(child), joint.anchor)
  const relative = sub(a.angularVelocity, b.angularVelocity)
  const slide = sub(velocityAt(a, joint.anchor), velocityAt(b, joint.anchor))
  const one = (type: 'hinge' | 'slide', axis: Vec3, name: string, freedom: Freedom): Branch => ({
    joints: [element('joint', {
      name, type, pos, axis: localDirection(poseOf(child), childIsA ? axis : negate(axis)), ...range(freedom),
      damping: freedom.damping || undefined, frictionloss: freedom.friction || undefined,
      stiffness: freedom.spring.stiffness || undefined, springref: freedom.spring.stiffness > 0 ? freedom.spring.rest : undefined,
    })],
    ...driven(name, freedom),
    qpos: [0], qvel: [dot(axis, type === 'hinge' ? relative : slide)],
  })
  switch (joint.type) {
    case 'fixed':
      return join([])
    case 'hinge':
      return one('hinge', joint.axis, joint.id, joint)
    case 'slider':
      return one('slide', joint.axis, joint.id, joint)
    case 'ball':
      return {
        joints: [element('joint', { name: joint.id, type: 'ball', pos, damping: joint.damping || undefined, frictionloss: joint.friction || undefined })],
        actuators: [], ctrl: [], qpos: [1, 0, 0, 0], qvel: localDirection(poseOf(child), [sign * relative[0], sign * relative[1], sign * relative[2]]),
      }
    case 'cylindrical':
      return join([
        one('slide', joint.axis, `${joint.id}:translation`, joint.translation), one('hinge', joint.axis, `${joint.id}:rotation`, joint.rotation),
      ])
    case 'universal': {
      // In MuJoCo earlier joints rotate later ones: the parent's axis comes first.
      const onA = one('hinge', joint.axisA, `${joint.id}:a`, joint.rotationA)
      const onB = one('hinge', joint.axisB, `${joint.id}:b`, joint.rotationB)
      return join(childIsA ? [onB, onA] : [onA, onB])
    }
    case 'planar': {
      const x = perpendicular(joint.normal)
      return join([
        one('slide', x, `${joint.id}:x`, NOTHING), one('slide', cross(joint.normal, x), `${joint.id}:y`, NOTHING),
        one('hinge', joint.normal, `${joint.id}:rotation`, NOTHING),
      ])
    }
  }
}

/** Whether the joint permits the initial relative velocity of its bodies: MuJoCo has only joint velocities. */
export function lets(joint: BranchJoint, a: Moving, b: Moving): boolean {
  const turning = sub(a.angularVelocity, b.angularVelocity)
  const sliding = sub(velocityAt(a, joint.anchor), velocityAt(b, joint.anchor))
  const least = SAME_SPEED * (1 + length(a.velocity) + length(b.velocity) + length(a.angularVelocity) + length(b.angularVelocity))
  const none = (v: Vec3): boolean => length(v) <= least
  const along = (v: Vec3, axis: Vec3): boolean => length(cross(v, normalize(axis))) <= least
  const across = (v: Vec3, axis: Vec3): boolean => Math.abs(dot(v, normalize(axis))) <= least
  switch (joint.type) {
    case 'fixed': return none(turning) && none(sliding)
    case 'hinge': return along(turning, joint.axis) && none(sliding)
    case 'slider': return none(turning) && along(sliding, joint.axis)
    case 'ball': return none(sliding)
    case 'cylindrical': return along(turning, joint.axis) && along(sliding, joint.axis)
    case 'universal': return across(turning, cross(joint.axisA, joint.axisB)) && none(sliding)
    case 'planar': return along(turning, joint.normal) && across(sliding, joint.normal)
  }
}

function join(parts: readonly Branch[]): Branch {
  return {
    joints: parts.flatMap(part => part.joints), actuators: parts.flatMap(part => part.actuators), ctrl: parts.flatMap(part => part.ctrl),
    qpos: parts.flatMap(part => part.qpos), qvel: parts.flatMap(part => part.qvel),
  }
}

function velocityAt(body: Moving, point: Vec3): Vec3 {
  return add(body.velocity, cross(body.angularVelocity, sub(point, body.center)))
}

function range({ limits }: Freedom): { range?: readonly number[]; limited?: boolean } {
  if (limits === undefined || (limits.lower === undefined && limits.upper === undefined)) return {}
  return { limited: true, range: [limits.lower ?? -UNLIMITED, limits.upper ?? UNLIMITED] }
}

/** The motor and the servo of a joint. */
function driven(joint: string, freedom: Freedom): Pick<Branch, 'actuators' | 'ctrl'> {
  const [own, held] = [motor(joint, freedom), servo(joint, freedom)]
  return { actuators: [...own.actuators, ...held.actuators], ctrl: [...own.ctrl, ...held.ctrl] }
}

/** Force kp (ctrl − q) − kv q̇. */
function servo(joint: string, { servo: drive }: Freedom): Pick<Branch, 'actuators' | 'ctrl'> {
  if (drive === undefined || drive.maxForce === 0) return { actuators: [], ctrl: [] }
  const { target, stiffness, damping, maxForce } = drive
  const bound = maxForce === undefined ? {} : { forcelimited: true, forcerange: [-maxForce, maxForce] }
  return {
    actuators: [element('position', { name: `${joint}:servo`, joint, kp: stiffness, kv: damping, ...bound })], ctrl: [target],
  }
}

function motor(joint: string, { motor: drive }: Freedom): Pick<Branch, 'actuators' | 'ctrl'> {
  if (drive === undefined || drive.maxForce === 0) return { actuators: [], ctrl: [] }
  const kv = drive.maxForce / (MOTOR_SLACK * Math.max(Math.abs(drive.targetVelocity), 0.1))
  return {
    actuators: [element('velocity', { name: `${joint}:motor`, joint, kv, forcelimited: true, forcerange: [-drive.maxForce, drive.maxForce] })],
    ctrl: [drive.targetVelocity],
  }
}

export interface LoopElements {
  readonly equalities: readonly XmlElement[]
  readonly tendons: readonly XmlElement[]
  /** Sites by body index, −1 for the world. */
  readonly sites: readonly { readonly body: number; readonly element: XmlElement }[]
  readonly losses: readonly Loss[]
}

const NO_LOOP: LoopElements = { equalities: [], tendons: [], sites: [], losses: [] }

/** A joint that is not a branch. @param indexOf index of a body by its id */
export function loop(joint: ResolvedJoint, index: number, bodies: readonly ResolvedBody[], indexOf: (id: string) => number): LoopElements {
  const path = `joints[${index}]`
  if (joint.type === 'gear') {
    return { ...NO_LOOP, equalities: [element('joint', { name: joint.id, joint1: joint.jointA, joint2: joint.jointB, polycoef: [0, joint.ratio, 0, 0, 0], ...STIFF })] }
  }
  const places = [joint.bodyA, joint.bodyB].map(id => id === null ? -1 : indexOf(id)) as [number, number]
  const [body1, body2] = [joint.bodyA ?? joint.bodyB!, joint.bodyA === null ? undefined : joint.bodyB ?? undefined]
  const first = poseOf(bodies[places[0] >= 0 ? places[0] : places[1]]!)
  // A weld's anchor is in its second body, which is the world if only one is given.
  const second = body2 === undefined ? IDENTITY_POSE : poseOf(bodies[places[1]]!)
  const connect = (point: Vec3, name: string) => element('connect', { name, body1, body2, anchor: toInner(first, point), ...STIFF })
  switch (joint.type) {
    case 'ball':
      return { ...NO_LOOP, equalities: [connect(joint.anchor, joint.id)] }
    case 'hinge':
      return {
        ...NO_LOOP,
        equalities: [connect(joint.anchor, `${joint.id}:1`), connect(addScaled(joint.anchor, normalize(joint.axis), 0.1), `${joint.id}:2`)],
      }
    case 'fixed':
      return { ...NO_LOOP, equalities: [element('weld', {
          name: joint.id, body1, body2, anchor: toInner(second, joint.anchor), ...STIFF,
        })] }
    case 'distance': {
      const site = (place: number, point: Vec3, name: string) => ({
        body: place, element: element('site', { name, pos: place < 0 ? point : toInner(poseOf(bodies[place]!), point) }),
      })
      return {
        ...NO_LOOP,
        sites: [site(places[0], joint.anchor, `${joint.id}:a`), site(places[1], joint.anchorB, `${joint.id}:b`)],
        tendons: [element('spatial', { name: joint.id }, [element('site', { site: `${joint.id}:a` }), element('site', { site: `${joint.id}:b` })])],
        equalities: [element('tendon', { name: joint.id, tendon1: joint.id, ...STIFF })],
      }
    }
    default:
      return {
        ...NO_LOOP,
        losses: [{ path, message: `MuJoCo has no joint of type ${joint.type}`, instead: 'nothing: the bodies are not joined' }],
      }
  }
}
