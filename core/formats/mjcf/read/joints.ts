/** Joints of a body. Angles are in the compiler's unit; coordinates are relative to the reference configuration. */

import { length } from '../../../math/vector'
import { FormatError } from '../../shared/error'
import type { Losses } from '../../shared/losses'
import { attributeNumber, attributeNumbers, placeOfNode, type XmlNode } from '../../shared/read-xml'
import type { TreeFreedom, TreeJoint } from '../../shared/tree'
import { vectorOf, type Source } from './source'

/** Larger bounds count as none: the exporter writes a million for an open side. */
const ENDLESS = 1e5

export function readJoint(source: Source, node: XmlNode, losses: Losses): { readonly joint: TreeJoint; readonly reference: number } {
  const where = placeOfNode(node)
  const type = node.name === 'freejoint' ? 'free' : node.attributes.get('type') ?? 'hinge'
  if (type !== 'free' && type !== 'ball' && type !== 'hinge' && type !== 'slide') {
    throw new FormatError('InvalidValue', where, `There is no joint of type "${type}".`, { value: type, allowed: 'free, ball, hinge, slide' })
  }
  const axis = vectorOf(node, 'axis') ?? [0, 0, 1]
  if (length(axis) === 0) throw new FormatError('InvalidValue', where, 'Its axis has no direction.', { value: axis })
  const unit = type === 'hinge' || type === 'ball' ? source.angle : 1
  const reference = type === 'hinge' || type === 'slide' ? attributeNumber(node, 'ref', 0) * unit : 0
  const joint: TreeJoint = {
    name: node.attributes.get('name'), where, type, anchor: type === 'free' ? [0, 0, 0] : vectorOf(node, 'pos') ?? [0, 0, 0],
    axis: [axis[0] / length(axis), axis[1] / length(axis), axis[2] / length(axis)], freedom: freedomOf(source, node, unit, reference, losses),
  }
  return { joint, reference }
}

function freedomOf(source: Source, node: XmlNode, unit: number, reference: number, losses: Losses): TreeFreedom {
  const where = placeOfNode(node)
  const first = (name: string): number => {
    const values = attributeNumbers(node, name) ?? []
    if (values.slice(1).some(value => value !== 0)) losses.add(where, `Its ${name} has terms of higher order`, 'the linear one')
    return values[0] ?? 0
  }
  const range = attributeNumbers(node, 'range', 2)
  const limited = node.attributes.get('limited') ?? 'auto'
  const bounded = range !== null && (limited === 'true' || (limited === 'auto' && source.flag('autolimits', true) && (range[0] !== 0 || range[1] !== 0)))
  const armature = attributeNumber(node, 'armature', 0)
  if (armature !== 0) losses.add(where, `Its armature, ${armature}: the inertia of a rotor`, 'the joint without it')
  const stiffness = first('stiffness')
  const [low, high] = bounded ? range.map(value => value * unit) as [number, number] : [-Infinity, Infinity]
  return {
    ...(low > -ENDLESS ? { lower: low - reference } : {}), ...(high < ENDLESS ? { upper: high - reference } : {}),
    damping: first('damping'), friction: attributeNumber(node, 'frictionloss', 0), stiffness,
    rest: attributeNumber(node, 'springref', 0) * unit - reference,
  }
}
