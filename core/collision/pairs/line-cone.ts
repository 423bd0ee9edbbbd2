/**
 * A straight line of A, with a ball rolled along it, across the side of a cone of B.
 *
 * n̂ is at right angles to the line e and leans by the cone's angle against its axis z (towards the apex o): n̂·e = 0, n̂·z = σ = r/l, which leaves two
 * directions, on either side. The cone touches along the generator g = (σ n̂ − z)/√(1 − σ²) down from the apex, which turns about the cone as n̂ does:
 *
 *   n̂̇·e = −n̂·ė,  n̂̇·z = −n̂·ż,  n̂̇·n̂ = 0,   x_A = q + t e,  x_B = o + s g,  x_A − x_B = D n̂
 */

import { velocityAt, type BodyMotion } from '../../geometry/motion'
import type { Pose } from '../../math/pose'
import { rotate } from '../../math/quaternion'
import { add, addScaled, cross, dot, length, scale, sub } from '../../math/vector'
import type { ContactLocation, ContactRates, Feature, FeaturePair } from '../contact'
import { pairKey } from './key'
import { feet, type Segment } from './line-line'
import type { ConeSide } from './point-cone'

export interface LineOnCone {
  readonly featureA: Feature
  readonly featureB: Feature
  readonly line: Segment
  readonly side: ConeSide
  /** Which of the two directions: sign of n̂ · (e × z). */
  readonly sign: 1 | -1
  readonly slack: number
}

export class LineOnConePair implements FeaturePair {
  readonly key: string
  readonly featureA: Feature
  readonly featureB: Feature
  private readonly slant: number

  constructor(private readonly given: LineOnCone) {
    this.featureA = given.featureA
    this.featureB = given.featureB
    this.key = pairKey(given.featureA, given.featureB)
    this.slant = length([given.side.radius, given.side.height, 0])
  }

  locate(a: Pose, b: Pose): ContactLocation {
    const { origin, direction, normal, t, distance } = this.place(a, b)
    const gap = distance - this.given.line.radius
    const foot = add(a.position, addScaled(origin, direction, t))
    return { point: addScaled(foot, normal, -(this.given.line.radius + gap / 2)), normal, gap }
  }

  rates(a: BodyMotion, b: BodyMotion): ContactRates {
    const { origin, apex, direction: e, axis: z, generator: g, normal, s, t, distance } = this.place(a.pose, b.pose)
    const { line, side } = this.given
    const gap = distance - line.radius
    const eRate = cross(a.angularVelocity, e)
    const zRate = cross(b.angularVelocity, z)
    const determinant = dot(e, cross(z, normal))
    const normalRate = scale(add(
      scale(cross(z, normal), -dot(normal, eRate)), scale(cross(normal, e), -dot(normal, zRate)),
    ), 1 / determinant)
    const gRate = scale(sub(scale(normalRate, side.radius / this.slant), zRate), this.slant / side.height)
    const velocityA = velocityAt(a, add(a.pose.position, addScaled(origin, e, t)))
    const relative = sub(velocityA, addScaled(velocityAt(b, add(a.pose.position, apex)), gRate, s))
    const gapRate = dot(normal, relative)
    const m = cross(e, g)
    const sliding = sub(addScaled(scale(normal, gapRate), normalRate, distance), relative)
    const footRate = addScaled(velocityA, e, dot(cross(sliding, g), m) / dot(m, m))
    return { pointRate: addScaled(addScaled(footRate, normalRate, -(line.radius + gap / 2)), normal, -gapRate / 2), normalRate }
  }

  margin(a: Pose, b: Pose): number {
    const { s, t } = this.place(a, b)
    return Math.min(s, this.slant - s, t, this.given.line.length - t) + this.given.slack
  }

  /** About A's position; NaN where the line is too steep against the axis for any direction to lean so. */
  private place(a: Pose, b: Pose) {
    const { line, side, sign } = this.given
    const direction = rotate(a.orientation, line.direction)
    const origin = rotate(a.orientation, line.origin)
    const axis = rotate(b.orientation, side.axis)
    const apex = add(sub(b.position, a.position), rotate(b.orientation, side.apex))
    const lean = side.radius / this.slant
    const across = addScaled(axis, direction, -dot(axis, direction))
    const square = dot(across, across)
    const along = lean / square
    const sideways = sign * Math.sqrt(1 / square - along * along)
    const normal = addScaled(scale(across, along), cross(direction, across), sideways)
    const generator = scale(addScaled(scale(axis, -1), normal, lean), this.slant / side.height)
    const { s: t, t: s } = feet(origin, direction, apex, generator, 1)
    return { origin, direction, axis, apex, normal, generator, s, t, distance: dot(normal, sub(origin, apex)) }
  }
}
