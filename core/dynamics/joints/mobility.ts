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
import type { Vec3 } from '../../math/vector'
import { attachPoint, type Joined } from './frame'

export interface Turn {
  /** Unit, in the joint's frame. */
  readonly axis: Vec3
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
  /** Unit axes, in the joint's frame. */
  readonly slides: readonly Vec3[]
  /** At most two, or `free`: any rotation, by a quaternion. */
  readonly turns: readonly Turn[] | 'free'
}

export function mobilityOf(
  { initialA, initialB }: Joined, anchor: Vec3, slides: readonly Vec3[], turns: Mobility['turns'],
): Mobility {
  return {
    pointA: attachPoint(initialA, anchor), pointB: attachPoint(initialB, anchor),
    frameA: conjugate(initialA.pose.orientation), frameB: conjugate(initialB.pose.orientation), slides, turns,
  }
}
