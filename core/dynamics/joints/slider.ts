/**
 * Slider: A moves along an axis of B and does not turn relative to it.
 *
 *   C = (ψ, b₁·d, b₂·d) = 0 (5 rows: 3 rad, 2 m),   d = p_A − p_B
 *
 * ψ: rotation vector of A relative to B; (b₁, b₂, axis): a basis fixed in B. The coordinate is axis·d, m.
 */

import { conjugate } from '../../math/quaternion'
import type { Vec3 } from '../../math/vector'
import { attachDirection, attachPoint, basisAbout, pointOf, unitDirection, type Joined } from './frame'
import type { JointConstraint } from './joint'
import { mobilityOf } from './mobility'
import { displacement, writeNoDisplacement, writeRotationLock } from './parts'
import { coordinateOf } from './rows'

export interface SliderSpec extends Joined {
  readonly type: 'slider'
  /** World frame, initial pose, m. */
  readonly anchor: Vec3
  /** World frame, initial pose; any length. */
  readonly axis: Vec3
}

/** @throws RangeError where the axis has no direction */
export function sliderJoint(spec: SliderSpec): JointConstraint {
  const { id, bodyA, bodyB, initialA, initialB, anchor, axis } = spec
  const pointA = attachPoint(initialA, anchor)
  const pointB = attachPoint(initialB, anchor)
  const frameA = conjugate(initialA.pose.orientation)
  const frameB = conjugate(initialB.pose.orientation)
  const basis = basisAbout(unitDirection(id, 'axis', axis))
  const [b1, b2, along] = basis.map(v => attachDirection(initialB, v)) as [Vec3, Vec3, Vec3]
  return {
    id, type: 'slider', bodyA, bodyB, rows: 5, coordinates: 1,
    evaluate(a, b, out) {
      writeRotationLock(a, b, frameA, frameB, out, 0)
      writeNoDisplacement(a, b, pointA, pointB, b1, out, 3)
      writeNoDisplacement(a, b, pointA, pointB, b2, out, 4)
    },
    coordinate(_index, a, b) {
      const { jet, row } = displacement(a, b, pointA, pointB, along)
      return coordinateOf(jet, row)
    },
    mobility: mobilityOf(spec, anchor, [basis[2]], []),
    anchor: a => pointOf(a, pointA),
  }
}
