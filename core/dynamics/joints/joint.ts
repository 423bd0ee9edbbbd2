/**
 * Interface of every joint: equations C(pose_A, pose_B) = 0, their Jacobian, and the velocity-product term, at given motions.
 *
 *   Ċ = J u,   C̈ = J u̇ + J̇ u,   u = (v_A, ω_A, v_B, ω_B), velocities of the centres of mass and world angular velocities
 *
 * Rows have natural units (m for translation, rad for rotation). A positive multiplier λ acts on the bodies as Jᵀ λ. The world (bodyB: null) is a
 * motion at rest with identity pose.
 */

import type { BodyMotion } from '../../geometry/motion'
import type { Vec3 } from '../../math/vector'
import type { Mobility } from './mobility'

/** Doubles of one Jacobian row. */
export const JACOBIAN_WIDTH = 12

/** One degree of freedom of a joint, on which limits, motors, damping, friction and springs act. */
export interface JointCoordinate {
  /** rad or m; A relative to B, right-handed about the axis, 0 at the initial pose, continuous over many turns through `unwrap`. */
  readonly position: number
  readonly velocity: number
  /** J of the coordinate, 12 doubles. */
  readonly jacobian: Float64Array
  /** J̇ u. */
  readonly bias: number
}

export interface JointEquations {
  /** C, rows. */
  readonly error: Float64Array
  /** rows × 12. */
  readonly jacobian: Float64Array
  /** J̇ u, rows. */
  readonly bias: Float64Array
  /** For a second pair of bodies, if there is one: its part of the Jacobian; its parts of C and J̇ u are scratch. */
  readonly second?: JointEquations
}

/** Two bodies, and the functions that evaluate the rows between them. */
export interface JointPair {
  /** Indices of bodies; −1 is the world. */
  readonly bodyA: number
  readonly bodyB: number
  /** Fills `out` for the given motions. */
  evaluate(a: BodyMotion, b: BodyMotion, out: JointEquations): void
}

export interface JointConstraint extends JointPair {
  readonly id: string
  readonly type: string
  readonly rows: number
  /** The rows of a gear act on two pairs of bodies: each row is the sum over both of `evaluateJoint`. */
  readonly second?: JointPair
  /** Number of free coordinates that limits and motors may act on: hinge, slider, pointOnCurve 1, universal, cylindrical 2, others 0. */
  readonly coordinates: number
  /** `near` is the last known position, for angles beyond ±π. */
  coordinate(index: number, a: BodyMotion, b: BodyMotion, near: number): JointCoordinate
  /** Its free coordinates, if they have a parametric form; absent for distance joints and gears. */
  readonly mobility?: Mobility
  /** Point at which reactions are reported, world frame. */
  anchor(a: BodyMotion, b: BodyMotion): Vec3
}

/** A joint whose equations are degenerate at the present poses of its bodies. */
export class DegenerateJointError extends Error {
  override readonly name = 'DegenerateJointError'

  constructor(readonly joint: string, reason: string) {
    super(`joint "${joint}": ${reason}`)
  }
}

/** Fills the equations of a joint, on all its bodies. */
export function evaluateJoint(constraint: JointConstraint, motionOf: (body: number) => BodyMotion, out: JointEquations): void {
  const { second } = constraint
  constraint.evaluate(motionOf(constraint.bodyA), motionOf(constraint.bodyB), out)
  if (second === undefined) return
  const part = out.second!
  second.evaluate(motionOf(second.bodyA), motionOf(second.bodyB), part)
  part.error.forEach((error, r) => {
    out.error[r] = out.error[r]! + error
    out.bias[r] = out.bias[r]! + part.bias[r]!
  })
}

/** The bodies of a joint without the world, each once. */
export function bodiesOfJoint({ bodyA, bodyB, second }: JointConstraint): number[] {
  return [...new Set(second === undefined ? [bodyA, bodyB] : [bodyA, bodyB, second.bodyA, second.bodyB])].filter(body => body >= 0)
}

/** `coordinate` of joints without coordinates. */
export function noCoordinate(id: string): JointConstraint['coordinate'] {
  return index => {
    throw new RangeError(`joint "${id}" has no coordinate ${index}`)
  }
}
