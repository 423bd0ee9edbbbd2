/**
 * Universal (Cardan) joint: two bodies on the arms of a cross, whose axes stay perpendicular and meet in the anchor.
 *
 *   C = (p_A − p_B, asin(e_A·e_B)) = 0 (4 rows: 3 m, 1 rad)
 *
 * e_A fixed in A, e_B fixed in B. Coordinate 0 is the rotation of A relative to the cross about e_A, coordinate 1 that of the cross relative
 * to B about e_B, each right-handed and 0 at the initial pose.
 */

import { cross, dot, normalize, addScaled, type Vec3 } from '../../math/vector'
import { attachDirection, attachPoint, pointOf, unitDirection, type Joined } from './frame'
import type { JointConstraint } from './joint'
import { mobilityOf } from './mobility'
import { relativeAngle, writeCoincidence, writePerpendicular, type DirectionPair } from './parts'
import { coordinateOf } from './rows'

export interface UniversalSpec extends Joined {
  readonly type: 'universal'
  /** World frame, initial pose, m. */
  readonly anchor: Vec3
  /** World frame, initial pose; any length, perpendicular to each other. */
  readonly axisA: Vec3
  readonly axisB: Vec3
}

/**
 * Largest |cos| of the angle between the axes that counts as perpendicular: room for coordinates entered by hand, not only
 * for rounding.
 */
const PERPENDICULAR = 1e-6

/** @throws RangeError where an axis has no direction or the axes are not perpendicular */
export function universalJoint(spec: UniversalSpec): JointConstraint {
  const { id, bodyA, bodyB, initialA, initialB, anchor, axisA, axisB } = spec
  const pointA = attachPoint(initialA, anchor)
  const pointB = attachPoint(initialB, anchor)
  const eA = unitDirection(id, 'axis on A', axisA)
  const given = unitDirection(id, 'axis on B', axisB)
  const cosine = dot(eA, given)
  if (Math.abs(cosine) > PERPENDICULAR) throw new RangeError(`joint "${id}": its axes are not perpendicular, their cosine is ${cosine}`)
  const eB = normalize(addScaled(given, eA, -cosine))
  const inA = (v: Vec3) => attachDirection(initialA, v)
  const inB = (v: Vec3) => attachDirection(initialB, v)
  // About e_A: A's copy of e_B against e_B itself, e_A·(e_B × e_B(A)) = e_B·(e_B(A) × e_A).
  // About e_B: e_A against B's copy of it, e_B·(e_A(B) × e_A) = e_A·(e_B × e_A(B)).
  const angles: readonly (readonly [DirectionPair, DirectionPair])[] = [
    [{ inA: inA(eB), inB: inB(eB) }, { inA: inA(cross(eB, eA)), inB: inB(eB) }],
    [{ inA: inA(eA), inB: inB(eA) }, { inA: inA(eA), inB: inB(cross(eB, eA)) }],
  ]
  const directionA = inA(eA)
  const directionB = inB(eB)
  return {
    id, type: 'universal', bodyA, bodyB, rows: 4, coordinates: 2,
    evaluate(a, b, out) {
      writeCoincidence(a, b, pointA, pointB, out, 0)
      writePerpendicular(a, b, directionA, directionB, out, 3)
    },
    coordinate(index, a, b, near) {
      const [cosinePair, sinePair] = angles[index]!
      const { jet, row } = relativeAngle(a, b, cosinePair, sinePair, near)
      return coordinateOf(jet, row)
    },
    mobility: mobilityOf(spec, anchor, [], [{ axis: eB, fixedIn: 'B' }, { axis: eA, fixedIn: 'A' }]),
    anchor: a => pointOf(a, pointA),
  }
}
