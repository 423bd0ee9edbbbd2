/** The initial state of a scene: the model's reference configuration, or one of its keyframes. */

import { FormatError } from '../../shared/error'
import { attributeNumbers, placeOfNode, type XmlNode } from '../../shared/read-xml'
import { referenceState, type TreeJoint, type TreeLink, type TreeState } from '../../shared/tree'

const POSITIONS = { free: 7, ball: 4, hinge: 1, slide: 1 } as const
const VELOCITIES = { free: 6, ball: 3, hinge: 1, slide: 1 } as const

/** The key with this name or index; null if there is none. */
export function findKey(keys: readonly XmlNode[], wanted: string): XmlNode | null {
  return keys.find(key => key.attributes.get('name') === wanted) ?? (/^\d+$/.test(wanted) ? keys[Number(wanted)] : undefined) ?? null
}

/** @param references coordinate of each joint in the reference configuration @throws FormatError if the key does not fit the model */
export function stateOf(key: XmlNode | null, links: readonly TreeLink[], references: ReadonlyMap<TreeJoint, number>): TreeState {
  const reference = referenceState(links)
  if (key === null) return reference
  const qpos = attributeNumbers(key, 'qpos')
  const qvel = attributeNumbers(key, 'qvel')
  const joints = links.flatMap(link => link.joints)
  const require = (values: readonly number[] | null, sizes: Readonly<Record<TreeJoint['type'], number>>, name: string): void => {
    const wanted = joints.reduce((sum, { type }) => sum + sizes[type], 0)
    if (values === null || values.length === wanted) return
    throw new FormatError('InvalidValue', placeOfNode(key), `${name} has ${values.length} numbers, and the model ${wanted}.`, { value: values.length, allowed: String(wanted) })
  }
  require(qpos, POSITIONS, 'qpos')
  require(qvel, VELOCITIES, 'qvel')
  let at = 0
  const positions = qpos === null ? reference.positions : links.map(link => link.joints.map(joint => {
    const values = qpos.slice(at, at += POSITIONS[joint.type])
    if (joint.type === 'hinge' || joint.type === 'slide') return [values[0]! - (references.get(joint) ?? 0)]
    const from = joint.type === 'free' ? 3 : 0
    const size = Math.sqrt(values.slice(from).reduce((sum, value) => sum + value * value, 0))
    if (!(size > 0)) throw new FormatError('InvalidValue', placeOfNode(key), 'qpos holds a quaternion of length 0.', {})
    return values.map((value, i) => i < from ? value : value / size)
  }))
  at = 0
  const velocities = qvel === null ? reference.velocities : links.map(link => link.joints.map(({ type }) => qvel.slice(at, at += VELOCITIES[type])))
  return { positions, velocities }
}
