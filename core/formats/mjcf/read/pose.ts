/** Positions, and the five notations for orientations in MJCF. */

import { multiplyQuaternions, type Quat } from '../../../math/quaternion'
import type { Pose } from '../../../math/pose'
import { length, type Vec3 } from '../../../math/vector'
import { FormatError } from '../../shared/error'
import { attributeNumbers, placeOfNode, type XmlNode } from '../../shared/read-xml'
import { aboutAxis, fromWxyz, fromXyAxes, fromZTo, NO_TURN } from '../../shared/rotations'
import { vectorOf, type Source } from './source'

const AXES: Readonly<Record<string, Vec3>> = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] }

export function poseOf(source: Source, node: XmlNode): Pose {
  return { position: vectorOf(node, 'pos') ?? [0, 0, 0], orientation: orientationOf(source, node) }
}

/** Pose of a geom between two points (`fromto`): at the midpoint, with z along the segment. */
export function poseBetween([x, y, z, u, v, w]: readonly number[]): Pose {
  const along: Vec3 = [u! - x!, v! - y!, w! - z!]
  return { position: [(x! + u!) / 2, (y! + v!) / 2, (z! + w!) / 2], orientation: length(along) > 0 ? fromZTo(along) : NO_TURN }
}

/** @throws FormatError for a zero direction */
export function orientationOf(source: Source, node: XmlNode): Quat {
  const refused = (name: string) => new FormatError('InvalidValue', placeOfNode(node), `${name} does not give a direction.`, { value: node.attributes.get(name) })
  const quat = attributeNumbers(node, 'quat', 4)
  if (quat !== null) {
    const q = fromWxyz(quat)
    if (q === null) throw refused('quat')
    return q
  }
  const axisangle = attributeNumbers(node, 'axisangle', 4)
  if (axisangle !== null) {
    const [x, y, z, angle] = axisangle as [number, number, number, number]
    if (length([x, y, z]) === 0) throw refused('axisangle')
    return aboutAxis([x, y, z], angle * source.angle)
  }
  const xyaxes = attributeNumbers(node, 'xyaxes', 6)
  if (xyaxes !== null) {
    const [x, y] = [xyaxes.slice(0, 3), xyaxes.slice(3)] as unknown as [Vec3, Vec3]
    if (length(x) === 0 || length(y) === 0) throw refused('xyaxes')
    return fromXyAxes(x, y)
  }
  const zaxis = vectorOf(node, 'zaxis')
  if (zaxis !== null) {
    if (length(zaxis) === 0) throw refused('zaxis')
    return fromZTo(zaxis)
  }
  const euler = vectorOf(node, 'euler')
  return euler === null ? NO_TURN : eulerTurn(source, euler, node)
}

/** Lower-case letters are intrinsic rotations, upper-case letters extrinsic ones. */
function eulerTurn(source: Source, angles: Vec3, node: XmlNode): Quat {
  const order = source.setting('eulerseq', 'xyz')
  if (!/^[xyzXYZ]{3}$/.test(order)) throw new FormatError('InvalidValue', placeOfNode(node), `eulerseq "${order}" is not an order of axes.`, { allowed: 'three of x, y, z, X, Y, Z' })
  return [...order].reduce<Quat>((turned, letter, i) => {
    const turn = aboutAxis(AXES[letter.toLowerCase()]!, angles[i]! * source.angle)
    return letter === letter.toLowerCase() ? multiplyQuaternions(turned, turn) : multiplyQuaternions(turn, turned)
  }, NO_TURN)
}
