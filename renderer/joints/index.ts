/** All joint types in the order of menus. A missing one is a compile error. */

import type { Vec3 } from '../../core/math/vector'
import type { Joint, JointOf, JointType } from '../../core/scene'
import { ball } from './ball'
import type { CurveType } from './curves'
import { cylindrical } from './cylindrical'
import type { JointDescription, JointPlace } from './description'
import { distance } from './distance'
import { fixed } from './fixed'
import { gear } from './gear'
import { hinge } from './hinge'
import type { JointPen } from './pen'
import { planar } from './planar'
import { pointOnCurve } from './point-on-curve'
import { slider } from './slider'
import { universal } from './universal'

const JOINTS: { readonly [T in JointType]: JointDescription<JointOf<T>> } = {
  hinge, slider, ball, fixed, universal, cylindrical, planar, distance, pointOnCurve, gear,
}

/** The description of a joint's type. */
const describe = (type: JointType): JointDescription<Joint> => JOINTS[type] as JointDescription<Joint>

/** Texts for menus and forms. */
export const jointKind = (type: JointType): Pick<JointDescription<Joint>, 'label' | 'help' | 'axis' | 'hasTwoAnchors'> => describe(type)
export const jointTypes = Object.keys(JOINTS) as JointType[]

export function newJoint(
  type: Exclude<JointType, 'gear'>, id: string, bodyA: string, bodyB: string | null, anchor: Vec3, axis: Vec3, curve: CurveType = 'line',
  anchorB: Vec3 = [anchor[0], anchor[1], anchor[2] + 1],
): Joint {
  return describe(type).make!({ id, bodyA, bodyB, anchor }, axis, curve, anchorB)
}

/** Draws what is specific to the type; all joints also have their anchor and lines to their bodies. */
export function drawJoint(joint: Joint, place: JointPlace, pen: JointPen): void {
  describe(joint.type).draw?.(joint, place, pen)
}
