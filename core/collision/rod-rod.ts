/**
 * Capsule on capsule, and on a sphere (a rod without length): ends on ends, ends on axes, crossing axes. Parallel ones touch along a line, constrained at
 * its ends.
 */

import type { Pose } from '../math/pose'
import { rotate } from '../math/quaternion'
import { cross, dot, lengthSquared, negate, sub, type Vec3 } from '../math/vector'
import type { FeaturePair } from './contact'
import type { CurvedSearch } from './curved/curved-search'
import { outermost, type Valid } from './feature-list-collider'
import type { BoundaryPlane } from './pairs/boundary'
import { LineOnLinePair } from './pairs/line-line'
import { PointOnLinePair } from './pairs/point-line'
import { PointOnPointPair } from './pairs/point-point'
import { SwappedPair } from './pairs/swapped'
import { AXIS, END, endOf, type Rod } from './rod'
import { SearchedListCollider } from './searched-list-collider'

/** sin² below which two axes count as parallel: the contact line is then represented by its ends. */
const PARALLEL = 1e-14

/** Between the two ends of a rod, in its body frame. */
function between(rod: Rod): BoundaryPlane[] {
  const start = dot(rod.direction, rod.from)
  return [{ normal: rod.direction, offset: start }, { normal: negate(rod.direction), offset: -start - rod.length }]
}

function beyond(rod: Rod, end: 0 | 1): BoundaryPlane[] {
  const outwards = end === 0 ? negate(rod.direction) : rod.direction
  return rod.length === 0 ? [] : [{ normal: outwards, offset: dot(outwards, endOf(rod, end)) }]
}

export class RodRodCollider extends SearchedListCollider {
  private readonly ends: (slack: number) => FeaturePair[]

  /** Both in their body frames. */
  constructor(private readonly a: Rod, private readonly b: Rod, nearest: CurvedSearch) {
    super(nearest)
    const endsOf = (rod: Rod): (0 | 1)[] => rod.length === 0 ? [0] : [0, 1]
    const onAxis = (p: Rod, end: 0 | 1, q: Rod, slack: number): FeaturePair => new PointOnLinePair({
      featureA: END[end], featureB: AXIS, point: endOf(p, end), radiusA: p.radius, origin: q.from, direction: q.direction, radiusB: q.radius,
      boundary: between(q), slack,
    })
    this.ends = slack => [
      ...(b.length > 0 ? endsOf(a).map(end => onAxis(a, end, b, slack)) : []),
      ...(a.length > 0 ? endsOf(b).map(end => new SwappedPair(onAxis(b, end, a, slack))) : []),
      ...endsOf(a).flatMap(i => endsOf(b).map(j => new PointOnPointPair({
        featureA: END[i], featureB: END[j], pointA: endOf(a, i), radiusA: a.radius, pointB: endOf(b, j), radiusB: b.radius,
        boundary: beyond(b, j), slack,
      }))),
    ]
  }

  protected valid(poseA: Pose, poseB: Pose, slack: number): Valid[] {
    const located = (pair: FeaturePair): Valid => ({ pair, gap: pair.locate(poseA, poseB).gap })
    const ends = this.ends(slack)
    const found = ends.filter(pair => pair.margin(poseA, poseB) >= slack).map(located)
    const crossing = this.crossing(poseA, poseB, slack)
    if (crossing !== null) {
      found.push(located(crossing))
    }
    return found.length > 0 ? found : ends.map(located)
  }

  protected outline(pairs: readonly Valid[], poseA: Pose, poseB: Pose, tolerance: number): FeaturePair[] {
    return outermost(pairs, poseA, poseB, rotate(poseA.orientation, this.a.length > 0 ? this.a.direction : this.b.direction), tolerance)
  }

  private crossing(poseA: Pose, poseB: Pose, slack: number): FeaturePair | null {
    const { a, b } = this
    if (a.length === 0 || b.length === 0) {
      return null
    }
    const m = cross(rotate(poseA.orientation, a.direction), rotate(poseB.orientation, b.direction))
    if (lengthSquared(m) < PARALLEL) {
      return null
    }
    const from = (pose: Pose, rod: Rod): Vec3 => rotate(pose.orientation, rod.from)
    const apart = sub(sub(poseA.position, poseB.position), sub(from(poseB, b), from(poseA, a)))
    const pair = new LineOnLinePair({
      featureA: AXIS, featureB: AXIS, sign: dot(m, apart) < 0 ? -1 : 1, slack,
      lineA: { origin: a.from, direction: a.direction, length: a.length, radius: a.radius },
      lineB: { origin: b.from, direction: b.direction, length: b.length, radius: b.radius },
    })
    return pair.margin(poseA, poseB) > slack ? pair : null
  }
}
