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

  locate({ position: p, orientation: q }: Pose, { position: o, orientation: r }: Pose): ContactLocation {
    const { point: c, normal: n, radius, offset } = this.given
    let tx = 2 * (r[1] * n[2] - r[2] * n[1])
    let ty = 2 * (r[2] * n[0] - r[0] * n[2])
    let tz = 2 * (r[0] * n[1] - r[1] * n[0])
    const nx = n[0] + r[3] * tx + r[1] * tz - r[2] * ty
    const ny = n[1] + r[3] * ty + r[2] * tx - r[0] * tz
    const nz = n[2] + r[3] * tz + r[0] * ty - r[1] * tx
    tx = 2 * (q[1] * c[2] - q[2] * c[1])
    ty = 2 * (q[2] * c[0] - q[0] * c[2])
    tz = 2 * (q[0] * c[1] - q[1] * c[0])
    const cx = c[0] + q[3] * tx + q[1] * tz - q[2] * ty
    const cy = c[1] + q[3] * ty + q[2] * tx - q[0] * tz
    const cz = c[2] + q[3] * tz + q[0] * ty - q[1] * tx
    // Large coordinates are subtracted first.
    const gap = nx * (p[0] - o[0] + cx) + ny * (p[1] - o[1] + cy) + nz * (p[2] - o[2] + cz) - offset - radius
    const s = -(radius + gap / 2)
    return { point: [p[0] + cx + nx * s, p[1] + cy + ny * s, p[2] + cz + nz * s], normal: [nx, ny, nz], gap }
  }

  gap({ position: p, orientation: q }: Pose, { position: o, orientation: r }: Pose): number {
    const { point: c, normal: n, radius, offset } = this.given
    let tx = 2 * (r[1] * n[2] - r[2] * n[1])
    let ty = 2 * (r[2] * n[0] - r[0] * n[2])
    let tz = 2 * (r[0] * n[1] - r[1] * n[0])
    const nx = n[0] + r[3] * tx + r[1] * tz - r[2] * ty
    const ny = n[1] + r[3] * ty + r[2] * tx - r[0] * tz
    const nz = n[2] + r[3] * tz + r[0] * ty - r[1] * tx
    tx = 2 * (q[1] * c[2] - q[2] * c[1])
    ty = 2 * (q[2] * c[0] - q[0] * c[2])
    tz = 2 * (q[0] * c[1] - q[1] * c[0])
    const cx = c[0] + q[3] * tx + q[1] * tz - q[2] * ty
    const cy = c[1] + q[3] * ty + q[2] * tx - q[0] * tz
    const cz = c[2] + q[3] * tz + q[0] * ty - q[1] * tx
    return nx * (p[0] - o[0] + cx) + ny * (p[1] - o[1] + cy) + nz * (p[2] - o[2] + cz) - offset - radius
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
