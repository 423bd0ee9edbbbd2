/**
 * A point of A, with a ball of radius r around it, on a plane fixed in B: vertex or sphere on a face, vertex on a half-space.
 *
 *   n̂ = R_B n,  C = n̂ · (c − x_B) − d − r,  p = c − (r + C/2) n̂,  n̂̇ = ω_B × n̂
 *
 * with c the point in the world. Where two features give no normal (vertex/vertex, vertex/edge, parallel edges) the plane is the separating
 * plane, held by B.
 */

import type { BodyMotion } from '../../geometry/motion'
import { velocityAt } from '../../geometry/motion'
import { transform } from '../../math/matrix'
import type { Pose } from '../../math/pose'
import { rotate } from '../../math/quaternion'
import { add, addScaled, cross, dot, sub, type Vec3 } from '../../math/vector'
import type { ContactLocation, ContactRates, Feature, FeaturePair } from '../contact'
import { insideBy, insideDisc, pointInOther, sineBetween, tiltMargin, type BoundaryPlane } from './boundary'
import { pairKey } from './key'

export interface PointOnPlane {
  readonly featureA: Feature
  readonly featureB: Feature
  /** m, in the body frame of A. */
  readonly point: Vec3
  /** m, of the ball around the point. */
  readonly radius: number
  /** Unit, out of B, and the plane's offset along it, m, in the body frame of B. */
  readonly normal: Vec3
  readonly offset: number
  /** Sides of the face, in the body frame of B. */
  readonly boundary: readonly BoundaryPlane[]
  /** Where the face is a disc: its circle, in the body frame of B. */
  readonly disc?: { readonly center: Vec3, readonly radius: number }
  /** m: how far beyond a side the point still counts as on the face. */
  readonly slack: number
  /** Where the point stands for the rim of a disc of A that lies flat on the plane: that disc, in the body frame of A. */
  readonly flush?: { readonly normal: Vec3, readonly radius: number }
}

export class PointOnPlanePair implements FeaturePair {
  readonly key: string
  readonly featureA: Feature
  readonly featureB: Feature

  constructor(private readonly given: PointOnPlane) {
    this.featureA = given.featureA
    this.featureB = given.featureB
    this.key = pairKey(given.featureA, given.featureB)
  }

  locate(a: Pose, b: Pose): ContactLocation {
    const { point, radius, offset } = this.given
    const normal = rotate(b.orientation, this.given.normal)
    const arm = rotate(a.orientation, point)
    const gap = dot(normal, add(sub(a.position, b.position), arm)) - offset - radius
    return { point: addScaled(add(a.position, arm), normal, -(radius + gap / 2)), normal, gap }
  }

  rates(a: BodyMotion, b: BodyMotion): ContactRates {
    const { point, radius, offset } = this.given
    const normal = transform(b.rotation, this.given.normal)
    const arm = transform(a.rotation, point)
    const reach = add(sub(a.pose.position, b.pose.position), arm)
    const gap = dot(normal, reach) - offset - radius
    const center = add(a.pose.position, arm)
    const velocity = velocityAt(a, center)
    const gapRate = dot(normal, sub(velocity, velocityAt(b, center)))
    const normalRate = cross(b.angularVelocity, normal)
    return { pointRate: addScaled(addScaled(velocity, normalRate, -(radius + gap / 2)), normal, -gapRate / 2), normalRate }
  }

  margin(a: Pose, b: Pose): number {
    const { boundary, disc, normal, point, slack, flush } = this.given
    const level = flush ? tiltMargin(sineBetween(rotate(a.orientation, flush.normal), rotate(b.orientation, normal)), flush.radius, slack) : Infinity
    if (boundary.length === 0 && disc === undefined) {
      return level
    }
    const here = pointInOther(a, point, b)
    return Math.min(level, Math.min(insideBy(boundary, here), disc ? insideDisc(disc, normal, here) : Infinity) + slack)
  }
}
