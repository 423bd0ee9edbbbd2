/**
 * Ball joint [PBM01-F §4.3]: a point of A stays on a point of B.
 *
 *   C = p_A − p_B = 0 (3 rows, m, world axes),   J = [1, −[r_A]×, −1, [r_B]×]
 *
 * r: from the centre of mass to the anchor, world frame. The multiplier is the force on A at the anchor, N.
 */

import type { Vec3 } from '../../math/vector'
import { attachPoint, pointOf, type Joined } from './frame'
import { noCoordinate, type JointConstraint } from './joint'
import { mobilityOf } from './mobility'
import { writeCoincidence } from './parts'

export interface BallSpec extends Joined {
  readonly type: 'ball'
  /** World frame, initial pose, m. */
  readonly anchor: Vec3
}

export function ballJoint(spec: BallSpec): JointConstraint {
  const { id, bodyA, bodyB, initialA, initialB, anchor } = spec
  const pointA = attachPoint(initialA, anchor)
  const pointB = attachPoint(initialB, anchor)
  return {
    id, type: 'ball', bodyA, bodyB, rows: 3, coordinates: 0,
    evaluate: (a, b, out) => writeCoincidence(a, b, pointA, pointB, out, 0),
    coordinate: noCoordinate(id),
    mobility: mobilityOf(spec, anchor, [], 'free'),
    anchor: a => pointOf(a, pointA),
  }
}
