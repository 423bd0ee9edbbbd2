/** Joints of a URDF, each attached to its child link. */

import { length, perpendicular, cross, type Vec3 } from '../../math/vector'
import { FormatError } from '../shared/error'
import type { Losses } from '../shared/losses'
import { attributeNumber, attributeNumbers, childOf, numbersOf, placeOfNode, type XmlNode } from '../shared/read-xml'
import { FREE, type TreeFreedom, type TreeJoint } from '../shared/tree'

/** Larger bounds count as none: the format requires bounds for sliders. */
const ENDLESS = 1e5
const TYPES = 'fixed, revolute, continuous, prismatic, planar, floating, ball, universal'

/**
 * @param held whether its drive holds the joint in place, up to its effort limit
 * @throws FormatError for an unknown type, or a zero axis
 */
export function jointsOf(node: XmlNode, losses: Losses, held: boolean): TreeJoint[] {
  const where = placeOfNode(node)
  const name = node.attributes.get('name')
  const type = node.attributes.get('type') ?? ''
  const axisNode = childOf(node, 'axis')
  const stated = axisNode === null ? null : attributeNumbers(axisNode, 'xyz', 3)
  const axis = (stated ?? [1, 0, 0]) as unknown as Vec3
  const moves = type !== 'fixed' && type !== 'floating'
  if (moves && length(axis) === 0) throw new FormatError('InvalidValue', where, 'Its axis has no direction.', { value: axis })
  const size = length(axis)
  const unit: Vec3 = size === 1 || size === 0 ? axis : [axis[0] / size, axis[1] / size, axis[2] / size]
  tellRest(node, losses, held)
  const freedom = freedomOf(node, type === 'revolute' || type === 'prismatic', held)
  const one = (kind: TreeJoint['type'], along: Vec3, own: TreeFreedom, suffix = ''): TreeJoint =>
    ({ name: name === undefined ? undefined : `${name}${suffix}`, where, type: kind, anchor: [0, 0, 0], axis: along, freedom: own })
  switch (type) {
    case 'fixed':
      return []
    case 'floating':
      return [one('free', unit, FREE)]
    case 'revolute':
    case 'continuous':
      return [one('hinge', unit, freedom)]
    case 'prismatic':
      return [one('slide', unit, freedom)]
    case 'ball':
      return [one('ball', unit, { ...FREE, damping: freedom.damping })]
    case 'universal':
      return [one('hinge', [1, 0, 0], { ...FREE, damping: freedom.damping }, ':x'), one('hinge', [0, 1, 0], { ...FREE, damping: freedom.damping }, ':y')]
    case 'planar': {
      const x = perpendicular(unit)
      const damping = dampingOf(node)
      const at = (k: number): TreeFreedom => ({ ...FREE, damping: damping[k] ?? damping[0] ?? 0 })
      return [one('slide', x, at(0), ':x'), one('slide', cross(unit, x), at(1), ':y'), one('hinge', unit, at(2), ':rotation')]
    }
    case 'screw':
      losses.add(where, 'The thread of a screw joint, which couples its rotation and translation', 'a joint that rotates and slides freely')
      return [one('slide', unit, FREE, ':translation'), one('hinge', unit, { ...FREE, damping: freedom.damping }, ':rotation')]
    case 'curvilinear':
      losses.add(where, 'A curvilinear joint', 'a fixed joint')
      return []
    default:
      throw new FormatError('InvalidValue', where, `There is no joint of type "${type}".`, { value: type, allowed: TYPES })
  }
}

function dampingOf(node: XmlNode): number[] {
  const dynamics = childOf(node, 'dynamics')
  const text = dynamics?.attributes.get('damping')
  return dynamics === null || text === undefined ? [] : numbersOf(text, dynamics, 'damping', [1, 3])
}

function freedomOf(node: XmlNode, bounded: boolean, held: boolean): TreeFreedom {
  const dynamics = childOf(node, 'dynamics')
  const limit = bounded ? childOf(node, 'limit') : null
  const [lower, upper] = limit === null ? [undefined, undefined] : ['lower', 'upper'].map(side => attributeNumbers(limit, side, 1)?.[0])
  // In existing files, a limit element without bounds, or with both zero, means no limit.
  const none = limit === null || ((lower ?? 0) === 0 && (upper ?? 0) === 0)
  const open = (value: number): boolean => Math.abs(value) >= ENDLESS
  const stated = childOf(node, 'limit')
  const effort = held && stated !== null ? attributeNumber(stated, 'effort', 0) : 0
  return {
    ...(effort > 0 ? { motor: { targetVelocity: 0, maxForce: effort } } : {}),
    ...(none || open(lower ?? 0) ? {} : { lower: lower ?? 0 }), ...(none || open(upper ?? 0) ? {} : { upper: upper ?? 0 }),
    damping: dampingOf(node)[0] ?? 0, friction: dynamics === null ? 0 : attributeNumber(dynamics, 'friction', 0), stiffness: 0, rest: 0,
  }
}

function tellRest(node: XmlNode, losses: Losses, held: boolean): void {
  const where = placeOfNode(node)
  const limit = childOf(node, 'limit')
  const drive = ['effort', 'velocity'].filter(name => limit !== null && attributeNumber(limit, name, 0) !== 0 && attributeNumber(limit, name, 0) < ENDLESS)
  if (drive.length > 0) losses.add(where, `The largest ${drive.join(' and ')} of its drive`, held ? 'a drive that holds the joint still, with at most the effort' : 'a joint without a drive')
  for (const child of node.children) {
    if (!['origin', 'parent', 'child', 'axis', 'limit', 'dynamics', 'mimic'].includes(child.name)) losses.add(where, `Its <${child.name}>`, 'nothing')
  }
}
