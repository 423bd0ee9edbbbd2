/** What the recorded coordinates of a joint are, in their order; the same as `core/dynamics/joints` records. */

import type { Joint } from '../../core/scene'

export interface JointCoordinate {
  /** Lower case, as in "hinge angle". */
  readonly label: string
  readonly unit: 'rad' | 'm'
}

const ANGLE: JointCoordinate = { label: 'angle', unit: 'rad' }
const SLIDE: JointCoordinate = { label: 'position', unit: 'm' }

export function jointCoordinates(joint: Joint): readonly JointCoordinate[] {
  switch (joint.type) {
    case 'hinge': return [ANGLE]
    case 'slider': return [SLIDE]
    case 'universal': return [{ label: 'angle about A', unit: 'rad' }, { label: 'angle about B', unit: 'rad' }]
    case 'cylindrical': return [ANGLE, SLIDE]
    case 'pointOnCurve': return [{ label: 'way along the curve', unit: 'm' }]
    default: return []
  }
}
