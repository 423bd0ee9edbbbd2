/**
 * What a joint leaves free, as coordinates of A relative to B: the parametric form of the joint [PBM01-F §5], beside the implicit form C = 0 of its equations.
 *
 * With F_A, F_B the joint's frame seen from either body (equal at the initial pose, there along the world's axes), p_A and p_B its anchor on them,
 *
 *   p_A = p_B + F_B Σ aₖ sₖ,   F_A = F_B R(turns)
 *
 * where R is a product of rotations about fixed axes, the first of them fixed in B, the last in A, or any rotation at all. Slides are fixed in B. The axes of
 * turns are perpendicular to each other at every pose, and those of slides too, so that each rate is the component of the relative velocity along its axis.
 */

import { conjugate, type Quat } from '../../math/quaternion'
import { UNIT_X, UNIT_Y, UNIT_Z, type Vec3 } from '../../math/vector'
import { attachDirection, attachPoint, type Joined } from './frame'

/** A direction of a joint, unit. */
export interface JointAxis {
  /** In the joint's frame. */
  readonly axis: Vec3
  /** In the axes of the body in which it is fixed. */
  readonly local: Vec3
}

export interface Turn extends JointAxis {
  /** The body in which it stays as it is; either will do where it is the only one. */
  readonly fixedIn: 'A' | 'B'
}

export interface Mobility {
  /** Anchors in the axes of the bodies, m from their centres of mass. */
  readonly pointA: Vec3
  readonly pointB: Vec3
  /** The joint's frame in the axes of the bodies. */
  readonly frameA: Quat
  readonly frameB: Quat
  /** Fixed in B. */
  readonly slides: readonly JointAxis[]
  /** At most two; where any rotation is free, three in B along the joint's frame. */
  readonly turns: readonly Turn[]
  /** Any rotation, whose position is a quaternion. */
  readonly free: boolean
}

export function mobilityOf(
  { initialA, initialB }: Joined, anchor: Vec3, slides: readonly Vec3[], turns: readonly Pick<Turn, 'axis' | 'fixedIn'>[] | 'free',
): Mobility {
  const inB = (axis: Vec3): JointAxis => ({ axis, local: attachDirection(initialB, axis) })
  const axes = turns === 'free' ? [UNIT_X, UNIT_Y, UNIT_Z].map(axis => ({ axis, fixedIn: 'B' as const })) : turns
  return {
    pointA: attachPoint(initialA, anchor), pointB: attachPoint(initialB, anchor),
    frameA: conjugate(initialA.pose.orientation), frameB: conjugate(initialB.pose.orientation),
    slides: slides.map(inB), free: turns === 'free',
    turns: axes.map(({ axis, fixedIn }): Turn => ({ fixedIn, axis, local: attachDirection(fixedIn === 'A' ? initialA : initialB, axis) })),
  }
}
