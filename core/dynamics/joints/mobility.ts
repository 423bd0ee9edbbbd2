/**
 * The free coordinates of a joint, of A relative to B: the parametric form of the joint [PBM01-F §5], in addition to the implicit form C = 0 of its equations.
 *
 * F_A and F_B are the joint's frame fixed in either body; at the initial pose both are equal and along the world's axes. p_A and p_B are its anchors:
 *
 *   p_A = p_B + F_B Σ aₖ sₖ,   F_A = F_B R(turns)
 *
 * For a bead on a wire, p_A = p_B + S(u) in the axes of B, and u replaces the slides.
 *
 * R is a product of rotations about fixed axes, the first fixed in B and the last in A; or it is any rotation. Slides are fixed in B. The axes of turns are
 * perpendicular to each other at every pose, and so are those of slides. So each rate is the component of the relative velocity along its axis.
 */

import { conjugate, type Quat } from '../../math/quaternion'
import { UNIT_X, UNIT_Y, UNIT_Z, type Vec3 } from '../../math/vector'
import { attachDirection, attachPoint, type Joined } from './frame'
import type { CurvePoint } from './parametric-curve'

/** Direction of a joint coordinate, a unit vector. */
export interface JointAxis {
  /** In the joint's frame. */
  readonly axis: Vec3
  /** In the axes of the body in which it is fixed. */
  readonly local: Vec3
}

/** A curve fixed in B; its points are relative to B's anchor. */
export interface Wire {
  at(u: number): CurvePoint
  /** |S′| at the initial position of A, m per unit of u. */
  readonly speed: number
  /** The parameter of the point closest to a given one (in the axes of B), on the branch of the last result. */
  closest(point: Vec3): number
}

export interface Turn extends JointAxis {
  /** The body in which the axis is fixed; either one if it is the only rotation. */
  readonly fixedIn: 'A' | 'B'
}

export interface Mobility {
  /** Anchors in the axes of the bodies, m from their centres of mass. */
  readonly pointA: Vec3
  readonly pointB: Vec3
  /** The joint's frame in the axes of the bodies. */
  readonly frameA: Quat
  readonly frameB: Quat
  /** Axes of the translations, fixed in B; none on a wire. */
  readonly slides: readonly JointAxis[]
  /** The wire that A's anchor follows, whose parameter is the first coordinate; null: none. */
  readonly wire: Wire | null
  /** Axes of the rotations: at most two; or the three axes of the joint's frame in B if every rotation is free. */
  readonly turns: readonly Turn[]
  /** Whether every rotation is free; its position is then a quaternion. */
  readonly free: boolean
}

/** Number of coordinates along B: the slides, or one for a wire. */
export function alongCount({ slides, wire }: Mobility): number {
  return wire === null ? slides.length : 1
}

/** Mobility of a joint without a wire. @param anchor world frame, initial pose, m @param slides unit vectors, world frame, initial pose; `turns` likewise */
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
