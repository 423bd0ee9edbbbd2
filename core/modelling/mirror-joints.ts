/** Mirrors joints and their curves. */

import type { Vec3 } from '../math/vector'
import type { Curve, Joint } from '../scene'
import { ModellingError } from './fault'
import { negatedCoordinate } from './mirror-coordinate'
import { mirroredExpressions, OF_JOINTS } from './mirror-expressions'
import { negated } from './mirror-formulas'
import { AXES, type MirrorImage } from './mirror-image'

/** Keys of a joint's directions. Axes of rotation are axial, so angles keep their sense; directions of sliding are polar. */
const AXIAL: readonly string[] = ['axisA', 'axisB', 'normal']

/** @throws ModellingError for a joint that has no mirror image */
export function mirroredJoint(joint: Exclude<Joint, { type: 'gear' }>, image: MirrorImage): Joint {
  const refused = (why: string) => new ModellingError('invalid', joint.bodyA, `Joint "${joint.name ?? joint.id}" ${why}`)
  const expressions = joint.expressions && mirroredExpressions(joint.expressions, OF_JOINTS, image,
    field => refused(`follows a formula in ${field}, which has no mirror image: formulas of anchors, lengths, damping and friction have one`))
  const copy = { ...joint, ...expressions ? { expressions } : {}, anchor: image.point(joint.anchor) } as Record<string, unknown> & typeof joint
  const record = copy as Record<string, unknown>
  for (const key of AXIAL) if (record[key] !== undefined) record[key] = image.axial(record[key] as Vec3)
  for (const side of ['poseA', 'poseB'] as const) {
    const pose = joint[side]
    if (pose) copy[side] = { position: image.point(pose.position), ...pose.orientation ? { orientation: image.turned(pose.orientation) } : {} }
  }
  switch (copy.type) {
    case 'hinge':
      copy.axis = image.axial(copy.axis)
      break
    case 'slider':
      copy.axis = image.polar(copy.axis)
      break
    // A screw cannot keep both senses: its mirror image has the opposite handedness.
    case 'cylindrical':
      copy.axis = image.polar(copy.axis)
      if (copy.rotation) copy.rotation = negatedCoordinate(copy.rotation)
      break
    case 'distance':
      copy.anchorB = image.point(copy.anchorB)
      break
    case 'pointOnCurve': copy.curve = mirroredCurve(copy.curve, image)
  }
  return copy
}

function mirroredCurve(curve: Curve, { axis, point, polar, axial, turned }: MirrorImage): Curve {
  switch (curve.type) {
    case 'line': return { ...curve, point: point(curve.point), direction: polar(curve.direction) }
    case 'circle': return { ...curve, center: point(curve.center), normal: axial(curve.normal) }
    case 'ellipse': return { ...curve, center: point(curve.center), semiAxisA: polar(curve.semiAxisA), semiAxisB: polar(curve.semiAxisB) }
    case 'helix': return { ...curve, center: point(curve.center), axis: axial(curve.axis), pitch: -curve.pitch }
    case 'spline': return { ...curve, points: curve.points.map(point) }
    case 'formula': {
      const along = AXES[axis]
      return { ...curve, center: point(curve.center), ...curve.orientation ? { orientation: turned(curve.orientation) } : {}, [along]: negated(curve[along]) }
    }
  }
}
