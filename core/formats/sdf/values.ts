/** Values of SDFormat elements: text between tags, with defaults for absent elements. */

import { IDENTITY_POSE, type Pose } from '../../math/pose'
import type { Quat } from '../../math/quaternion'
import type { Vec3 } from '../../math/vector'
import { FormatError } from '../shared/error'
import { childOf, numbersOf, placeOfNode, type XmlNode } from '../shared/read-xml'
import { fromRollPitchYaw, unit } from '../shared/rotations'

const DEGREE = Math.PI / 180

/** The element at a path of names, or null. */
export function at(node: XmlNode | null, ...names: readonly string[]): XmlNode | null {
  let found = node
  for (const name of names) found = found === null ? null : childOf(found, name)
  return found
}

export function textOf(node: XmlNode | null, absent: string): string {
  return node === null || node.text === '' ? absent : node.text
}

/** @throws FormatError if it is not a number */
export function numberOf(node: XmlNode | null, absent: number): number {
  if (node === null || node.text === '') return absent
  const word = node.text.toLowerCase()
  if (/^[+-]?inf(inity)?$/.test(word)) return word.startsWith('-') ? -Infinity : Infinity
  return numbersOf(node.text, node, node.name, [1])[0]!
}

export function booleanOf(node: XmlNode | null, absent: boolean): boolean {
  return node === null || node.text === '' ? absent : node.text === 'true' || node.text === '1'
}

export function vectorOf(node: XmlNode | null, absent: Vec3): Vec3 {
  return node === null || node.text === '' ? absent : numbersOf(node.text, node, node.name, [3]) as unknown as Vec3
}

/** A pose element as written, without regard to its frame. @throws FormatError */
export function poseValue(node: XmlNode | null): Pose {
  if (node === null || node.text === '') return IDENTITY_POSE
  const quaternion = node.attributes.get('rotation_format') === 'quat_xyzw'
  const values = numbersOf(node.text, node, 'pose', [quaternion ? 7 : 6])
  const position = values.slice(0, 3) as unknown as Vec3
  if (quaternion) {
    const orientation = unit(values.slice(3) as unknown as Quat)
    if (orientation === null) throw new FormatError('InvalidValue', placeOfNode(node), 'A quaternion of length 0 is not a rotation.', { value: node.text, allowed: 'a unit quaternion' })
    return { position, orientation }
  }
  const factor = node.attributes.get('degrees') === 'true' ? DEGREE : 1
  const angles = values.slice(3).map(angle => angle * factor) as unknown as Vec3
  return { position, orientation: angles.every(angle => angle === 0) ? [0, 0, 0, 1] : fromRollPitchYaw(angles) }
}
