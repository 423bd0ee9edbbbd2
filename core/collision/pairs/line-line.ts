/**
 * Two crossing straight lines, each with a ball swept along it: edge on edge, capsule on edge, capsule on capsule.
 *
 *   m = e_A × e_B,  n̂ = ± m/|m|,  C = n̂ · (q_A − q_B) − r_A − r_B
 *   ṁ = (ω_A × e_A) × e_B + e_A × (ω_B × e_B),  n̂̇ = ± (ṁ − n̂(n̂·ṁ))/|m|
 *
 * The feet x_A = q_A + s e_A and x_B = q_B + t e_B, with x_A − x_B along n̂, slide along their lines while the lines turn; ṡ and ṫ follow from d/dt (x_A −
 * x_B) = Ċ n̂ + D n̂̇, with D = n̂ · (q_A − q_B).
 */

import type { BodyMotion } from '../../geometry/motion'
import type { Pose } from '../../math/pose'
import { rotate } from '../../math/quaternion'
import { add, cross, dot, length, scale, sub, type Vec3 } from '../../math/vector'
import { KINEMATICS, type ContactLocation, type ContactRates, type Feature, type FeaturePair } from '../contact'
import { pairKey } from './key'

/** A straight piece of a body, in its body frame. */
export interface Segment {
  readonly origin: Vec3
  /** Unit. */
  readonly direction: Vec3
  /** m; Infinity for a line without ends. */
  readonly length: number
  /** Radius of the swept ball, m. */
  readonly radius: number
}

export interface LineOnLine {
  readonly featureA: Feature
  readonly featureB: Feature
  readonly lineA: Segment
  readonly lineB: Segment
  /** Sign of n̂ against e_A × e_B. */
  readonly sign: 1 | -1
  readonly slack: number
}

interface Feet {
  readonly normal: Vec3
  /** |e_A × e_B| */
  readonly sine: number
  /** n̂ · (x_A − x_B), m. */
  readonly distance: number
  /** Parameters of the feet, m. */
  readonly s: number
  readonly t: number
}

/** Normal and foot of the current pair. */
const scratch = new Float64Array(6)
const kinematic = new Float64Array(KINEMATICS.length)

export class LineOnLinePair implements FeaturePair {
  readonly key: string
  readonly featureA: Feature
  readonly featureB: Feature

  constructor(private readonly given: LineOnLine) {
    this.featureA = given.featureA
    this.featureB = given.featureB
    this.key = pairKey(given.featureA, given.featureB)
  }

  locate(a: Pose, b: Pose): ContactLocation {
    const out = kinematic
    this.place(a, b, out)
    return { point: [out[0]!, out[1]!, out[2]!], normal: [out[3]!, out[4]!, out[5]!], gap: out[6]! }
  }

  /** Point, normal and gap, with the layout of `KINEMATICS`. */
  private place(a: Pose, b: Pose, out: Float64Array): void {
    const gap = this.across(a, b, scratch)
    const s = -(this.given.lineA.radius + gap / 2)
    for (let k = 0; k < 3; k++) {
      out[k] = a.position[k]! + scratch[3 + k]! + scratch[k]! * s
      out[3 + k] = scratch[k]!
    }
    out[6] = gap
  }

  gap(a: Pose, b: Pose): number {
    return this.across(a, b, scratch)
  }

  /** Returns the gap, m; writes to `out` the normal, and the foot on A's line relative to A's origin, m, in world axes. */
  across({ position: p, orientation: q }: Pose, { position: o, orientation: r }: Pose, out: Float64Array): number {
    const { lineA: { origin: c, direction: d, radius }, lineB: { origin: e, direction: f, radius: radiusB }, sign } = this.given
    let tx = 2 * (q[1] * c[2] - q[2] * c[1])
    let ty = 2 * (q[2] * c[0] - q[0] * c[2])
    let tz = 2 * (q[0] * c[1] - q[1] * c[0])
    const ax = c[0] + q[3] * tx + q[1] * tz - q[2] * ty
    const ay = c[1] + q[3] * ty + q[2] * tx - q[0] * tz
    const az = c[2] + q[3] * tz + q[0] * ty - q[1] * tx
    tx = 2 * (r[1] * e[2] - r[2] * e[1])
    ty = 2 * (r[2] * e[0] - r[0] * e[2])
    tz = 2 * (r[0] * e[1] - r[1] * e[0])
    const bx = ax - (o[0] - p[0] + (e[0] + r[3] * tx + r[1] * tz - r[2] * ty))
    const by = ay - (o[1] - p[1] + (e[1] + r[3] * ty + r[2] * tx - r[0] * tz))
    const bz = az - (o[2] - p[2] + (e[2] + r[3] * tz + r[0] * ty - r[1] * tx))
    tx = 2 * (q[1] * d[2] - q[2] * d[1])
    ty = 2 * (q[2] * d[0] - q[0] * d[2])
    tz = 2 * (q[0] * d[1] - q[1] * d[0])
    const ux = d[0] + q[3] * tx + q[1] * tz - q[2] * ty
    const uy = d[1] + q[3] * ty + q[2] * tx - q[0] * tz
    const uz = d[2] + q[3] * tz + q[0] * ty - q[1] * tx
    tx = 2 * (r[1] * f[2] - r[2] * f[1])
    ty = 2 * (r[2] * f[0] - r[0] * f[2])
    tz = 2 * (r[0] * f[1] - r[1] * f[0])
    const vx = f[0] + r[3] * tx + r[1] * tz - r[2] * ty
    const vy = f[1] + r[3] * ty + r[2] * tx - r[0] * tz
    const vz = f[2] + r[3] * tz + r[0] * ty - r[1] * tx
    const mx = uy * vz - uz * vy
    const my = uz * vx - ux * vz
    const mz = ux * vy - uy * vx
    const sine = Math.sqrt(mx * mx + my * my + mz * mz)
    const s = sign / sine
    const foot = -((by * vz - bz * vy) * mx + (bz * vx - bx * vz) * my + (bx * vy - by * vx) * mz) / (sine * sine)
    out[0] = mx * s
    out[1] = my * s
    out[2] = mz * s
    out[3] = ax + ux * foot
    out[4] = ay + uy * foot
    out[5] = az + uz * foot
    return mx * s * bx + my * s * by + mz * s * bz - radius - radiusB
  }

  rates(a: BodyMotion, b: BodyMotion): ContactRates {
    const out = kinematic
    this.kinematics(a, b, out)
    return { pointRate: [out[7]!, out[8]!, out[9]!], normalRate: [out[10]!, out[11]!, out[12]!] }
  }

  kinematics(a: BodyMotion, b: BodyMotion, out: Float64Array): void {
    this.place(a.pose, b.pose, out)
    const { lineA: { origin: c, direction: d, radius }, lineB: { origin: e, direction: f, radius: radiusB }, sign } = this.given
    const { rotation: R, center: g, velocity: v, angularVelocity: w, pose: { position: p } } = a
    const { rotation: S, center: h, velocity: u, angularVelocity: z, pose: { position: o } } = b
    // Origins relative to A's, and directions.
    const ax = R[0] * c[0] + R[1] * c[1] + R[2] * c[2]
    const ay = R[3] * c[0] + R[4] * c[1] + R[5] * c[2]
    const az = R[6] * c[0] + R[7] * c[1] + R[8] * c[2]
    const dx = R[0] * d[0] + R[1] * d[1] + R[2] * d[2]
    const dy = R[3] * d[0] + R[4] * d[1] + R[5] * d[2]
    const dz = R[6] * d[0] + R[7] * d[1] + R[8] * d[2]
    const bx = o[0] - p[0] + (S[0] * e[0] + S[1] * e[1] + S[2] * e[2])
    const by = o[1] - p[1] + (S[3] * e[0] + S[4] * e[1] + S[5] * e[2])
    const bz = o[2] - p[2] + (S[6] * e[0] + S[7] * e[1] + S[8] * e[2])
    const fx = S[0] * f[0] + S[1] * f[1] + S[2] * f[2]
    const fy = S[3] * f[0] + S[4] * f[1] + S[5] * f[2]
    const fz = S[6] * f[0] + S[7] * f[1] + S[8] * f[2]
    // The feet of the common perpendicular.
    const mx = dy * fz - dz * fy
    const my = dz * fx - dx * fz
    const mz = dx * fy - dy * fx
    const sine = Math.sqrt(mx * mx + my * my + mz * mz)
    const unit = sign / sine
    const nx = mx * unit
    const ny = my * unit
    const nz = mz * unit
    const ex = ax - bx
    const ey = ay - by
    const ez = az - bz
    const s = -((ey * fz - ez * fy) * mx + (ez * fx - ex * fz) * my + (ex * fy - ey * fx) * mz) / (sine * sine)
    const t = -((ey * dz - ez * dy) * mx + (ez * dx - ex * dz) * my + (ex * dy - ey * dx) * mz) / (sine * sine)
    const distance = nx * ex + ny * ey + nz * ez
    // Their velocities as points of their bodies.
    const rx = p[0] + (ax + dx * s) - g[0]
    const ry = p[1] + (ay + dy * s) - g[1]
    const rz = p[2] + (az + dz * s) - g[2]
    const qx = p[0] + (bx + fx * t) - h[0]
    const qy = p[1] + (by + fy * t) - h[1]
    const qz = p[2] + (bz + fz * t) - h[2]
    const vx = v[0] + (w[1] * rz - w[2] * ry)
    const vy = v[1] + (w[2] * rx - w[0] * rz)
    const vz = v[2] + (w[0] * ry - w[1] * rx)
    const relx = vx - (u[0] + (z[1] * qz - z[2] * qy))
    const rely = vy - (u[1] + (z[2] * qx - z[0] * qz))
    const relz = vz - (u[2] + (z[0] * qy - z[1] * qx))
    const gapRate = nx * relx + ny * rely + nz * relz
    // ṁ: both directions turn with their bodies.
    const ix = w[1] * dz - w[2] * dy
    const iy = w[2] * dx - w[0] * dz
    const iz = w[0] * dy - w[1] * dx
    const jx = z[1] * fz - z[2] * fy
    const jy = z[2] * fx - z[0] * fz
    const jz = z[0] * fy - z[1] * fx
    const tx = (iy * fz - iz * fy + (dy * jz - dz * jy)) * unit
    const ty = (iz * fx - ix * fz + (dz * jx - dx * jz)) * unit
    const tz = (ix * fy - iy * fx + (dx * jy - dy * jx)) * unit
    const off = -(nx * tx + ny * ty + nz * tz)
    const kx = tx + nx * off
    const ky = ty + ny * off
    const kz = tz + nz * off
    // Speed of A's foot along its line.
    const lx = nx * gapRate + kx * distance - relx
    const ly = ny * gapRate + ky * distance - rely
    const lz = nz * gapRate + kz * distance - relz
    const slide = ((ly * fz - lz * fy) * nx + (lz * fx - lx * fz) * ny + (lx * fy - ly * fx) * nz) * sign / sine
    const arm = -(radius + (distance - radius - radiusB) / 2)
    const along = -gapRate / 2
    out[7] = vx + dx * slide + kx * arm + nx * along
    out[8] = vy + dy * slide + ky * arm + ny * along
    out[9] = vz + dz * slide + kz * arm + nz * along
    out[10] = kx
    out[11] = ky
    out[12] = kz
  }

  margin(a: Pose, b: Pose): number {
    const { lineA, lineB, sign, slack } = this.given
    const { s, t } = feet(
      rotate(a.orientation, lineA.origin), rotate(a.orientation, lineA.direction),
      add(sub(b.position, a.position), rotate(b.orientation, lineB.origin)), rotate(b.orientation, lineB.direction), sign,
    )
    return Math.min(s, lineA.length - s, t, lineB.length - t) + slack
  }
}

/** Feet of the common perpendicular of two lines that are not parallel. */
export function feet(originA: Vec3, eA: Vec3, originB: Vec3, eB: Vec3, sign: 1 | -1): Feet {
  const m = cross(eA, eB)
  const sine = length(m)
  const normal = scale(m, sign / sine)
  const between = sub(originA, originB)
  const s = -dot(cross(between, eB), m) / (sine * sine)
  const t = -dot(cross(between, eA), m) / (sine * sine)
  return { normal, sine, distance: dot(normal, between), s, t }
}
