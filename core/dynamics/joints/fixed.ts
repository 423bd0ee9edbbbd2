/**
 * Fixed joint: A keeps its pose relative to B.
 *
 *   C = (p_A − p_B, ψ) = 0 (6 rows: 3 m, 3 rad)
 *
 * ψ: rotation vector of A relative to B. The reaction is a force on A at the anchor and a torque.
 */

import { conjugate } from '../../math/quaternion'
import type { Vec3 } from '../../math/vector'
import { attachPoint, pointOf, type Joined } from './frame'
import { noCoordinate, type JointConstraint } from './joint'
import { mobilityOf } from './mobility'
import { writeCoincidence, writeRotationLock } from './parts'

export interface FixedSpec extends Joined {
  readonly type: 'fixed'
  /** World frame, initial pose, m. */
  readonly anchor: Vec3
}

export function fixedJoint(spec: FixedSpec): JointConstraint {
  const { id, bodyA, bodyB, initialA, initialB, anchor } = spec
  const pointA = attachPoint(initialA, anchor)
  const pointB = attachPoint(initialB, anchor)
  const frameA = conjugate(initialA.pose.orientation)
  const frameB = conjugate(initialB.pose.orientation)
  return {
    id, type: 'fixed', bodyA, bodyB, rows: 6, coordinates: 0,
    evaluate(a, b, out) {
      writeCoincidence(a, b, pointA, pointB, out, 0)
      writeRotationLock(a, b, frameA, frameB, out, 3)
    },
    coordinate: noCoordinate(id),
    mobility: mobilityOf(spec, anchor, [], []),
    anchor: a => pointOf(a, pointA),
  }
}
