/**
 * Cylindrical joint: A slides along an axis of B and turns about it.
 *
 *   C = (the angle of z_A from b₃ about b₁ and b₂, b₁·d, b₂·d) = 0 (4 rows: 2 rad, 2 m),   d = p_A − p_B
 *
 * z_A: the axis fixed in A; (b₁, b₂, b₃ = axis): a basis fixed in B. Coordinate 0 is the rotation about the axis, rad, 1 the translation
 * b₃·d, m.
 */

import type { Vec3 } from '../../math/vector'
import { attachDirection, attachPoint, basisAbout, pointOf, unitDirection, type Joined } from './frame'
import type { JointConstraint } from './joint'
import { mobilityOf } from './mobility'
import { displacement, relativeAngle, writeAlignment, writeNoDisplacement } from './parts'
import { coordinateOf } from './rows'

export interface CylindricalSpec extends Joined {
  readonly type: 'cylindrical'
  /** World frame, initial pose, m. */
  readonly anchor: Vec3
  /** World frame, initial pose; any length. */
  readonly axis: Vec3
}

/** @throws RangeError where the axis has no direction */
export function cylindricalJoint(spec: CylindricalSpec): JointConstraint {
  const { id, bodyA, bodyB, initialA, initialB, anchor, axis } = spec
  const pointA = attachPoint(initialA, anchor)
  const pointB = attachPoint(initialB, anchor)
  const basis = basisAbout(unitDirection(id, 'axis', axis))
  const axisA = attachDirection(initialA, basis[2])
  const markA = attachDirection(initialA, basis[0])
  const basisB = basis.map(v => attachDirection(initialB, v)) as [Vec3, Vec3, Vec3]
  return {
    id, type: 'cylindrical', bodyA, bodyB, rows: 4, coordinates: 2,
    evaluate(a, b, out) {
      writeAlignment(a, b, axisA, basisB, out, 0)
      writeNoDisplacement(a, b, pointA, pointB, basisB[0], out, 2)
      writeNoDisplacement(a, b, pointA, pointB, basisB[1], out, 3)
    },
    coordinate(index, a, b, near) {
      const { jet, row } = index === 0
        ? relativeAngle(a, b, { inA: markA, inB: basisB[0] }, { inA: markA, inB: basisB[1] }, near)
        : displacement(a, b, pointA, pointB, basisB[2])
      return coordinateOf(jet, row)
    },
    mobility: mobilityOf(spec, anchor, [basis[2]], [{ axis: basis[2], fixedIn: 'B' }]),
    anchor: a => pointOf(a, pointA),
  }
}
