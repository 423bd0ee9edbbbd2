/** Actuators as drives of the scene: position servos, and velocity servos as motors with a force limit. */

import type { SceneDraft } from '../../shared/draft'
import { attributeNumber, attributeNumbers, placeOfNode, type XmlNode } from '../../shared/read-xml'
import type { TreeFreedom, TreeJoint } from '../../shared/tree'
import type { Model } from './model'
import type { Source } from './source'

/** @param ctrl control values of the keyframe, by actuator */
export function readActuators(source: Source, model: Model, draft: SceneDraft, ctrl: readonly number[], wanted: boolean): void {
  source.section('actuator').forEach((raw, i) => {
    const node = source.complete(raw, 'main')
    const where = placeOfNode(node)
    if (!wanted) {
      draft.losses.add(where, `A ${node.name} actuator`, 'nothing, as asked')
      return
    }
    const place = model.joints.get(node.attributes.get('joint') ?? '')
    const joint = place === undefined ? undefined : model.links[place.link]!.joints[place.index]!
    const control = clamped(node, ctrl[i] ?? 0, source)
    if (joint === undefined || joint.type === 'free' || joint.type === 'ball') {
      draft.losses.add(where, `A ${node.name} actuator that does not act on a hinge or slide`, 'nothing')
      return
    }
    const gear = attributeNumbers(node, 'gear')?.[0] ?? 1
    const servo = node.name === 'general' ? affine(node) : null
    if (node.name === 'position') {
      const [kp, kv] = [attributeNumber(node, 'kp', 1), attributeNumber(node, 'kv', 0)]
      if (node.attributes.has('dampratio')) draft.losses.add(where, 'Its dampratio, which depends on an inertia that changes with the motion', 'no damping of its own')
      position(node, joint, model, gear, { kp, kv, target: control }, draft)
    } else if (servo !== null) position(node, joint, model, gear, { ...servo, target: servo.target(control) }, draft)
    else if (node.name === 'velocity') velocity(node, joint, gear, control, draft)
    else draft.losses.add(where, `A ${node.name} actuator, whose control is set externally`, control === 0 ? 'a joint that moves freely' : `a joint that moves freely, without its control ${control}`)
  })
}

function limitOf(node: XmlNode, gear: number): number | null {
  const range = attributeNumbers(node, 'forcerange', 2)
  const limited = node.attributes.get('forcelimited') ?? 'auto'
  return range === null || limited === 'false' ? null : Math.min(Math.abs(range[0]!), Math.abs(range[1]!)) * Math.abs(gear)
}

/** Clamps the control to its range, if there is one. */
function clamped(node: XmlNode, control: number, source: Source): number {
  const range = attributeNumbers(node, 'ctrlrange', 2)
  const limited = node.attributes.get('ctrllimited') ?? 'auto'
  if (range === null || limited === 'false' || (limited === 'auto' && !source.flag('autolimits', true))) return control
  return Math.min(Math.max(control, range[0]!), range[1]!)
}

/** An actuator with force gain ctrl + b₀ + b₁ length + b₂ velocity and b₁ < 0 is a position servo; null for other laws. */
function affine(node: XmlNode): { kp: number; kv: number; target: (control: number) => number } | null {
  const fixed = (node.attributes.get('gaintype') ?? 'fixed') === 'fixed' && (node.attributes.get('dyntype') ?? 'none') === 'none'
  const [b0 = 0, b1 = 0, b2 = 0] = attributeNumbers(node, 'biasprm') ?? []
  if (!fixed || node.attributes.get('biastype') !== 'affine' || !(b1 < 0) || b2 > 0) return null
  const gain = attributeNumbers(node, 'gainprm')?.[0] ?? 1
  return { kp: -b1, kv: -b2, target: control => (gain * control + b0) / -b1 }
}

/**
 * Force gear (kp (target − gear q) − kv gear q̇): a servo with target/gear. A second servo of a joint becomes a spring about its target, with
 * damping.
 */
function position(
  node: XmlNode, joint: TreeJoint, model: Model, gear: number, servo: { readonly kp: number; readonly kv: number; readonly target: number }, draft: SceneDraft,
): void {
  const kp = servo.kp * gear * gear
  const kv = servo.kv * gear * gear
  const limit = limitOf(node, gear)
  const own = joint.freedom
  const rest = servo.target / gear - (model.references.get(joint) ?? 0)
  if (own.servo === undefined) {
    joint.freedom = { ...own, servo: { target: rest, stiffness: kp, damping: kv, ...limit === null ? {} : { maxForce: limit } } }
    draft.losses.add(placeOfNode(node), 'A position servo, whose target may be set externally', 'a servo at its present target')
    return
  }
  if (limit !== null) draft.losses.add(placeOfNode(node), 'The force limit of a second position servo', 'a spring without a force limit')
  const stiffness = own.stiffness + kp
  joint.freedom = {
    ...own, stiffness, rest: stiffness > 0 ? (own.stiffness * own.rest + kp * rest) / stiffness : 0, damping: own.damping + kv,
  }
  draft.losses.add(placeOfNode(node), 'A second position servo of a joint, whose target may be set externally', 'a spring about its present target')
}

/** Force gear kv (ctrl − gear q̇): a motor with a force limit; without a limit and with target 0, damping. */
function velocity(node: XmlNode, joint: TreeJoint, gear: number, control: number, draft: SceneDraft): void {
  const kv = attributeNumber(node, 'kv', 1) * gear * gear
  const limit = limitOf(node, gear)
  const own: TreeFreedom = joint.freedom
  if (limit !== null) {
    joint.freedom = { ...own, motor: { targetVelocity: control / gear, maxForce: limit } }
    draft.losses.add(placeOfNode(node), 'A velocity servo, whose velocity lags behind its target', 'a motor that holds the target velocity up to its force limit')
  } else if (control === 0) {
    joint.freedom = { ...own, damping: own.damping + kv }
  } else {
    draft.losses.add(placeOfNode(node), 'A velocity servo without a force limit', 'a joint that moves freely')
  }
}
