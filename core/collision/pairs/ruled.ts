/**
 * Two ruled surfaces: straight lines with a swept ball, and sides of cones.
 *
 * The normals of a cone's side have a constant angle to its axis e (towards the apex o): n̂·e = σ = r/l out of the cone. Those of a line are perpendicular
 * to it, σ = 0, and any of its points serves as an apex. So out of B towards A
 *
 *   n̂·e_A = −σ_A,   n̂·e_B = σ_B,   |n̂| = 1
 *
 * which leaves two directions, one on either side, or none where the axes enclose a smaller angle than the normals allow (an edge that points into a
 * cone). Such surfaces cannot touch along generators; their gap is then the one along the direction in the plane of the axes to which both directions
 * converge, and their margin is −∞. Each surface touches along the generator down from its apex, g_B = (σ_B n̂ − e_B)/√(1 − σ_B²), which
 * turns about the axis with n̂:
 *
 *   n̂̇·e_A = −n̂·ė_A,  n̂̇·e_B = −n̂·ė_B,  n̂̇·n̂ = 0,   x_A = o_A + s g_A,  x_B = o_B + t g_B,  x_A − x_B = D n̂
 */

import { velocityAt, type BodyMotion } from '../../geometry/motion'
import type { Pose } from '../../math/pose'
import { rotate } from '../../math/quaternion'
import { add, addScaled, cross, dot, normalize, perpendicular, scale, sub, type Vec3 } from '../../math/vector'
import type { ContactLocation, ContactRates, Feature, FeaturePair } from '../contact'
import { pairKey } from './key'
import { feet } from './line-line'

/** In the body frame. */
export interface Ruled {
  readonly apex: Vec3
  /** Unit, towards the apex. */
  readonly axis: Vec3
  /** Cosine between the outward normals and the axis: 0 for a line. */
  readonly lean: number
  /** m, along a generator from the apex to the end. */
  readonly length: number
  /** Radius of the swept ball, m. */
  readonly radius: number
}

export interface RuledOnRuled {
  readonly featureA: Feature
  readonly featureB: Feature
  readonly a: Ruled
  readonly b: Ruled
  /** Which of the two directions: sign of n̂ · (e_A × e_B). */
  readonly sign: 1 | -1
  readonly slack: number
}

/** Direction down from the apex for the outward unit normal `normal`. */
export function generator(axis: Vec3, lean: number, normal: Vec3): Vec3 {
  return scale(addScaled(scale(axis, -1), normal, lean), 1 / Math.sqrt(1 - lean * lean))
}

export class RuledPair implements FeaturePair {
  readonly key: string
  readonly featureA: Feature
  readonly featureB: Feature

  constructor(private readonly given: RuledOnRuled) {
    this.featureA = given.featureA
    this.featureB = given.featureB
    this.key = pairKey(given.featureA, given.featureB)
  }

  locate(a: Pose, b: Pose): ContactLocation {
    const { apexA, gA, normal, s, distance } = this.place(a, b)
    const { radius } = this.given.a
    const gap = distance - radius - this.given.b.radius
    const foot = add(a.position, addScaled(apexA, gA, s))
    return { point: addScaled(foot, normal, -(radius + gap / 2)), normal, gap }
  }

  rates(a: BodyMotion, b: BodyMotion): ContactRates {
    const { apexA, apexB, eA, eB, gA, gB, normal, s, t, distance, faces } = this.place(a.pose, b.pose)
    const [ruledA, ruledB] = [this.given.a, this.given.b]
    if (!faces) return { pointRate: velocityAt(a, addScaled(add(a.pose.position, apexA), gA, s)), normalRate: cross(a.angularVelocity, normal) }
    const gap = distance - ruledA.radius - ruledB.radius
    const [eRateA, eRateB] = [cross(a.angularVelocity, eA), cross(b.angularVelocity, eB)]
    const normalRate = scale(add(
      scale(cross(eB, normal), -dot(normal, eRateA)), scale(cross(normal, eA), -dot(normal, eRateB)),
    ), 1 / dot(eA, cross(eB, normal)))
    const turn = (lean: number, eRate: Vec3, rate: number): Vec3 => scale(addScaled(scale(eRate, -1), normalRate, rate * lean), 1 / Math.sqrt(1 - lean * lean))
    const alongA = addScaled(velocityAt(a, add(a.pose.position, apexA)), turn(ruledA.lean, eRateA, -1), s)
    const alongB = addScaled(velocityAt(b, add(a.pose.position, apexB)), turn(ruledB.lean, eRateB, 1), t)
    const relative = sub(alongA, alongB)
    const gapRate = dot(normal, relative)
    const m = cross(gA, gB)
    const sliding = sub(addScaled(scale(normal, gapRate), normalRate, distance), relative)
    const footRate = addScaled(alongA, gA, dot(cross(sliding, gB), m) / dot(m, m))
    return { pointRate: addScaled(addScaled(footRate, normalRate, -(ruledA.radius + gap / 2)), normal, -gapRate / 2), normalRate }
  }

  margin(a: Pose, b: Pose): number {
    const { s, t, faces } = this.place(a, b)
    return faces ? Math.min(s, this.given.a.length - s, t, this.given.b.length - t) + this.given.slack : -Infinity
  }

  /** Positions relative to that of A. `faces`: whether a direction has the required angles to both axes. */
  private place(a: Pose, b: Pose) {
    const { a: ruledA, b: ruledB, sign } = this.given
    const eA = rotate(a.orientation, ruledA.axis)
    const eB = rotate(b.orientation, ruledB.axis)
    const apexA = rotate(a.orientation, ruledA.apex)
    const apexB = add(sub(b.position, a.position), rotate(b.orientation, ruledB.apex))
    const cosine = dot(eA, eB)
    const sideways = cross(eA, eB)
    const square = dot(sideways, sideways)
    const alpha = -(ruledA.lean + cosine * ruledB.lean) / square
    const beta = (ruledB.lean + cosine * ruledA.lean) / square
    const rest = (1 + alpha * ruledA.lean - beta * ruledB.lean) / square
    const between = addScaled(scale(eA, alpha), eB, beta)
    if (!(rest >= 0)) {
      const normal = square > 0 ? normalize(between) : perpendicular(eA)
      const distance = dot(normal, sub(apexA, apexB)) - beyondApex(ruledA, eA, scale(normal, -1)) - beyondApex(ruledB, eB, normal)
      return { apexA, apexB, eA, eB, gA: scale(eA, -1), gB: scale(eB, -1), normal, s: 0, t: 0, distance, faces: false }
    }
    const normal = addScaled(between, sideways, sign * Math.sqrt(rest))
    const gA = generator(eA, ruledA.lean, scale(normal, -1))
    const gB = generator(eB, ruledB.lean, normal)
    const { s, t } = feet(apexA, gA, apexB, gB, 1)
    return { apexA, apexB, eA, eB, gA, gB, normal, s, t, distance: dot(normal, sub(apexA, apexB)), faces: true }
  }
}

/** m: how far the end of a surface reaches beyond its apex along a unit vector; 0 if the apex reaches farther. */
function beyondApex({ lean, length }: Ruled, axis: Vec3, along: Vec3): number {
  const up = dot(axis, along)
  return Math.max(0, length * (lean * Math.sqrt(Math.max(1 - up * up, 0)) - up * Math.sqrt(1 - lean * lean)))
}
