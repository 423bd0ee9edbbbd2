/**
 * A corner of a flat contact region at the crossing of an outline of A and one of B, at least one of them a circle: the rim of a disc of A over an edge or a
 * rim around a flat of B, or a straight line of A (with a swept ball) over the rim of a disc of B.
 *
 * The corner is fixed to neither body and moves on both as they slide. With û_A, û_B the outlines' normals in the flat's plane, each fixed to its body,
 *
 *   û_A · ṗ = û_A · v_A(p),   û_B · ṗ = û_B · v_B(p),   n̂ · ṗ = n̂ · ½ (v_A(p) + v_B(p)),   n̂̇ = ω_B × n̂
 *
 * For a line with a ball, v_A is the velocity of its axis minus r n̂̇.
 */

import { velocityAt, type BodyMotion } from '../../geometry/motion'
import type { Pose } from '../../math/pose'
import { rotate } from '../../math/quaternion'
import { add, addScaled, cross, dot, lengthSquared, scale, sub, type Vec3 } from '../../math/vector'
import type { ContactLocation, ContactRates, Feature, FeaturePair } from '../contact'
import type { Disc } from '../round'
import { sineBetween, tiltMargin } from './boundary'
import { pairKey } from './key'
import type { Segment } from './line-line'

/** In the frame of its body. */
export type Outline = Segment | Disc

export interface OutlineCrossing {
  readonly featureA: Feature
  readonly featureB: Feature
  /** Not both straight. */
  readonly outlineA: Outline
  readonly outlineB: Outline
  /** Normal of B's flat: unit, out of B, in the body frame of B. */
  readonly normal: Vec3
  /** Which of the two crossings. */
  readonly side: 1 | -1
  readonly slack: number
}

/** World directions; positions relative to the origin of A. */
interface Place {
  readonly normal: Vec3
  /** On the axis of A's line, or in the plane of A's disc. */
  readonly onA: Vec3
  /** m */
  readonly gap: number
  /** In the plane, perpendicular to the outlines, of any length. */
  readonly acrossA: Vec3
  readonly acrossB: Vec3
  /** m: distance inside a line's ends, and distance from the position where the outlines separate. */
  readonly inside: number
}

interface Crossing {
  /** From the circle's centre, in the plane. */
  readonly radial: Vec3
  readonly inside: number
}

export class OutlineCrossingPair implements FeaturePair {
  readonly key: string
  readonly featureA: Feature
  readonly featureB: Feature
  /** Radius of the ball along A's line, m. */
  private readonly ball: number

  constructor(private readonly given: OutlineCrossing) {
    this.featureA = given.featureA
    this.featureB = given.featureB
    this.key = pairKey(given.featureA, given.featureB)
    this.ball = 'direction' in given.outlineA ? given.outlineA.radius : 0
  }

  locate(a: Pose, b: Pose): ContactLocation {
    const { normal, onA, gap } = this.place(a, b)
    return { point: add(a.position, addScaled(onA, normal, -(this.ball + gap / 2))), normal, gap }
  }

  rates(a: BodyMotion, b: BodyMotion): ContactRates {
    const { normal, onA, gap, acrossA, acrossB } = this.place(a.pose, b.pose)
    const normalRate = cross(b.angularVelocity, normal)
    const axisPoint = add(a.pose.position, onA)
    const reach = this.ball + gap / 2
    const point = addScaled(axisPoint, normal, -reach)
    const velocityA = addScaled(velocityAt(a, axisPoint), normalRate, -reach)
    const velocityB = velocityAt(b, point)
    const middle = dot(normal, add(velocityAt(a, point), velocityB)) / 2
    const m = cross(acrossB, normal)
    const pointRate = scale(add(
      add(scale(m, dot(acrossA, velocityA)), scale(cross(normal, acrossA), dot(acrossB, velocityB))), scale(cross(acrossA, acrossB), middle),
    ), 1 / dot(acrossA, m))
    return { pointRate, normalRate }
  }

  margin(a: Pose, b: Pose): number {
    const { outlineA, outlineB, slack } = this.given
    const { normal, inside } = this.place(a, b)
    const level = 'direction' in outlineA
      ? tiltMargin(Math.abs(dot(rotate(a.orientation, outlineA.direction), normal)), outlineB.radius, slack)
      : tiltMargin(sineBetween(rotate(a.orientation, outlineA.normal), normal), outlineA.radius, slack)
    return Math.min(inside + slack, level)
  }

  /** Whether the outlines cross within the line's ends, at any tilt. */
  isInside(a: Pose, b: Pose): boolean {
    return this.place(a, b).inside >= 0
  }

  private place(a: Pose, b: Pose): Place {
    const { outlineA, outlineB, side } = this.given
    const normal = rotate(b.orientation, this.given.normal)
    const inA = (p: Vec3): Vec3 => rotate(a.orientation, p)
    const inB = (p: Vec3): Vec3 => add(sub(b.position, a.position), rotate(b.orientation, p))
    if ('direction' in outlineA) {
      const { center, radius } = outlineB as Disc
      const [origin, along, middle] = [inA(outlineA.origin), inA(outlineA.direction), inB(center)]
      const { radial, inside } = circleAndLine(middle, radius, origin, along, outlineA.length, normal, side)
      const onA = addScaled(origin, along, dot(along, sub(add(middle, radial), origin)))
      const gap = dot(normal, sub(onA, middle)) - this.ball
      return { normal, onA, gap, acrossA: cross(along, normal), acrossB: radial, inside }
    }
    const [center, axis] = [inA(outlineA.center), inA(outlineA.normal)]
    const inPlane = (onB: Vec3): { onA: Vec3, gap: number } => {
      const gap = dot(axis, sub(center, onB)) / dot(axis, normal)
      return { onA: addScaled(onB, normal, gap), gap }
    }
    if ('direction' in outlineB) {
      const [origin, along] = [inB(outlineB.origin), rotate(b.orientation, outlineB.direction)]
      const { radial, inside } = circleAndLine(center, outlineA.radius, origin, along, outlineB.length, normal, side)
      const onB = addScaled(origin, along, dot(along, sub(add(center, radial), origin)))
      return { normal, ...inPlane(onB), acrossA: radial, acrossB: cross(along, normal), inside }
    }
    const middle = inB(outlineB.center)
    const { radial, inside } = twoCircles(middle, outlineB.radius, center, outlineA.radius, normal, side)
    const onB = add(middle, radial)
    return { normal, ...inPlane(onB), acrossA: flatten(sub(onB, center), normal), acrossB: radial, inside }
  }
}

function flatten(v: Vec3, normal: Vec3): Vec3 {
  return addScaled(v, normal, -dot(v, normal))
}

/** The point where a line from `origin` leaves (side 1) or enters the circle, in the plane. */
function circleAndLine(center: Vec3, radius: number, origin: Vec3, along: Vec3, length: number, normal: Vec3, side: 1 | -1): Crossing {
  const way = flatten(sub(origin, center), normal)
  const nearest = -dot(way, along)
  const foot = addScaled(way, along, nearest)
  const square = radius * radius - lengthSquared(foot)
  const half = side * Math.sqrt(Math.max(square, 0))
  const t = nearest + half
  return { radial: flatten(addScaled(foot, along, half), normal), inside: Math.min(t, length - t, square / radius) }
}

/** Relative to the first centre; NaN for concentric circles. */
function twoCircles(center: Vec3, radius: number, other: Vec3, otherRadius: number, normal: Vec3, side: 1 | -1): Crossing {
  const way = flatten(sub(other, center), normal)
  const apart = lengthSquared(way)
  const share = (apart + radius * radius - otherRadius * otherRadius) / (2 * apart)
  const square = radius * radius - share * share * apart
  return {
    radial: add(scale(way, share), scale(cross(normal, way), side * Math.sqrt(Math.max(square, 0) / apart))), inside: square / radius,
  }
}
