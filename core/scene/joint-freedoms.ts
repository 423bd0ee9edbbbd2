/** The coordinates of each kind of joint, in the order in which they are recorded, and the fields with their limits and drives. */

import type { Joint, JointOf, JointType, ResolvedJoint, ResolvedJointOf } from './types'

export interface JointFreedom {
  /** Lower case, as in "hinge angle". */
  readonly label: string
  readonly unit: 'rad' | 'm'
  /** The field of the joint that contains them; null: the joint itself. */
  readonly field: string | null
}

const FREEDOMS: Readonly<Record<JointType, readonly JointFreedom[]>> = {
  hinge: [{ label: 'angle', unit: 'rad', field: null }],
  slider: [{ label: 'position', unit: 'm', field: null }],
  ball: [],
  fixed: [],
  universal: [{ label: 'angle about A', unit: 'rad', field: 'rotationA' }, { label: 'angle about B', unit: 'rad', field: 'rotationB' }],
  cylindrical: [{ label: 'angle', unit: 'rad', field: 'rotation' }, { label: 'position', unit: 'm', field: 'translation' }],
  planar: [],
  distance: [],
  pointOnCurve: [{ label: 'arc length', unit: 'm', field: null }],
  gear: [],
}

type ActingOn<Hinge extends JointOf<'hinge'>> = Pick<Hinge, 'damping' | 'friction'> & Partial<Pick<Hinge, 'limits' | 'motor' | 'servo' | 'drive' | 'spring'>>

export function freedomsOf({ type }: { readonly type: JointType }): readonly JointFreedom[] {
  return FREEDOMS[type]
}

/** Fields of limits, drives, springs, damping and friction of a coordinate; a bead on a curve has only the last two. */
export function actingOn(joint: ResolvedJoint, freedom: JointFreedom): ActingOn<ResolvedJointOf<'hinge'>>
export function actingOn(joint: Joint, freedom: JointFreedom): ActingOn<JointOf<'hinge'>>
export function actingOn(joint: Joint | ResolvedJoint, { field }: JointFreedom): object {
  return field === null ? joint : (joint as unknown as Record<string, object | undefined>)[field] ?? {}
}
