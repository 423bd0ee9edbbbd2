/**
 * A point of A, with a ball of radius r around it, on a plane fixed in B: vertex or sphere on a face, vertex on a half-space.
 *
 *   n̂ = R_B n,  C = n̂ · (c − x_B) − d − r,  p = c − (r + C/2) n̂,  n̂̇ = ω_B × n̂
 *
 * with c the point in the world. If two features do not define a normal (vertex/vertex, vertex/edge, parallel edges), the plane is the separating plane,
 * fixed in B.
 */

import type { BodyMotion } from '../../geometry/motion'
import type { Pose } from '../../math/pose'
import { rotate } from '../../math/quaternion'
import type { Vec3 } from '../../math/vector'
import { KINEMATICS, type ContactLocation, type ContactRates, type Feature, type FeaturePair } from '../contact'
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
  /** If the face is a disc: its circle, in the body frame of B. */
  readonly disc?: { readonly center: Vec3, readonly radius: number }
  /** m: lateral distance beyond a side at which the point still counts as on the face. */
  readonly slack: number
  /** If the point represents the rim of a disc of A that lies flat on the plane: that disc, in the body frame of A. */
  readonly flush?: { readonly normal: Vec3, readonly radius: number }
}

/** Data of the current pair. */
const scratch = new Float64Array(KINEMATICS.length)

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
    this.place(a, b, scratch)
    return { point: [scratch[0]!, scratch[1]!, scratch[2]!], normal: [scratch[3]!, scratch[4]!, scratch[5]!], gap: scratch[6]! }
  }

  /** Point, normal and gap, with the layout of `KINEMATICS`. */
  private place({ position: p, orientation: q }: Pose, { position: o, orientation: r }: Pose, out: Float64Array): void {
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
    out[0] = p[0] + cx + nx * s
    out[1] = p[1] + cy + ny * s
    out[2] = p[2] + cz + nz * s
    out[3] = nx
    out[4] = ny
    out[5] = nz
    out[6] = gap
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
    this.kinematics(a, b, scratch)
    return { pointRate: [scratch[7]!, scratch[8]!, scratch[9]!], normalRate: [scratch[10]!, scratch[11]!, scratch[12]!] }
  }

  kinematics(a: BodyMotion, b: BodyMotion, out: Float64Array): void {
    this.place(a.pose, b.pose, out)
    const { point: c, normal: n, radius, offset } = this.given
    const { rotation: R, center: g, velocity: v, angularVelocity: w, pose: { position: p } } = a
    const { rotation: S, center: h, velocity: u, angularVelocity: z, pose: { position: o } } = b
    const nx = S[0] * n[0] + S[1] * n[1] + S[2] * n[2]
    const ny = S[3] * n[0] + S[4] * n[1] + S[5] * n[2]
    const nz = S[6] * n[0] + S[7] * n[1] + S[8] * n[2]
    const ax = R[0] * c[0] + R[1] * c[1] + R[2] * c[2]
    const ay = R[3] * c[0] + R[4] * c[1] + R[5] * c[2]
    const az = R[6] * c[0] + R[7] * c[1] + R[8] * c[2]
    const gap = nx * (p[0] - o[0] + ax) + ny * (p[1] - o[1] + ay) + nz * (p[2] - o[2] + az) - offset - radius
    // Velocity of A's point, then the rate of the gap.
    const x = p[0] + ax
    const y = p[1] + ay
    const k = p[2] + az
    const rx = x - g[0]
    const ry = y - g[1]
    const rz = k - g[2]
    const sx = x - h[0]
    const sy = y - h[1]
    const sz = k - h[2]
    const vx = v[0] + (w[1] * rz - w[2] * ry)
    const vy = v[1] + (w[2] * rx - w[0] * rz)
    const vz = v[2] + (w[0] * ry - w[1] * rx)
    const gapRate = nx * (vx - (u[0] + (z[1] * sz - z[2] * sy))) + ny * (vy - (u[1] + (z[2] * sx - z[0] * sz))) + nz * (vz - (u[2] + (z[0] * sy - z[1] * sx)))
    const mx = z[1] * nz - z[2] * ny
    const my = z[2] * nx - z[0] * nz
    const mz = z[0] * ny - z[1] * nx
    const arm = -(radius + gap / 2)
    const along = -gapRate / 2
    out[7] = vx + mx * arm + nx * along
    out[8] = vy + my * arm + ny * along
    out[9] = vz + mz * arm + nz * along
    out[10] = mx
    out[11] = my
    out[12] = mz
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
