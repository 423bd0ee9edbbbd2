/**
 * A point of A against a straight line of B, each with a ball: sphere on an edge, sphere on a capsule.
 *
 *   w = c − q₀,  ρ = w − (w·e) e,  n̂ = ρ/|ρ|,  C = |ρ| − r_A − r_B,  n̂̇ = ω_B × n̂ + (u − e(e·u) − n̂(n̂·u))/|ρ|
 *
 * with u the velocity of the point relative to B.
 */

import { velocityAt, type BodyMotion } from '../../geometry/motion'
import { transform } from '../../math/matrix'
import type { Pose } from '../../math/pose'
import { rotate } from '../../math/quaternion'
import { add, addScaled, cross, dot, length, perpendicular, scale, sub, ZERO, type Vec3 } from '../../math/vector'
import type { ContactLocation, ContactRates, Feature, FeaturePair } from '../contact'
import { insideBy, pointInOther, type BoundaryPlane } from './boundary'
import { pairKey } from './key'

export interface PointOnLine {
  readonly featureA: Feature
  readonly featureB: Feature
  /** m, in the body frame of A. */
  readonly point: Vec3
  readonly radiusA: number
  /** A point of the line and its unit direction, in the body frame of B. */
  readonly origin: Vec3
  readonly direction: Vec3
  readonly radiusB: number
  readonly boundary: readonly BoundaryPlane[]
  readonly slack: number
}

interface Across {
  readonly normal: Vec3
  readonly distance: number
}

export class PointOnLinePair implements FeaturePair {
  readonly key: string
  readonly featureA: Feature
  readonly featureB: Feature

  constructor(private readonly given: PointOnLine) {
    this.featureA = given.featureA
    this.featureB = given.featureB
    this.key = pairKey(given.featureA, given.featureB)
  }

  locate(a: Pose, b: Pose): ContactLocation {
    const { point, radiusA, radiusB } = this.given
    const arm = rotate(a.orientation, point)
    const from = sub(add(sub(a.position, b.position), arm), rotate(b.orientation, this.given.origin))
    const { normal, distance } = across(from, rotate(b.orientation, this.given.direction))
    const gap = distance - radiusA - radiusB
    return { point: addScaled(add(a.position, arm), normal, -(radiusA + gap / 2)), normal, gap }
  }

  rates(a: BodyMotion, b: BodyMotion): ContactRates {
    const { point, radiusA, radiusB } = this.given
    const arm = transform(a.rotation, point)
    const center = add(a.pose.position, arm)
    const direction = transform(b.rotation, this.given.direction)
    const from = sub(add(sub(a.pose.position, b.pose.position), arm), transform(b.rotation, this.given.origin))
    const { normal, distance } = across(from, direction)
    const gap = distance - radiusA - radiusB
    const velocity = velocityAt(a, center)
    const relative = sub(velocity, velocityAt(b, center))
    const gapRate = dot(normal, relative)
    const sideways = addScaled(addScaled(relative, direction, -dot(direction, relative)), normal, -gapRate)
    const turning = distance > 0 ? scale(sideways, 1 / distance) : ZERO
    const normalRate = add(cross(b.angularVelocity, normal), turning)
    return { pointRate: addScaled(addScaled(velocity, normalRate, -(radiusA + gap / 2)), normal, -gapRate / 2), normalRate }
  }

  margin(a: Pose, b: Pose): number {
    const { boundary, point, slack } = this.given
    return boundary.length === 0 ? Infinity : insideBy(boundary, pointInOther(a, point, b)) + slack
  }
}

function across(from: Vec3, direction: Vec3): Across {
  const radial = addScaled(from, direction, -dot(direction, from))
  const distance = length(radial)
  return { normal: distance > 0 ? scale(radial, 1 / distance) : perpendicular(direction), distance }
}
