/** Joints by their type in the scene. A gear couples two joints and is made by `gearJoint` from them. */

import { ballJoint, type BallSpec } from './ball'
import { cylindricalJoint, type CylindricalSpec } from './cylindrical'
import { distanceJoint, type DistanceSpec } from './distance'
import { fixedJoint, type FixedSpec } from './fixed'
import { hingeJoint, type HingeSpec } from './hinge'
import type { JointConstraint } from './joint'
import { planarJoint, type PlanarSpec } from './planar'
import { pointOnCurveJoint, type PointOnCurveSpec } from './point-on-curve'
import { sliderJoint, type SliderSpec } from './slider'
import { universalJoint, type UniversalSpec } from './universal'

export { gearJoint, type GearSpec } from './gear'
export { WORLD_MOTION, type Joined } from './frame'
export {
  bodiesOfJoint, evaluateJoint, JACOBIAN_WIDTH, DegenerateJointError, type JointConstraint, type JointCoordinate, type JointEquations, type JointPair,
} from './joint'
export { jointEquations } from './rows'
export { Assembly, connectedBodies, type AssemblyBody, type AssemblyCoordinate } from './assembly'

export type JointSpec =
  | BallSpec | HingeSpec | SliderSpec | FixedSpec | UniversalSpec | CylindricalSpec | PlanarSpec | DistanceSpec | PointOnCurveSpec

/** @throws RangeError naming the joint where an axis has no direction, axes are not perpendicular or a length is not positive */
export function jointConstraint(spec: JointSpec): JointConstraint {
  switch (spec.type) {
    case 'ball': return ballJoint(spec)
    case 'hinge': return hingeJoint(spec)
    case 'slider': return sliderJoint(spec)
    case 'fixed': return fixedJoint(spec)
    case 'universal': return universalJoint(spec)
    case 'cylindrical': return cylindricalJoint(spec)
    case 'planar': return planarJoint(spec)
    case 'distance': return distanceJoint(spec)
    case 'pointOnCurve': return pointOnCurveJoint(spec)
  }
}
