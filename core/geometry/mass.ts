/** Mass, centre of mass and inertia of a body made of primitives. */

import { addMatrices, scaleMatrix, type Mat3 } from '../math/matrix'
import { toOuter, type Pose } from '../math/pose'
import { toMatrix } from '../math/quaternion'
import { addScaled, scale, sub, ZERO, type Vec3 } from '../math/vector'
import { parallelAxis, turnInertia } from './mass-properties'
import type { Primitive } from './shape'

export interface SolidPart {
  readonly primitive: Pick<Primitive, 'massProperties'>
  /** In the body frame. */
  readonly pose: Pose
  /** kg/m³ */
  readonly density: number
}

export interface BodyMass {
  /** kg */
  readonly mass: number
  /** m, in the body frame. */
  readonly centerOfMass: Vec3
  /** About the centre of mass, along the body's axes, kg m². */
  readonly inertia: Mat3
}

/** Sums the parts; an overlap counts once for each part. Mass and inertia are infinite if any part is infinite. */
export function combineMass(parts: readonly SolidPart[]): BodyMass {
  const solids: BodyMass[] = []
  for (const { primitive, pose, density } of parts) {
    const own = primitive.massProperties
    if (own === null) return { mass: Infinity, centerOfMass: ZERO, inertia: [Infinity, 0, 0, 0, Infinity, 0, 0, 0, Infinity] }
    const inertia = turnInertia(toMatrix(pose.orientation), scaleMatrix(own.inertia, density))
    solids.push({ mass: own.volume * density, centerOfMass: toOuter(pose, own.centroid), inertia })
  }
  return joinMasses(solids)
}

/** Mass properties of several bodies, given in one frame, as one body. */
export function joinMasses(parts: readonly BodyMass[]): BodyMass {
  let mass = 0
  let moment: Vec3 = ZERO
  for (const part of parts) {
    mass += part.mass
    moment = addScaled(moment, part.centerOfMass, part.mass)
  }
  const centerOfMass = mass > 0 ? scale(moment, 1 / mass) : ZERO
  let inertia: Mat3 = [0, 0, 0, 0, 0, 0, 0, 0, 0]
  for (const part of parts) {
    inertia = addMatrices(inertia, addMatrices(part.inertia, parallelAxis(part.mass, sub(part.centerOfMass, centerOfMass))))
  }
  return { mass, centerOfMass, inertia }
}
