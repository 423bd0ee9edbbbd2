/**
 * Two points with balls around them: sphere on sphere, sphere on a vertex, sphere on a capsule's end.
 *
 *   n̂ = (c_A − c_B)/ρ,  C = ρ − r_A − r_B,  n̂̇ = (u − n̂(n̂·u))/ρ,  u = ċ_A − ċ_B
 */

import { velocityAt, type BodyMotion } from '../../geometry/motion'
import { transform } from '../../math/matrix'
import type { Pose } from '../../math/pose'
import { rotate } from '../../math/quaternion'
import { add, addScaled, dot, length, scale, sub, UNIT_Z, ZERO, type Vec3 } from '../../math/vector'
import type { ContactLocation, ContactRates, Feature, FeaturePair } from '../contact'
import { insideBy, pointInOther, type BoundaryPlane } from './boundary'
import { pairKey } from './key'

export interface PointOnPoint {
  readonly featureA: Feature
  readonly featureB: Feature
  /** m, in the body frames. */
  readonly pointA: Vec3
  readonly radiusA: number
  readonly pointB: Vec3
  readonly radiusB: number
  readonly boundary: readonly BoundaryPlane[]
  readonly slack: number
}

export class PointOnPointPair implements FeaturePair {
  readonly key: string
  readonly featureA: Feature
  readonly featureB: Feature

  constructor(private readonly given: PointOnPoint) {
    this.featureA = given.featureA
    this.featureB = given.featureB
    this.key = pairKey(given.featureA, given.featureB)
  }

  locate(a: Pose, b: Pose): ContactLocation {
    const { pointA, radiusA, pointB, radiusB } = this.given
    const arm = rotate(a.orientation, pointA)
    const between = sub(add(sub(a.position, b.position), arm), rotate(b.orientation, pointB))
    const distance = length(between)
    const normal = distance > 0 ? scale(between, 1 / distance) : UNIT_Z
    const gap = distance - radiusA - radiusB
    return { point: addScaled(add(a.position, arm), normal, -(radiusA + gap / 2)), normal, gap }
  }

  rates(a: BodyMotion, b: BodyMotion): ContactRates {
    const { pointA, radiusA, pointB, radiusB } = this.given
    const arm = transform(a.rotation, pointA)
    const armB = transform(b.rotation, pointB)
    const between = sub(add(sub(a.pose.position, b.pose.position), arm), armB)
    const distance = length(between)
    const normal = distance > 0 ? scale(between, 1 / distance) : UNIT_Z
    const gap = distance - radiusA - radiusB
    const velocity = velocityAt(a, add(a.pose.position, arm))
    const relative = sub(velocity, velocityAt(b, add(b.pose.position, armB)))
    const gapRate = dot(normal, relative)
    const normalRate = distance > 0 ? scale(addScaled(relative, normal, -gapRate), 1 / distance) : ZERO
    return { pointRate: addScaled(addScaled(velocity, normalRate, -(radiusA + gap / 2)), normal, -gapRate / 2), normalRate }
  }

  margin(a: Pose, b: Pose): number {
    const { boundary, pointA, slack } = this.given
    return boundary.length === 0 ? Infinity : insideBy(boundary, pointInOther(a, pointA, b)) + slack
  }
}
