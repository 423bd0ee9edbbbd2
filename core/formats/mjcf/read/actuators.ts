/** Actuators as what the scene has of their kind: position servos are springs, velocity servos motors with a largest force. */

import type { SceneDraft } from '../../shared/draft'
import { attributeNumber, attributeNumbers, placeOfNode, type XmlNode } from '../../shared/read-xml'
import type { TreeFreedom, TreeJoint } from '../../shared/tree'
import type { Model } from './model'
import type { Source } from './source'

/** @param ctrl of the keyframe, by actuator */
export function readActuators(source: Source, model: Model, draft: SceneDraft, ctrl: readonly number[], wanted: boolean): void {
  source.section('actuator').forEach((raw, i) => {
    const node = source.complete(raw, 'main')
    const where = placeOfNode(node)
    if (!wanted) {
      draft.losses.add(where, `A ${node.name} actuator.`, 'nothing, as asked')
      return
    }
    const place = model.joints.get(node.attributes.get('joint') ?? '')
    const joint = place === undefined ? undefined : model.links[place.link]!.joints[place.index]!
    const control = ctrl[i] ?? 0
    if (joint === undefined || joint.type === 'free' || joint.type === 'ball') {
      draft.losses.add(where, `A ${node.name} actuator that acts otherwise than on a hinge or slide.`, 'nothing')
      return
    }
    const gear = attributeNumbers(node, 'gear')?.[0] ?? 1
    if (node.name === 'position') position(node, joint, model, gear, control, draft)
    else if (node.name === 'velocity') velocity(node, joint, gear, control, draft)
    else draft.losses.add(where, `A ${node.name} actuator, driven from outside.`, control === 0 ? 'a joint that moves freely' : `a joint that moves freely, without its control ${control}`)
  })
}

function limitOf(node: XmlNode, gear: number): number | null {
  const range = attributeNumbers(node, 'forcerange', 2)
  const limited = node.attributes.get('forcelimited') ?? 'auto'
  return range === null || limited === 'false' ? null : Math.min(Math.abs(range[0]!), Math.abs(range[1]!)) * Math.abs(gear)
}

/** Force gear (kp (ctrl − gear q) − kv gear q̇): a spring about ctrl/gear, and damping. */
function position(node: XmlNode, joint: TreeJoint, model: Model, gear: number, control: number, draft: SceneDraft): void {
  const kp = attributeNumber(node, 'kp', 1) * gear * gear
  const kv = attributeNumber(node, 'kv', 0) * gear * gear
  if (node.attributes.has('dampratio')) draft.losses.add(placeOfNode(node), 'Its dampratio, of an inertia that changes as it moves.', 'no damping of its own')
  if (limitOf(node, gear) !== null) draft.losses.add(placeOfNode(node), 'The largest force of a position servo.', 'a spring without a largest force')
  const own = joint.freedom
  const rest = control / gear - (model.references.get(joint) ?? 0)
  const stiffness = own.stiffness + kp
  joint.freedom = {
    ...own, stiffness, rest: stiffness > 0 ? (own.stiffness * own.rest + kp * rest) / stiffness : 0, damping: own.damping + kv,
  }
  draft.losses.add(placeOfNode(node), 'A position servo, whose target may be moved from outside.', 'a spring about its present target')
}

/** Force gear kv (ctrl − gear q̇): a motor with a largest force; without one, damping about rest. */
function velocity(node: XmlNode, joint: TreeJoint, gear: number, control: number, draft: SceneDraft): void {
  const kv = attributeNumber(node, 'kv', 1) * gear * gear
  const limit = limitOf(node, gear)
  const own: TreeFreedom = joint.freedom
  if (limit !== null) {
    joint.freedom = { ...own, motor: { targetVelocity: control / gear, maxForce: limit } }
    draft.losses.add(placeOfNode(node), 'A velocity servo, which lags behind its target.', 'a motor that holds it up to the largest force')
  } else if (control === 0) {
    joint.freedom = { ...own, damping: own.damping + kv }
  } else {
    draft.losses.add(placeOfNode(node), 'A velocity servo without a largest force.', 'a joint that moves freely')
  }
}
