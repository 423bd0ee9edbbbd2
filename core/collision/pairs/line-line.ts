/**
 * Two straight lines that cross, each with a ball rolled along it: edge on edge, capsule on edge, capsule on capsule.
 *
 *   m = e_A × e_B,  n̂ = ± m/|m|,  C = n̂ · (q_A − q_B) − r_A − r_B
 *   ṁ = (ω_A × e_A) × e_B + e_A × (ω_B × e_B),  n̂̇ = ± (ṁ − n̂(n̂·ṁ))/|m|
 *
 * The feet x_A = q_A + s e_A and x_B = q_B + t e_B, with x_A − x_B along n̂, slide along their lines while the lines turn; ṡ and ṫ follow from
 * d/dt (x_A − x_B) = Ċ n̂ + D n̂̇, with D = n̂ · (q_A − q_B).
 */

import { velocityAt, type BodyMotion } from '../../geometry/motion'
import { transform } from '../../math/matrix'
import type { Pose } from '../../math/pose'
import { rotate } from '../../math/quaternion'
import { add, addScaled, cross, dot, length, scale, sub, type Vec3 } from '../../math/vector'
import type { ContactLocation, ContactRates, Feature, FeaturePair } from '../contact'
import { pairKey } from './key'

/** A straight piece of a body, in its body frame. */
export interface Segment {
  readonly origin: Vec3
  /** Unit. */
  readonly direction: Vec3
  /** m; Infinity for a line without ends. */
  readonly length: number
  /** m, of the ball rolled along it. */
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

/** Of the pair in hand: normal and foot. */
const scratch = new Float64Array(6)

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
    const out = scratch
    const gap = this.across(a, b, out)
    const s = -(this.given.lineA.radius + gap / 2)
    const { position: p } = a
    return {
      point: [p[0] + out[3]! + out[0]! * s, p[1] + out[4]! + out[1]! * s, p[2] + out[5]! + out[2]! * s], normal: [out[0]!, out[1]!, out[2]!], gap,
    }
  }

  gap(a: Pose, b: Pose): number {
    return this.across(a, b, scratch)
  }

  /** The gap, m; into `out` the normal, and the foot on A's line from A's origin, m, in world axes. */
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
    const { lineA, lineB, sign } = this.given
    const originA = transform(a.rotation, lineA.origin)
    const eA = transform(a.rotation, lineA.direction)
    const originB = add(sub(b.pose.position, a.pose.position), transform(b.rotation, lineB.origin))
    const eB = transform(b.rotation, lineB.direction)
    const { normal, sine, distance, s, t } = feet(originA, eA, originB, eB, sign)
    const gap = distance - lineA.radius - lineB.radius
    const velocityA = velocityAt(a, add(a.pose.position, addScaled(originA, eA, s)))
    const velocityB = velocityAt(b, add(a.pose.position, addScaled(originB, eB, t)))
    const relative = sub(velocityA, velocityB)
    const gapRate = dot(normal, relative)
    const turning = scale(add(cross(cross(a.angularVelocity, eA), eB), cross(eA, cross(b.angularVelocity, eB))), sign / sine)
    const normalRate = addScaled(turning, normal, -dot(normal, turning))
    const sliding = sub(addScaled(scale(normal, gapRate), normalRate, distance), relative)
    const sRate = dot(cross(sliding, eB), normal) * sign / sine
    const footRate = addScaled(velocityA, eA, sRate)
    return { pointRate: addScaled(addScaled(footRate, normalRate, -(lineA.radius + gap / 2)), normal, -gapRate / 2), normalRate }
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
