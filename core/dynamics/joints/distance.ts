/**
 * Distance joint, a rigid massless rod [PBM01-F §4.3]: two points keep their distance.
 *
 *   C = |d| − ℓ = 0 (1 row, m),   d = p_A − p_B,   Ċ = e·ḋ,   C̈ = e·d̈ + (|ḋ|² − (e·ḋ)²)/|d|,   e = d/|d|
 *
 * The multiplier is the force that pushes the ends apart, N; negative in tension.
 */

import { cross, dot, scale, sub, length as lengthOf, type Vec3 } from '../../math/vector'
import { attachPoint, pointOf, type Joined } from './frame'
import { pointJet, subJets } from './jet'
import { DegenerateJointError, noCoordinate, type JointConstraint } from './joint'
import { writeRow } from './rows'

export interface DistanceSpec extends Joined {
  readonly type: 'distance'
  /** On A and on B, world frame, initial pose, m. */
  readonly anchor: Vec3
  readonly anchorB: Vec3
  /** m; absent: the distance of the anchors. */
  readonly length?: number
}

/** @throws RangeError where the length is not positive */
export function distanceJoint({ id, bodyA, bodyB, initialA, initialB, anchor, anchorB, length }: DistanceSpec): JointConstraint {
  const pointA = attachPoint(initialA, anchor)
  const pointB = attachPoint(initialB, anchorB)
  const rod = length ?? lengthOf(sub(anchor, anchorB))
  if (!(rod > 0)) throw new RangeError(`joint "${id}": its length ${rod} m is not positive`)
  return {
    id, type: 'distance', bodyA, bodyB, rows: 1, coordinates: 0,
    evaluate(a, b, out) {
      const p = pointJet(a, pointA)
      const q = pointJet(b, pointB)
      const d = subJets(p, q)
      const distance = lengthOf(d.x)
      if (!(distance > 0)) throw new DegenerateJointError(id, 'its two anchors coincide, so the rod has no direction')
      const e = scale(d.x, 1 / distance)
      const radial = dot(e, d.v)
      const row = { linear: e, angularA: cross(sub(p.x, a.center), e), angularB: cross(e, sub(q.x, b.center)) }
      writeRow(out, 0, row, distance - rod, dot(e, d.a) + (dot(d.v, d.v) - radial * radial) / distance)
    },
    coordinate: noCoordinate(id),
    anchor: a => pointOf(a, pointA),
  }
}
