/** Mass, centre of mass and inertia of an `<inertial>` element. */

import { turnInertia } from '../../../geometry/mass-properties'
import { symmetric } from '../../../math/matrix'
import { composePoses, type Pose } from '../../../math/pose'
import { toMatrix } from '../../../math/quaternion'
import { FormatError } from '../../shared/error'
import type { BodyMass } from '../../shared/inertia'
import { attributeNumber, attributeNumbers, placeOfNode, type XmlNode } from '../../shared/read-xml'
import { poseOf } from './pose'
import type { Source } from './source'

/** Relative to the same frame as `frame`. @throws FormatError */
export function inertialOf(source: Source, node: XmlNode, frame: Pose): BodyMass {
  const pose = composePoses(frame, poseOf(source, node))
  const mass = attributeNumber(node, 'mass', 0)
  if (mass < 0) throw new FormatError('InvalidValue', placeOfNode(node), `A mass of ${mass} kg.`, { value: mass, allowed: 'a mass ≥ 0' })
  const full = attributeNumbers(node, 'fullinertia', 6)
  const diagonal = attributeNumbers(node, 'diaginertia', 3) ?? [0, 0, 0]
  const inertia = full === null ? symmetric(diagonal[0]!, diagonal[1]!, diagonal[2]!, 0, 0, 0)
    : symmetric(...full as [number, number, number, number, number, number])
  return { mass, centerOfMass: pose.position, inertia: turnInertia(toMatrix(pose.orientation), inertia) }
}
