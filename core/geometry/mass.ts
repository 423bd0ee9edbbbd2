/** Mass, centre of mass and inertia of a body put together from primitives. */

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

/** Sums the parts, overlaps counted twice as given. Mass is infinite (and the inertia too) where a part is infinite. */
export function combineMass(parts: readonly SolidPart[]): BodyMass {
  const solids = parts.map(({ primitive, pose, density }) => {
    const own = primitive.massProperties
    return own === null ? null : {
      mass: own.volume * density,
      center: toOuter(pose, own.centroid),
      inertia: turnInertia(toMatrix(pose.orientation), scaleMatrix(own.inertia, density)),
    }
  })
  let mass = 0
  let moment: Vec3 = ZERO
  for (const solid of solids) {
    if (solid === null) {
      const endless = [Infinity, 0, 0, 0, Infinity, 0, 0, 0, Infinity] as const
      return { mass: Infinity, centerOfMass: ZERO, inertia: endless }
    }
    mass += solid.mass
    moment = addScaled(moment, solid.center, solid.mass)
  }
  const centerOfMass = mass > 0 ? scale(moment, 1 / mass) : ZERO
  let inertia: Mat3 = [0, 0, 0, 0, 0, 0, 0, 0, 0]
  for (const solid of solids) {
    inertia = addMatrices(inertia, addMatrices(solid!.inertia, parallelAxis(solid!.mass, sub(solid!.center, centerOfMass))))
  }
  return { mass, centerOfMass, inertia }
}
