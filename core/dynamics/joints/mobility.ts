/**
 * What a joint leaves free, as coordinates of A relative to B: the parametric form of the joint [PBM01-F §5], beside the implicit form C = 0 of its equations.
 *
 * With F_A, F_B the joint's frame seen from either body (equal at the initial pose, there along the world's axes), p_A and p_B its anchor on them,
 *
 *   p_A = p_B + F_B Σ aₖ sₖ,   F_A = F_B R(turns)
 *
 * (on a wire, p_A = p_B + S(u) in the axes of B, with u in the place of a slide)
 *
 * where R is a product of rotations about fixed axes, the first of them fixed in B, the last in A, or any rotation at all. Slides are fixed in B. The axes of
 * turns are perpendicular to each other at every pose, and those of slides too, so that each rate is the component of the relative velocity along its axis.
 */

import { conjugate, type Quat } from '../../math/quaternion'
import { UNIT_X, UNIT_Y, UNIT_Z, type Vec3 } from '../../math/vector'
import { attachDirection, attachPoint, type Joined } from './frame'
import type { CurvePoint } from './parametric-curve'

/** A direction of a joint, unit. */
export interface JointAxis {
  /** In the joint's frame. */
  readonly axis: Vec3
  /** In the axes of the body in which it is fixed. */
  readonly local: Vec3
}

/** A curve fixed in B, points from B's anchor. */
export interface Wire {
  at(u: number): CurvePoint
  /** |S′| where A is at first, m. */
  readonly speed: number
  /** The parameter of the point closest to a given one in the axes of B, on the branch on which the last one was found. */
  closest(point: Vec3): number
}

export interface Turn extends JointAxis {
  /** The body in which it is constant; either one for an only coordinate. */
  readonly fixedIn: 'A' | 'B'
}

export interface Mobility {
  /** Anchors in the axes of the bodies, m from their centres of mass. */
  readonly pointA: Vec3
  readonly pointB: Vec3
  /** The joint's frame in the axes of the bodies. */
  readonly frameA: Quat
  readonly frameB: Quat
  /** Fixed in B; none on a wire. */
  readonly slides: readonly JointAxis[]
  /** The wire of A's anchor, with its parameter as first coordinate; null: none. */
  readonly wire: Wire | null
  /** At most two; if any rotation is free, three in B along the joint's frame. */
  readonly turns: readonly Turn[]
  /** Any rotation, whose position is a quaternion. */
  readonly free: boolean
}

/** Coordinates along B: slides, or the one of a wire. */
export function alongCount({ slides, wire }: Mobility): number {
  return wire === null ? slides.length : 1
}

export function mobilityOf(
  { initialA, initialB }: Joined, anchor: Vec3, slides: readonly Vec3[], turns: readonly Pick<Turn, 'axis' | 'fixedIn'>[] | 'free',
): Mobility {
  const inB = (axis: Vec3): JointAxis => ({ axis, local: attachDirection(initialB, axis) })
  const axes = turns === 'free' ? [UNIT_X, UNIT_Y, UNIT_Z].map(axis => ({ axis, fixedIn: 'B' as const })) : turns
  return {
    pointA: attachPoint(initialA, anchor), pointB: attachPoint(initialB, anchor),
    frameA: conjugate(initialA.pose.orientation), frameB: conjugate(initialB.pose.orientation),
    slides: slides.map(inB), wire: null, free: turns === 'free',
    turns: axes.map(({ axis, fixedIn }): Turn => ({ fixedIn, axis, local: attachDirection(fixedIn === 'A' ? initialA : initialB, axis) })),
  }
}
