/**
 * The impulses of the rows, p = Π(z): joints without limits, normals ≥ 0, drives within their bounds, and the two tangents of a contact together
 * within the disc of radius μ p_N; and their derivatives with respect to the velocities u of the bodies, where
 *
 *   z = (p₀ − ρ (J u − b)) ÷ (1 + ρ R),   ρ_i = stiffness ÷ (s_i A_ii)
 *
 * s_i < 1 for rows of bodies far lighter than the heaviest of the island. A light body may carry a load as heavy as that body; if ρ were scaled by
 * the light body's own mobility, Newton steps would be as small as the mass ratio. Velocities are changes of u₀ = M⁻¹ Jᵀ p₀, so that the rounding
 * error is that of p₀ however stiff a row is. A WebAssembly kernel evaluates the law.
 *
 * Problems with spin rows or with rows that act on a second pair of bodies are not supported.
 */

/// <reference path="./newton-kernel.d.ts" />
import { look } from 'kernel:newton'
import { ROW_BOX, ROW_UNILATERAL } from '../../../lcp/problem'
import type { StepProblem } from '../step-problem'
import { positive } from './contact-record'
import type { ImpulseResponse } from './impulse-response'
import { SLOPES, type NewtonVectors } from './newton-vectors'

/** What the law reads of a problem. */
export type LawProblem = Pick<StepProblem, 'kind' | 'lower' | 'upper' | 'friction' | 'b' | 'p'> & {
  /** R of each row. */
  readonly compliance: Float64Array
}

export class ForceLaw {
  /** Rows outside frictional contacts. */
  readonly single: Int32Array
  private readonly vectors: NewtonVectors

  constructor(private readonly problem: LawProblem, private readonly response: ImpulseResponse) {
    const { friction, kind, lower, upper, p: { length: count } } = problem
    const { diagonal, yielding, compliance, least, most, coefficient, still } = this.vectors = response.vectors
    this.single = singleRows(count, friction)
    for (let i = 0; i < count; i++) diagonal[i] = positive(response.diagonal[i]!)
    for (const { tangent1, tangent2 } of friction) {
      const across = response.across(tangent1, tangent2)
      const mean = (diagonal[tangent1]! + diagonal[tangent2]!) / 2
      const half = (diagonal[tangent1]! - diagonal[tangent2]!) / 2
      diagonal[tangent1] = diagonal[tangent2] = positive(mean + Math.sqrt(half * half + across * across))
    }
    for (let i = 0; i < count; i++) yielding[i] = diagonal[i]! * response.shares[i]!
    for (const i of this.single) {
      compliance[i] = problem.compliance[i]!
      least[i] = kind[i] === ROW_UNILATERAL ? 0 : kind[i] === ROW_BOX ? lower[i]! : -Infinity
      most[i] = kind[i] === ROW_BOX ? upper[i]! : Infinity
    }
    for (const { normal, staticFriction } of friction) coefficient[normal] = staticFriction
    still.fill(0)
  }

  /** Π(z) at the last evaluation, N s. */
  get force(): Float64Array {
    return this.vectors.force
  }

  /** Restarts from impulses p. */
  begin(p: Float64Array): void {
    const { problem: { b }, response, vectors: { given, missed, u } } = this
    given.set(p)
    response.push(given, u)
    response.rates(u, missed)
    for (let i = 0; i < b.length; i++) missed[i]! -= b[i]!
  }

  /**
   * Evaluates forces and slopes. The tangential impulse of a slipping contact is that with |z| q = radius · z. This is linearised in z and q, which gives
   * the derivative of Π at the solution, q = Π.
   *
   * @param change J × the change of velocities relative to those from p₀
   * @param dual q, with velocities u = M⁻¹ Jᵀ q
   * @param frozen discs keep the radius given by p₀: Π is then the gradient of a convex function
   */
  look(change: Float64Array, stiffness: number, dual: Float64Array, frozen: boolean, yielding = this.vectors.yielding): void {
    const { single, vectors: { firsts, force, slopes, given, missed, compliance, least, most, coefficient } } = this
    look(
      firsts.byteOffset, single.length, firsts.length, change.byteOffset, stiffness, dual.byteOffset, frozen, yielding.byteOffset, force.byteOffset,
      slopes.byteOffset, given.byteOffset, missed.byteOffset, compliance.byteOffset, least.byteOffset, most.byteOffset, coefficient.byteOffset,
    )
  }

  /** Adds to `out`, one double a row, the first-order change of Π for a change of rates. */
  answer(change: Float64Array, out: Float64Array): void {
    const { slopes } = this.vectors
    for (const i of this.single) out[i]! += slopes[SLOPES * i]! * change[i]!
    for (const { normal: i } of this.problem.friction) {
      for (let r = 0; r < 3; r++) {
        const o = SLOPES * i + 3 * r
        out[i + r]! += slopes[o]! * change[i]! + slopes[o + 1]! * change[i + 1]! + slopes[o + 2]! * change[i + 2]!
      }
    }
  }

  /** m/s: rounding error of the rates, one unit in the last place of the largest sum of absolute terms. */
  rounding(): number {
    return Number.EPSILON * this.response.magnitude(this.vectors.given, this.problem.b)
  }

  /** m/s: residual of the given impulses at the velocities that they produce. Overwrites forces and slopes. */
  residual(): number {
    const { force, diagonal, given, still } = this.vectors
    this.look(still, 1, given, false, diagonal)
    let worst = 0
    for (let i = 0; i < given.length; i++) worst = Math.max(worst, Math.abs(force[i]! - given[i]!) * diagonal[i]!)
    return worst
  }
}

/** Rows outside frictional contacts. */
export function singleRows(count: number, friction: StepProblem['friction']): Int32Array {
  const part = new Uint8Array(count)
  for (const { normal } of friction) part.fill(1, normal, normal + 3)
  return Int32Array.from([...part.keys()].filter(i => part[i] === 0))
}
