/** The joints of one link: as one joint of the scene if there is an equivalent, otherwise as a chain with nearly massless bodies in between. */

import { toOuter, type Pose } from '../../math/pose'
import { add, cross, dot, length, scale, sub, type Vec3 } from '../../math/vector'
import type { JointOf } from '../../scene'
import type { SceneDraft } from './draft'
import { componentsOf, MIN_INERTIA, MIN_MASS, principalInertia, type BodyMass } from './inertia'
import type { PlacedJoint, PlacedLink, TreeFreedom, TreeJoint, TreeLink } from './tree'

export interface JointDraft {
  readonly draft: SceneDraft
  readonly link: TreeLink
  readonly placed: PlacedLink
  readonly body: string
  /** null for the world. */
  readonly parent: string | null
  readonly mass: BodyMass | null
  readonly collide: boolean
}

type Freedom = Pick<JointOf<'hinge'>, 'limits' | 'motor' | 'servo' | 'damping' | 'friction' | 'spring'>

/** Mass and moments of an intermediate body, × those of the link's body: too small to affect the motion. */
const BETWEEN = 1e-8

/** The joint's id for each joint of the link; null if the scene has no separate coordinate for it. */
export function joinChain(at: JointDraft): (string | null)[] {
  const { link, placed } = at
  const joints = link.joints
  if (joints.length === 1) return [single(at, 0, at.body, at.parent)]
  const [first, second] = joints as [TreeJoint, TreeJoint]
  const [p, q] = placed.joints as [PlacedJoint, PlacedJoint]
  if (joints.length === 2 && first.type !== second.type && isAxial(first) && isAxial(second) && parallel(p.axis, q.axis)) {
    const hinge = first.type === 'hinge' ? 0 : 1
    cylindrical(at, hinge)
    return joints.map(() => null)
  }
  if (joints.length === 2 && first.type === 'hinge' && second.type === 'hinge' && perpendicular(p.axis, q.axis)
    && length(sub(p.anchor, q.anchor)) <= 1e-9 * (1 + length(p.anchor))) {
    universal(at)
    return joints.map(() => null)
  }
  if (isPlanar(joints, placed.joints)) {
    planar(at)
    return joints.map(() => null)
  }
  return chain(at)
}

const isAxial = ({ type }: TreeJoint): boolean => type === 'hinge' || type === 'slide'
const parallel = (a: Vec3, b: Vec3): boolean => length(cross(a, b)) <= 1e-9 * length(a) * length(b)
const perpendicular = (a: Vec3, b: Vec3): boolean => Math.abs(dot(a, b)) <= 1e-9 * length(a) * length(b)
const unit = (a: Vec3): Vec3 => scale(a, 1 / length(a))

function common(at: JointDraft, bodyA: string, bodyB: string | null): { bodyA: string; bodyB: string | null; collide?: true } {
  return { bodyA, bodyB, ...(at.collide ? { collide: true } : {}) }
}

function single(at: JointDraft, index: number, bodyA: string, bodyB: string | null): string {
  const { draft, link, placed } = at
  const joint = link.joints[index]!
  const { anchor, axis, position } = placed.joints[index]!
  const name = joint.name ?? `${link.name ?? at.body}.joint`
  if (joint.type === 'ball') {
    const { damping, friction, stiffness, lower, upper } = joint.freedom
    if (stiffness > 0) draft.losses.add(joint.where, 'A spring in a ball joint', 'the joint without it')
    if (lower !== undefined || upper !== undefined) draft.losses.add(joint.where, 'A limit of a ball joint', 'the joint without it')
    return draft.joint(name, { type: 'ball', ...common(at, bodyA, bodyB), anchor, ...(damping > 0 ? { damping } : {}), ...(friction > 0 ? { friction } : {}) })
  }
  const freedom = freedomOf(draft, joint, position[0]!)
  return joint.type === 'hinge'
    ? draft.joint(name, { type: 'hinge', ...common(at, bodyA, bodyB), anchor, axis: unit(axis), ...freedom })
    : draft.joint(name, { type: 'slider', ...common(at, bodyA, bodyB), anchor, axis: unit(axis), ...freedom })
}

/** In the scene, a joint's position counts from the initial pose. */
export function freedomOf(draft: SceneDraft, { freedom, where }: Pick<TreeJoint, 'freedom' | 'where'>, position: number): Freedom {
  const { lower, upper, damping, friction, stiffness, rest, motor, servo } = freedom
  const bound = (value: number | undefined, side: 'lower' | 'upper'): number | undefined => {
    if (value === undefined) return undefined
    const from = value - position
    if (side === 'lower' ? from <= 0 : from >= 0) return from
    draft.losses.add(where, `It starts beyond its ${side} limit, ${value}`, `a ${side} limit at the initial position`)
    return 0
  }
  const low = bound(lower, 'lower')
  const high = bound(upper, 'upper')
  return {
    ...(low === undefined && high === undefined ? {}
      : { limits: { ...(low === undefined ? {} : { lower: low }), ...(high === undefined ? {} : { upper: high }) } }),
    ...(motor === undefined ? {} : { motor }),
    ...(servo === undefined ? {} : { servo: { ...servo, target: servo.target - position } }),
    ...(damping > 0 ? { damping } : {}), ...(friction > 0 ? { friction } : {}),
    ...(stiffness > 0 ? { spring: { stiffness, ...(rest === position ? {} : { rest: rest - position }) } } : {}),
  }
}

function cylindrical(at: JointDraft, hinge: number): string {
  const { draft, link, placed, body, parent } = at
  const slide = 1 - hinge
  const [turning, sliding] = [link.joints[hinge]!, link.joints[slide]!]
  const [p, q] = [placed.joints[hinge]!, placed.joints[slide]!]
  // Both count along the hinge's axis; the slide is reversed if it is opposite.
  const along = dot(p.axis, q.axis) > 0 ? sliding : { ...sliding, freedom: reversed(sliding.freedom) }
  const position = dot(p.axis, q.axis) > 0 ? q.position[0]! : -q.position[0]!
  return draft.joint(stem(turning, sliding) ?? `${link.name ?? body}.joint`, {
    type: 'cylindrical', ...common(at, body, parent), anchor: p.anchor, axis: unit(p.axis),
    rotation: freedomOf(draft, turning, p.position[0]!), translation: freedomOf(draft, along, position),
  })
}

function reversed({ lower, upper, rest, motor, servo, ...freedom }: TreeFreedom): TreeFreedom {
  return {
    ...freedom, rest: -rest, ...(upper === undefined ? {} : { lower: -upper }), ...(lower === undefined ? {} : { upper: -lower }),
    ...(motor === undefined ? {} : { motor: { ...motor, targetVelocity: -motor.targetVelocity } }),
    ...(servo === undefined ? {} : { servo: { ...servo, target: -servo.target } }),
  }
}

/** The first hinge's axis is fixed in the parent, the second's in the body. */
function universal(at: JointDraft): string {
  const { draft, link, placed, body, parent } = at
  const [first, second] = link.joints as [TreeJoint, TreeJoint]
  const [p, q] = placed.joints as [PlacedJoint, PlacedJoint]
  return draft.joint(stem(first, second) ?? `${link.name ?? body}.joint`, {
    type: 'universal', ...common(at, body, parent), anchor: p.anchor, axisA: unit(q.axis), axisB: unit(p.axis),
    rotationA: freedomOf(draft, second, q.position[0]!), rotationB: freedomOf(draft, first, p.position[0]!),
  })
}

function isPlanar(joints: readonly TreeJoint[], placed: readonly PlacedJoint[]): boolean {
  if (joints.map(joint => joint.type).join(' ') !== 'slide slide hinge') return false
  const [x, y, n] = placed.map(joint => joint.axis) as [Vec3, Vec3, Vec3]
  const bare = joints.every(({ freedom: { lower, upper, damping, friction, stiffness, motor, servo } }) =>
    lower === undefined && upper === undefined && damping === 0 && friction === 0 && stiffness === 0 && motor === undefined && servo === undefined)
  return bare && perpendicular(x, y) && perpendicular(x, n) && perpendicular(y, n)
}

function planar(at: JointDraft): string {
  const { draft, link, placed, body, parent } = at
  const hinge = placed.joints[2]!
  const name = stem(link.joints[0]!, link.joints[2]!) ?? `${link.name ?? body}.joint`
  return draft.joint(name, { type: 'planar', ...common(at, body, parent), anchor: hinge.anchor, normal: unit(hinge.axis) })
}

/** Common prefix of two joint names before a colon: the exporter writes `name:rotation`. */
function stem(a: TreeJoint, b: TreeJoint): string | undefined {
  const of = (joint: TreeJoint) => joint.name?.includes(':') === true ? joint.name.slice(0, joint.name.lastIndexOf(':')) : joint.name
  return of(a) ?? of(b)
}

function chain(at: JointDraft): string[] {
  const { draft, link, placed, body, parent } = at
  const count = link.joints.length
  draft.losses.add(link.where, `It has ${count} joints`, `a chain of ${count} joints, with bodies of ${BETWEEN} of its mass in between`)
  const own = principalInertia(at.mass?.inertia ?? [0, 0, 0, 0, 0, 0, 0, 0, 0]).moments
  const arm = Math.max(...placed.joints.map(joint => length(sub(joint.anchor, toOuter(placed.pose, at.mass?.centerOfMass ?? [0, 0, 0])))))
  const mass = Math.max(MIN_MASS * BETWEEN, BETWEEN * (at.mass?.mass ?? MIN_MASS))
  const moment = Math.max(MIN_INERTIA * BETWEEN, BETWEEN * (Math.max(...own) + (at.mass?.mass ?? 0) * arm * arm))
  let below = parent
  return link.joints.map((joint, j) => {
    const last = j === link.joints.length - 1
    const carried = last ? body : between(at, joint, placed.stages[j + 1]!, placed.joints[j]!.anchor, mass, moment, j)
    const id = single(at, j, carried, below)
    below = carried
    return id
  })
}

function between(at: JointDraft, joint: TreeJoint, pose: Pose, anchor: Vec3, mass: number, moment: number, index: number): string {
  const { draft, link, placed } = at
  // Velocity from the parent, and from the joints up to this one.
  let velocity = placed.velocity
  let angular = placed.angularVelocity
  for (let k = link.joints.length - 1; k > index; k--) {
    const { anchor: point, axis, velocity: rate } = placed.joints[k]!
    const { type } = link.joints[k]!
    if (type === 'slide') {
      velocity = sub(velocity, scale(axis, rate[0]!))
    } else {
      const turn = type === 'hinge' ? scale(axis, rate[0]!) : rotated(placed.pose, rate)
      angular = sub(angular, turn)
      velocity = sub(velocity, cross(turn, sub(placed.pose.position, point)))
    }
  }
  const linear = add(velocity, cross(angular, sub(anchor, placed.pose.position)))
  return draft.body(`${link.name ?? at.body}.${joint.name ?? index + 1}`, {
    position: anchor, orientation: pose.orientation,
    ...(length(linear) > 0 ? { linearVelocity: linear } : {}), ...(length(angular) > 0 ? { angularVelocity: angular } : {}),
    mass: { mass, centerOfMass: [0, 0, 0], inertia: componentsOf([moment, 0, 0, 0, moment, 0, 0, 0, moment]) },
  })
}

function rotated(pose: Pose, rate: readonly number[]): Vec3 {
  return sub(toOuter(pose, [rate[0]!, rate[1]!, rate[2]!]), pose.position)
}

