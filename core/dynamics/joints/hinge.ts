/**
 * Hinge: a ball joint whose axes in A and B stay parallel; A turns relative to B about the axis.
 *
 *   C = (p_A − p_B, the angle of z_A from b₃ about b₁ and b₂) = 0 (5 rows: 3 m, 2 rad)
 *
 * z_A: the axis fixed in A; (b₁, b₂, b₃ = axis): a basis fixed in B. The coordinate is the angle of A's copy of b₁ from b₁ about the axis,
 * θ = atan2(b₂·x_A, b₁·x_A).
 */

import type { Vec3 } from '../../math/vector'
import { attachDirection, attachPoint, basisAbout, pointOf, unitDirection, type Joined } from './frame'
import type { JointConstraint } from './joint'
import { mobilityOf } from './mobility'
import { relativeAngle, writeAlignment, writeCoincidence } from './parts'
import { coordinateOf } from './rows'

export interface HingeSpec extends Joined {
  readonly type: 'hinge'
  /** World frame, initial pose, m. */
  readonly anchor: Vec3
  /** World frame, initial pose; any length. */
  readonly axis: Vec3
}

/** @throws RangeError where the axis has no direction */
export function hingeJoint(spec: HingeSpec): JointConstraint {
  const { id, bodyA, bodyB, initialA, initialB, anchor, axis } = spec
  const pointA = attachPoint(initialA, anchor)
  const pointB = attachPoint(initialB, anchor)
  const [b1, b2, b3] = basisAbout(unitDirection(id, 'axis', axis))
  const axisA = attachDirection(initialA, b3)
  const markA = attachDirection(initialA, b1)
  const basisB = [attachDirection(initialB, b1), attachDirection(initialB, b2), attachDirection(initialB, b3)] as const
  const cosine = { inA: markA, inB: basisB[0] }
  const sine = { inA: markA, inB: basisB[1] }
  return {
    id, type: 'hinge', bodyA, bodyB, rows: 5, coordinates: 1,
    evaluate(a, b, out) {
      writeCoincidence(a, b, pointA, pointB, out, 0)
      writeAlignment(a, b, axisA, basisB, out, 3)
    },
    coordinate(_index, a, b, near) {
      const { jet, row } = relativeAngle(a, b, cosine, sine, near)
      return coordinateOf(jet, row)
    },
    mobility: mobilityOf(spec, anchor, [], [{ axis: b3, fixedIn: 'B' }]),
    anchor: a => pointOf(a, pointA),
  }
}
