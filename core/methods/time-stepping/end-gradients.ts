/**
 * Derivatives of the conditions at the end of a step (gaps, joints and their limits) with respect to its velocities. Impulses act along the rows of the
 * step's start, J = G(q_n); but if bodies rotate, a condition changes along its gradient at the end,
 *
 *   ψ(q⁺(u + δu)) ≈ ψ(q⁺(u)) + h Γ δu,   Γ = (n̂⁺, K_Aᵀ (r_A⁺ × n̂⁺), −n̂⁺, −K_Bᵀ (r_B⁺ × n̂⁺))
 *   C(q⁺(u + δu)) ≈ C(q⁺(u)) + h Γ δu,   Γ = J(q⁺) diag(I, K_A, I, K_B)
 *
 * where K maps a change of angular velocity to the rotation of the end orientation ÷ h. From the rotation θ in body axes, I θ = h exp(−θ/2) Rᵀ L,
 *
 *   K = R exp(θ/2) S⁻¹ exp(−θ/2) I Rᵀ,   S = I − ½ [I θ]×                                                              (`rotation.ts`)
 *
 * With Γ, one linearisation is exact up to second-order terms; with J, its error is proportional to the rotation, and it diverges from about half a
 * radian on.
 */

import { OFFSET_CENTER } from '../../dynamics/state'
import { JACOBIAN_WIDTH } from '../../dynamics/joints/joint'
import { inverse, multiply, transform, transpose, type Mat3 } from '../../math/matrix'
import { toMatrix } from '../../math/quaternion'
import { cross, type Vec3 } from '../../math/vector'
import type { PrimitivePair } from '../../contact/contact-set'
import type { ActiveConstraint } from './active-constraint'
import type { BodyMotions } from './body-motions'
import { rotationQuaternion } from '../../math/rotation'
import type { StepArrays } from './step-arrays'
import type { StepIsland } from './step-island'

/** Least ratio of the effect of an impulse along Γ to that along J: for smaller ratios the row is solved with J. */
export const TURNED_AWAY = 0.3

/** The gradients of an island after it was moved. */
export class EndGradients {
  private readonly transfers: ReadonlyMap<number, Mat3>

  constructor(private readonly island: StepIsland, private readonly step: StepArrays) {
    this.transfers = new Map(island.bodies.map(body => [body, transferOf(step.motions, body)]))
  }

  /** Computes the gradients of all joints, limits, and active features of contacts. */
  findAll(): void {
    const { island: { joints, limits, constraints }, step: { motions: { poses } } } = this
    for (const joint of joints) {
      const { element: { constraint }, atEnd: { jacobian } } = joint
      // Rows on two pairs of bodies keep those of the start.
      if (constraint.second !== undefined) continue
      joint.gradient = jacobian.slice()
      for (let r = 0; r < constraint.rows; r++) this.carry(constraint, joint.gradient, JACOBIAN_WIDTH * r)
    }
    for (const limit of limits) {
      limit.gradient = limit.atEnd.map(value => limit.side * value)
      this.carry(limit.element.constraint, limit.gradient, 0)
    }
    for (const active of constraints) {
      const { constraint: { pair: { bodyA, bodyB }, candidates }, choice } = active
      const { point, normal } = candidates[choice]!.locate(poses[bodyA]!, poses[bodyB]!)
      const gradient = this.along(active.constraint.pair, point, normal, active.gradient ?? new Float64Array(JACOBIAN_WIDTH))
      active.gradient = this.share(active, gradient) >= TURNED_AWAY ? gradient : null
    }
  }

  /** The gradient of a gap at a point along a normal out of B, both at the end of the step. */
  along({ bodyA, bodyB }: PrimitivePair, point: Vec3, normal: Vec3, out: Float64Array): Float64Array {
    const { step: { motions, end }, transfers } = this
    half(motions, bodyA, point, normal, end, transfers, out, 0, 1)
    half(motions, bodyB, point, normal, end, transfers, out, 6, -1)
    return out
  }

  /** Replaces a row of the end of the step by a row that acts on the velocities of the step. */
  private carry({ bodyA, bodyB }: { readonly bodyA: number, readonly bodyB: number }, row: Float64Array, at: number): void {
    for (const [body, o] of [[bodyA, at], [bodyB, at + 6]] as const) {
      const transfer = this.transfers.get(body)
      if (transfer === undefined) row.fill(0, o, o + 6)
      else row.set(transform(transfer, [row[o + 3]!, row[o + 4]!, row[o + 5]!]), o + 3)
    }
  }

  /** Effect of a contact's impulse along a gradient ÷ its effect along its own row. */
  share({ row }: ActiveConstraint, gradient: Float64Array): number {
    const { jacobian: J, inverseMassJacobian: W } = this.island.problem!.rows
    const at = JACOBIAN_WIDTH * row
    let along = 0
    let own = 0
    for (let k = 0; k < JACOBIAN_WIDTH; k++) {
      along += gradient[k]! * W[at + k]!
      own += J[at + k]! * W[at + k]!
    }
    return along / own
  }
}

function half(
  { snapshot: { layout } }: BodyMotions, body: number, point: Vec3, normal: Vec3, end: Float64Array, transfers: ReadonlyMap<number, Mat3>, out: Float64Array,
  at: number, sign: number,
): void {
  const transfer = transfers.get(body)
  if (transfer === undefined) {
    out.fill(0, at, at + 6)
    return
  }
  const c = layout.offsets[body]! + OFFSET_CENTER
  const moment = transform(transfer, cross([point[0] - end[c]!, point[1] - end[c + 1]!, point[2] - end[c + 2]!], normal))
  for (let k = 0; k < 3; k++) {
    out[at + k] = sign * normal[k]!
    out[at + 3 + k] = sign * moment[k]!
  }
}

/** Kᵀ = R I exp(θ/2) S⁻ᵀ exp(−θ/2) Rᵀ. */
function transferOf({ snapshot: { bodies, motions }, turns }: BodyMotions, body: number): Mat3 {
  const { inertia } = bodies[body]!
  const theta = turns[body]!
  const { rotation } = motions[body]!
  const [x, y, z] = transform(inertia, theta)
  const adjoint: Mat3 = [
    inertia[0], inertia[1] - z / 2, inertia[2] + y / 2,
    inertia[3] + z / 2, inertia[4], inertia[5] - x / 2,
    inertia[6] - y / 2, inertia[7] + x / 2, inertia[8],
  ]
  const half = toMatrix(rotationQuaternion(theta, 0.5))
  const inBody = multiply(multiply(multiply(inertia, half), inverse(adjoint)), transpose(half))
  return multiply(multiply(rotation, inBody), transpose(rotation))
}
