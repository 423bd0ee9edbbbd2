/**
 * A smooth convex surface of A on a plane of B: half-space or face.
 *
 *   n̂ = R_B n,  p_A = the point of A with outward normal −n̂,  C = n̂·p_A − d,  n̂̇ = ω_B × n̂,  ṗ_A = v_A(p_A) + H_A (ω_A − ω_B) × n̂
 */

import { velocityAt, type BodyMotion } from '../../geometry/motion'
import { transform } from '../../math/matrix'
import type { Pose } from '../../math/pose'
import { rotate, rotateInverse } from '../../math/quaternion'
import { add, addScaled, cross, dot, scale, sub, type Vec3 } from '../../math/vector'
import type { ContactLocation, ContactRates, Feature, FeaturePair } from '../contact'
import { leastCurvature, type SupportMap } from '../support'
import { insideBy, insideDisc, type BoundaryPlane } from './boundary'
import { pairKey } from './key'

export interface SurfaceOnPlane {
  readonly featureA: Feature
  readonly featureB: Feature
  readonly surface: SupportMap
  /** Unit, out of B, and offset, m, in the body frame of B. */
  readonly normal: Vec3
  readonly offset: number
  readonly boundary: readonly BoundaryPlane[]
  /** If the face is a disc: its circle, in the body frame of B. */
  readonly disc?: { readonly center: Vec3, readonly radius: number }
  readonly slack: number
}

export class SurfaceOnPlanePair implements FeaturePair {
  readonly key: string
  readonly featureA: Feature
  readonly featureB: Feature

  constructor(private readonly given: SurfaceOnPlane) {
    this.featureA = given.featureA
    this.featureB = given.featureB
    this.key = pairKey(given.featureA, given.featureB)
  }

  locate(a: Pose, b: Pose): ContactLocation {
    const normal = rotate(b.orientation, this.given.normal)
    const onA = this.given.surface.at(a, a.position).support(scale(normal, -1))
    const gap = dot(normal, add(sub(a.position, b.position), onA)) - this.given.offset
    return { point: addScaled(add(a.position, onA), normal, -gap / 2), normal, gap }
  }

  rates(a: BodyMotion, b: BodyMotion): ContactRates {
    const facing = this.given.surface.at(a.pose, a.pose.position)
    const { normal, gap } = this.locate(a.pose, b.pose)
    const opposite = scale(normal, -1)
    const onA = add(a.pose.position, facing.support(opposite))
    const normalRate = cross(b.angularVelocity, normal)
    const velocity = velocityAt(a, onA)
    const rolling = transform(facing.hessian(opposite), cross(sub(a.angularVelocity, b.angularVelocity), normal))
    const gapRate = dot(normal, sub(velocity, velocityAt(b, onA)))
    return { pointRate: addScaled(addScaled(add(velocity, rolling), normalRate, -gap / 2), normal, -gapRate / 2), normalRate }
  }

  curvature(a: Pose, b: Pose): number {
    return leastCurvature(this.given.surface.at(a, a.position).hessian(scale(rotate(b.orientation, this.given.normal), -1)))
  }

  margin(a: Pose, b: Pose): number {
    const { boundary, disc, normal, slack } = this.given
    if (boundary.length === 0 && disc === undefined) {
      return Infinity
    }
    const onA = this.given.surface.at(a, b.position).support(scale(rotate(b.orientation, normal), -1))
    const here = rotateInverse(b.orientation, onA)
    return Math.min(insideBy(boundary, here), disc ? insideDisc(disc, normal, here) : Infinity) + slack
  }
}
