/**
 * Planar joint: A slides on a plane of B and turns about its normal only.
 *
 *   C = (the angle of n_A from n about b₁ and b₂, n·d) = 0 (3 rows: 2 rad, 1 m),   d = p_A − p_B
 *
 * n_A: the normal fixed in A; (b₁, b₂, n): a basis fixed in B.
 */

import type { Vec3 } from '../../math/vector'
import { attachDirection, attachPoint, basisAbout, pointOf, unitDirection, type Joined } from './frame'
import { noCoordinate, type JointConstraint } from './joint'
import { mobilityOf } from './mobility'
import { writeAlignment, writeNoDisplacement } from './parts'

export interface PlanarSpec extends Joined {
  readonly type: 'planar'
  /** World frame, initial pose, m. */
  readonly anchor: Vec3
  /** World frame, initial pose; any length. */
  readonly normal: Vec3
}

/** @throws RangeError where the normal has no direction */
export function planarJoint(spec: PlanarSpec): JointConstraint {
  const { id, bodyA, bodyB, initialA, initialB, anchor, normal } = spec
  const pointA = attachPoint(initialA, anchor)
  const pointB = attachPoint(initialB, anchor)
  const basis = basisAbout(unitDirection(id, 'normal', normal))
  const normalA = attachDirection(initialA, basis[2])
  const basisB = basis.map(v => attachDirection(initialB, v)) as [Vec3, Vec3, Vec3]
  return {
    id, type: 'planar', bodyA, bodyB, rows: 3, coordinates: 0,
    evaluate(a, b, out) {
      writeAlignment(a, b, normalA, basisB, out, 0)
      writeNoDisplacement(a, b, pointA, pointB, basisB[2], out, 2)
    },
    coordinate: noCoordinate(id),
    mobility: mobilityOf(spec, anchor, [basis[0], basis[1]], [{ axis: basis[2], fixedIn: 'B' }]),
    anchor: a => pointOf(a, pointA),
  }
}
