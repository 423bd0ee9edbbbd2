/**
 * A point of A, with a ball around it, on the side of a cone of B.
 *
 * The side's normals all have the same angle to the axis. With ρ̂ the direction from the axis to the point and z out of the base towards the apex o,
 *
 *   n̂ = (h ρ̂ + r z)/l,  l² = h² + r²,  C = n̂·(c − o) − r_A,  n̂̇ = ω_B × n̂ + (h/l) (u − z(z·u) − ρ̂(ρ̂·u))/ρ
 *
 * with u the velocity of the point relative to B. The change of ρ̂ is perpendicular to c − o, so Ċ = n̂·u.
 */

import { velocityAt, type BodyMotion } from '../../geometry/motion'
import type { Pose } from '../../math/pose'
import { rotate } from '../../math/quaternion'
import { add, addScaled, cross, dot, length, perpendicular, scale, sub, type Vec3 } from '../../math/vector'
import type { ContactLocation, ContactRates, Feature, FeaturePair } from '../contact'
import { pairKey } from './key'

/** The side of a cone, in its body frame. */
export interface ConeSide {
  readonly apex: Vec3
  /** Unit, from the base to the apex. */
  readonly axis: Vec3
  /** Radius of the base, and height of the apex above it, m. */
  readonly radius: number
  readonly height: number
}

export interface PointOnCone {
  readonly featureA: Feature
  readonly featureB: Feature
  readonly point: Vec3
  readonly radius: number
  readonly side: ConeSide
  readonly slack: number
}

export class PointOnConePair implements FeaturePair {
  readonly key: string
  readonly featureA: Feature
  readonly featureB: Feature
  private readonly slant: number

  constructor(private readonly given: PointOnCone) {
    this.featureA = given.featureA
    this.featureB = given.featureB
    this.key = pairKey(given.featureA, given.featureB)
    this.slant = length([given.side.radius, given.side.height, 0])
  }

  locate(a: Pose, b: Pose): ContactLocation {
    const { arm, normal, gap } = this.place(a, b)
    return { point: addScaled(add(a.position, arm), normal, -(this.given.radius + gap / 2)), normal, gap }
  }

  rates(a: BodyMotion, b: BodyMotion): ContactRates {
    const { arm, normal, gap, outwards, axis, distance } = this.place(a.pose, b.pose)
    const { radius, side } = this.given
    const center = add(a.pose.position, arm)
    const velocity = velocityAt(a, center)
    const relative = sub(velocity, velocityAt(b, center))
    const around = addScaled(addScaled(relative, axis, -dot(axis, relative)), outwards, -dot(outwards, relative))
    const turning = distance > 0 ? scale(around, side.height / (this.slant * distance)) : ([0, 0, 0] as Vec3)
    const normalRate = add(cross(b.angularVelocity, normal), turning)
    const gapRate = dot(normal, relative)
    return { pointRate: addScaled(addScaled(velocity, normalRate, -(radius + gap / 2)), normal, -gapRate / 2), normalRate }
  }

  margin(a: Pose, b: Pose): number {
    const { fromApex, outwards, axis } = this.place(a, b)
    const { side, slack } = this.given
    const down = (side.radius * dot(outwards, fromApex) - side.height * dot(axis, fromApex)) / this.slant
    return Math.min(down, this.slant - down) + slack
  }

  private place(a: Pose, b: Pose) {
    const { side, point, radius } = this.given
    const axis = rotate(b.orientation, side.axis)
    const arm = rotate(a.orientation, point)
    const fromApex = sub(add(sub(a.position, b.position), arm), rotate(b.orientation, side.apex))
    const across = addScaled(fromApex, axis, -dot(axis, fromApex))
    const distance = length(across)
    const outwards = distance > 0 ? scale(across, 1 / distance) : perpendicular(axis)
    const normal = add(scale(outwards, side.height / this.slant), scale(axis, side.radius / this.slant))
    return { arm, axis, fromApex, distance, outwards, normal, gap: dot(normal, fromApex) - radius }
  }
}
