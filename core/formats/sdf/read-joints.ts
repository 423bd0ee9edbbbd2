/** Joints of SDFormat: the child's position relative to the parent, with axes in the joint's frame by default. */

import { composePoses, type Pose } from '../../math/pose'
import { dot, length, normalize, type Vec3 } from '../../math/vector'
import { rotate } from '../../math/quaternion'
import type { SceneDraft } from '../shared/draft'
import { childrenOf, placeOfNode, type XmlNode } from '../shared/read-xml'
import { freedomOf, type Lose } from '../shared/six-freedoms'
import type { Scope } from './frames'
import { addJointSensor } from './read-sensors'
import { at, booleanOf, numberOf, textOf, vectorOf } from './values'

/** The scene's body of a link; null for the world and for static links. */
export interface JointReader {
  readonly draft: SceneDraft
  /** Version of the file: axes are in the model's frame before 1.5. */
  readonly version: number
  readonly bodyOf: (scope: Scope, name: string) => string | null
  readonly moves: (body: string | null) => boolean
  /** Ids of joints by scope and name, for mimic joints. */
  readonly joints: Map<string, string>
}

/** A larger limit counts as none. */
const UNLIMITED = 1e15
/** Cosine up to which two axes count as perpendicular. */
const PERPENDICULAR = 1e-6

export const keyOf = (scope: Scope, name: string): string => [...scope.path, name].join('::')

/** Adds the joint to the draft, or records a loss. */
export function addJoint(node: XmlNode, scope: Scope, reader: JointReader): void {
  const { draft } = reader
  const where = placeOfNode(node)
  const lose: Lose = (message, instead) => draft.losses.add(where, message, instead)
  const type = node.attributes.get('type') ?? ''
  const [child, parent] = [textOf(at(node, 'child'), ''), textOf(at(node, 'parent'), '')]
  const [bodyA, bodyB] = [reader.bodyOf(scope, child), reader.bodyOf(scope, parent)]
  if (bodyA === bodyB || (!reader.moves(bodyA) && !reader.moves(bodyB))) {
    lose(bodyA === bodyB ? 'it joins a link to itself' : 'it joins two links that do not move', 'nothing')
    return
  }
  if (type === 'gearbox') return
  const name = node.attributes.get('name') ?? ''
  const frame = composePoses(scope.inWorld(), scope.poseOf(name))
  const base = { bodyA, bodyB }
  const anchor = frame.position
  const axis = at(node, 'axis')
  const axis2 = at(node, 'axis2')
  const free = (one: XmlNode | null) => freedomAt(one, lose)
  const add = (joint: Parameters<SceneDraft['joint']>[1]): void => {
    const id = draft.joint(name, joint)
    reader.joints.set(keyOf(scope, name), id)
    for (const sensor of childrenOf(node, 'sensor')) addJointSensor(sensor, id, draft)
  }
  switch (type) {
    case 'fixed':
      return add({ ...base, type: 'fixed', anchor })
    case 'ball':
      return add({ ...base, type: 'ball', anchor })
    case 'revolute':
    case 'continuous':
      return add({ ...base, type: 'hinge', anchor, axis: direction(axis, frame, scope, reader), ...type === 'revolute' ? free(axis) : withoutLimits(free(axis)) })
    case 'prismatic':
      return add({ ...base, type: 'slider', anchor, axis: direction(axis, frame, scope, reader), ...free(axis) })
    case 'universal':
    case 'revolute2': {
      const [onParent, onChild] = [direction(axis, frame, scope, reader), direction(axis2, frame, scope, reader)]
      const across = Math.abs(dot(normalize(onParent), normalize(onChild)))
      if (across > PERPENDICULAR) {
        lose(`two axes that are not perpendicular (cosine ${across.toPrecision(3)})`, 'nothing: the bodies are not joined')
        return
      }
      return add({ ...base, type: 'universal', anchor, axisB: onParent, axisA: onChild, rotationB: free(axis), rotationA: free(axis2) })
    }
    case 'screw': {
      const pitch = at(node, 'screw_thread_pitch') ?? at(node, 'thread_pitch')
      lose(`a screw${pitch === null ? '' : ` (${pitch.name} ${pitch.text})`} ties its translation to its rotation`, 'a cylindrical joint, whose translation and rotation are independent')
      return add({ ...base, type: 'cylindrical', anchor, axis: direction(axis, frame, scope, reader), rotation: free(axis) })
    }
  }
  lose(`a joint of type "${type}"`, 'nothing: the bodies are not joined')
}

/** Coupled joints: mimic joints, and gearboxes between two joints. */
export function addGears(node: XmlNode, scope: Scope, reader: JointReader): void {
  const { draft, joints } = reader
  const lose: Lose = (message, instead) => draft.losses.add(placeOfNode(node), message, instead)
  const name = node.attributes.get('name') ?? ''
  if (node.attributes.get('type') === 'gearbox') {
    addGearbox(node, scope, reader, lose)
    return
  }
  for (const axis of [at(node, 'axis'), at(node, 'axis2')]) {
    const mimic = at(axis, 'mimic')
    if (mimic === null) continue
    const follower = joints.get(keyOf(scope, name))
    const leader = joints.get(keyOf(scope, mimic.attributes.get('joint') ?? ''))
    const multiplier = numberOf(at(mimic, 'multiplier'), 1)
    const shift = numberOf(at(mimic, 'offset'), 0) - multiplier * numberOf(at(mimic, 'reference'), 0)
    const single = [follower, leader].every(id => ['hinge', 'slider'].includes(draft.joints.find(joint => joint.id === id)?.type ?? ''))
    if (follower === undefined || leader === undefined || !single || multiplier === 0) {
      lose(`it follows "${mimic.attributes.get('joint') ?? ''}" by ${multiplier}`, 'a joint that does not follow')
      continue
    }
    if (shift !== 0) lose(`it follows with an offset of ${shift}`, 'a gear that keeps the initial positions')
    draft.joint(`${name}-follows`, { type: 'gear', jointA: follower, jointB: leader, ratio: multiplier })
  }
}

/** θ₂ = −ratio θ₁, with θ₁ of the parent and θ₂ of the child about the reference body [SDFormat: gearbox_reference_body]. */
function addGearbox(node: XmlNode, scope: Scope, reader: JointReader, lose: Lose): void {
  const { draft, bodyOf } = reader
  const frame = composePoses(scope.inWorld(), scope.poseOf(node.attributes.get('name') ?? ''))
  const reference = at(node, 'gearbox_reference_body')
  const ratio = numberOf(at(node, 'gearbox_ratio'), 1)
  const hinge = (link: string, axis: XmlNode | null) => {
    const body = bodyOf(scope, link)
    const to = reference === null ? undefined : bodyOf(scope, reference.text)
    const found = draft.joints.find(joint => joint.type === 'hinge' && ((joint.bodyA === body && joint.bodyB === to) || (joint.bodyA === to && joint.bodyB === body)))
    if (found?.type !== 'hinge') return null
    const along = dot(normalize(direction(axis, frame, scope, reader)), normalize(found.axis))
    return { id: found.id, sign: (found.bodyA === body ? 1 : -1) * (along < -0.5 ? -1 : 1) }
  }
  const [first, second] = [hinge(textOf(at(node, 'parent'), ''), at(node, 'axis')), hinge(textOf(at(node, 'child'), ''), at(node, 'axis2'))]
  if (reference === null || first === null || second === null || ratio === 0) {
    lose('a gearbox without hinges between its links and the reference body', 'nothing: its links turn independently')
    return
  }
  draft.joint(node.attributes.get('name'), { type: 'gear', jointA: second.id, jointB: first.id, ratio: -ratio * first.sign * second.sign })
}

/** An axis in the world. */
function direction(axis: XmlNode | null, frame: Pose, scope: Scope, { version }: JointReader): Vec3 {
  const xyz = at(axis, 'xyz')
  const v = vectorOf(xyz, [0, 0, 1])
  const stated = xyz?.attributes.get('expressed_in') ?? ''
  const inModel = booleanOf(at(axis, 'use_parent_model_frame'), false) || version < 1.5
  const orientation = stated !== '' ? composePoses(scope.inWorld(), scope.poseOf(stated)).orientation : inModel ? scope.inWorld().orientation : frame.orientation
  return rotate(orientation, length(v) > 0 ? v : [0, 0, 1])
}

function freedomAt(axis: XmlNode | null, lose: Lose): ReturnType<typeof freedomOf> {
  const limit = at(axis, 'limit')
  const dynamics = at(axis, 'dynamics')
  const bound = (name: string, sign: number): number | undefined => {
    const value = numberOf(at(limit, name), sign * Infinity)
    return Math.abs(value) >= UNLIMITED ? undefined : value
  }
  const [lower, upper] = [bound('lower', -1), bound('upper', 1)]
  const speed = numberOf(at(limit, 'velocity'), Infinity)
  if (speed > 0 && speed < UNLIMITED) lose(`a largest speed of ${speed}`, 'none')
  if (numberOf(at(axis, 'initial_position'), 0) !== 0) lose(`its initial position is ${numberOf(at(axis, 'initial_position'), 0)}`, 'the position given by the poses of its links')
  return freedomOf({
    locked: false, ...lower === undefined ? {} : { lower }, ...upper === undefined ? {} : { upper }, stiffness: Math.max(0, numberOf(at(dynamics, 'spring_stiffness'), 0)),
    rest: numberOf(at(dynamics, 'spring_reference'), 0), damping: Math.max(0, numberOf(at(dynamics, 'damping'), 0)), friction: Math.max(0, numberOf(at(dynamics, 'friction'), 0)),
  }, 0, lose)
}

function withoutLimits({ limits: _, ...rest }: ReturnType<typeof freedomOf>): Omit<ReturnType<typeof freedomOf>, 'limits'> {
  return rest
}
