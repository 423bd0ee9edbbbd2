/**
 * Projected sweeps over the rows of one island without its matrix: rows act on each other through the velocities of their bodies only, so a sweep costs as
 * much as there are rows.
 *
 *   p_i ← Π(p_i − ω a_i / A_ii),   a = J u − b,   u = M⁻¹ Jᵀ p
 *
 * Π keeps normals ≥ 0, drives in their bounds, and the two tangents of a contact together in the disc of radius μ p_N: Coulomb's law itself, with
 * Signorini's condition on u_N alone, which is what De Saxcé's μ |u_T| makes of the projection onto the cone.
 */

import { JACOBIAN_WIDTH } from '../../../dynamics/joints/joint'
import { ROW_BOX, ROW_FRICTION, ROW_UNILATERAL } from '../../../lcp/problem'
import type { StepProblem } from '../step-problem'
import type { Cone } from './cone'

export class Sweeps {
  /** M⁻¹ Jᵀ p, six doubles a body of the island. */
  readonly u: Float64Array
  /** A_ii; of a contact's first tangent the largest eigenvalue of its 2 × 2 block. */
  readonly diagonal: Float64Array
  /** Contact whose normal a row is; −1. */
  private readonly contactOf: Int32Array

  constructor(readonly problem: StepProblem, private readonly cone: Cone) {
    const { rows, friction, bodyCount } = problem
    this.u = new Float64Array(6 * bodyCount)
    this.diagonal = new Float64Array(rows.count)
    for (let i = 0; i < rows.count; i++) this.diagonal[i] = positive(this.product(i, i))
    this.contactOf = new Int32Array(rows.count).fill(-1)
    friction.forEach(({ normal, tangent1, tangent2 }, c) => {
      this.contactOf[normal] = c
      const mean = (this.diagonal[tangent1]! + this.diagonal[tangent2]!) / 2
      const half = (this.diagonal[tangent1]! - this.diagonal[tangent2]!) / 2
      const across = this.product(tangent1, tangent2)
      this.diagonal[tangent1] = positive(mean + Math.sqrt(half * half + across * across))
    })
    for (let i = 0; i < rows.count; i++) this.add(i, problem.p[i]!)
  }

  /** J_i M⁻¹ J_jᵀ of two rows of the same two bodies. */
  private product(i: number, j: number): number {
    const { jacobian: J, inverseMassJacobian: W } = this.problem.rows
    let sum = 0
    for (let k = 0; k < JACOBIAN_WIDTH; k++) sum += J[JACOBIAN_WIDTH * i + k]! * W[JACOBIAN_WIDTH * j + k]!
    return sum
  }

  /** a_i. */
  rate(i: number): number {
    const { rows: { jacobian: J }, slotA, slotB, b } = this.problem
    const { u } = this
    const at = JACOBIAN_WIDTH * i
    let sum = -b[i]!
    const x = 6 * slotA[i]!
    if (x >= 0) {
      sum += J[at]! * u[x]! + J[at + 1]! * u[x + 1]! + J[at + 2]! * u[x + 2]! + J[at + 3]! * u[x + 3]! + J[at + 4]! * u[x + 4]! + J[at + 5]! * u[x + 5]!
    }
    const y = 6 * slotB[i]!
    if (y >= 0) {
      sum += J[at + 6]! * u[y]! + J[at + 7]! * u[y + 1]! + J[at + 8]! * u[y + 2]!
        + J[at + 9]! * u[y + 3]! + J[at + 10]! * u[y + 4]! + J[at + 11]! * u[y + 5]!
    }
    return sum
  }

  /** Adds `change` to p_i in the velocities. */
  add(i: number, change: number): void {
    if (change === 0) return
    const { rows: { inverseMassJacobian: W }, slotA, slotB } = this.problem
    const { u } = this
    const at = JACOBIAN_WIDTH * i
    const x = 6 * slotA[i]!
    if (x >= 0) for (let k = 0; k < 6; k++) u[x + k]! += W[at + k]! * change
    const y = 6 * slotB[i]!
    if (y >= 0) for (let k = 0; k < 6; k++) u[y + k]! += W[at + 6 + k]! * change
  }

  /** One Gauss–Seidel sweep. @returns the largest violation met, m/s */
  sweep(relaxation: number, backwards: boolean): number {
    const { problem: { rows: { count }, kind }, contactOf } = this
    let worst = 0
    for (let k = 0; k < count; k++) {
      const i = backwards ? count - 1 - k : k
      if (kind[i] === ROW_FRICTION) continue
      worst = Math.max(worst, this.relax(i, relaxation))
      if (contactOf[i]! >= 0) worst = Math.max(worst, this.relaxFriction(i, relaxation))
    }
    return worst
  }

  private relax(i: number, relaxation: number): number {
    const { problem: { p }, diagonal } = this
    const before = p[i]!
    const after = this.bounded(i, before - relaxation * this.rate(i) / diagonal[i]!)
    p[i] = after
    this.add(i, after - before)
    return Math.abs(after - before) * diagonal[i]! / relaxation
  }

  private relaxFriction(normal: number, relaxation: number): number {
    const { problem: { p, friction }, diagonal, cone } = this
    const { staticFriction, tangent1, tangent2 } = friction[this.contactOf[normal]!]!
    const before1 = p[tangent1]!
    const before2 = p[tangent2]!
    const step = relaxation / diagonal[tangent1]!
    cone.project(before1 - step * this.rate(tangent1), before2 - step * this.rate(tangent2), staticFriction * Math.max(0, p[normal]!))
    p[tangent1] = cone.x
    p[tangent2] = cone.y
    const change1 = cone.x - before1
    const change2 = cone.y - before2
    this.add(tangent1, change1)
    this.add(tangent2, change2)
    return Math.sqrt(change1 * change1 + change2 * change2) / step
  }

  /** One Jacobi sweep: all rows at the old velocities. @returns the largest violation met, m/s */
  jacobi(step: number, next: Float64Array): number {
    const { problem: { rows: { count }, kind, friction, p }, diagonal, cone } = this
    let worst = 0
    for (let i = 0; i < count; i++) {
      if (kind[i] === ROW_FRICTION) continue
      next[i] = this.bounded(i, p[i]! - step * this.rate(i) / diagonal[i]!)
      worst = Math.max(worst, Math.abs(next[i]! - p[i]!) * diagonal[i]! / step)
    }
    for (const { normal, tangent1, tangent2, staticFriction } of friction) {
      const reach = step / diagonal[tangent1]!
      cone.project(p[tangent1]! - reach * this.rate(tangent1), p[tangent2]! - reach * this.rate(tangent2), staticFriction * next[normal]!)
      next[tangent1] = cone.x
      next[tangent2] = cone.y
      const change1 = cone.x - p[tangent1]!
      const change2 = cone.y - p[tangent2]!
      worst = Math.max(worst, Math.sqrt(change1 * change1 + change2 * change2) / reach)
    }
    for (let i = 0; i < count; i++) {
      this.add(i, next[i]! - p[i]!)
      p[i] = next[i]!
    }
    return worst
  }

  private bounded(i: number, value: number): number {
    const { kind, lower, upper } = this.problem
    if (kind[i] === ROW_UNILATERAL) return Math.max(0, value)
    return kind[i] === ROW_BOX ? Math.min(Math.max(value, lower[i]!), upper[i]!) : value
  }
}

function positive(x: number): number {
  return x > 0 ? x : 1
}
