/**
 * The impulses of the rows, p = Π(z): joints without limits, normals ≥ 0, drives within their bounds, and the two tangents of a contact together
 * within the disc of radius μ p_N; and their derivatives with respect to the velocities u of the bodies, where
 *
 *   z = (p₀ − ρ (J u − b)) ÷ (1 + ρ R),   ρ_i = stiffness ÷ (s_i A_ii)
 *
 * s_i < 1 for rows of bodies far lighter than the heaviest of the island. A light body may carry a load as heavy as that body; if ρ were scaled by
 * the light body's own mobility, Newton steps would be as small as the mass ratio. Velocities are changes of u₀ = M⁻¹ Jᵀ p₀, so that the rounding
 * error is that of p₀ however stiff a row is.
 *
 * Problems with spin rows or with rows that act on a second pair of bodies are not supported.
 */

import { ROW_BOX, ROW_UNILATERAL } from '../../../lcp/problem'
import type { StepProblem } from '../step-problem'
import { SLOPES } from './body-matrix'
import { positive } from './contact-record'
import type { ImpulseResponse } from './impulse-response'

/** What the law reads of a problem. */
export type LawProblem = Pick<StepProblem, 'kind' | 'lower' | 'upper' | 'friction' | 'b' | 'p'> & {
  /** R of each row. */
  readonly compliance: Float64Array
}

export class ForceLaw {
  /** Π(z) at the last evaluation, N s. */
  readonly force: Float64Array
  /** A_ii; for tangents the largest eigenvalue of their 2 × 2 block. */
  private readonly diagonal: Float64Array
  /** s_i A_ii. */
  private readonly yielding: Float64Array
  /** p₀, and J u₀ − b. */
  private readonly given: Float64Array
  private readonly missed: Float64Array
  /** Zero rates. */
  private readonly still: Float64Array

  /** Rows outside frictional contacts. */
  readonly single: Int32Array
  private readonly slopes: Float64Array

  constructor(private readonly problem: LawProblem, private readonly response: ImpulseResponse) {
    const { friction, p: { length: count } } = problem
    this.force = new Float64Array(count)
    this.given = new Float64Array(count)
    this.missed = new Float64Array(count)
    this.still = new Float64Array(count)
    this.single = singleRows(count, friction)
    this.slopes = response.slopes
    const diagonal = this.diagonal = response.diagonal.map(positive)
    for (const { tangent1, tangent2 } of friction) {
      const across = response.across(tangent1, tangent2)
      const mean = (diagonal[tangent1]! + diagonal[tangent2]!) / 2
      const half = (diagonal[tangent1]! - diagonal[tangent2]!) / 2
      diagonal[tangent1] = diagonal[tangent2] = positive(mean + Math.sqrt(half * half + across * across))
    }
    this.yielding = diagonal.map((value, i) => value * response.shares[i]!)
  }

  /** Restarts from impulses p. @param u out: the velocities from p */
  begin(p: Float64Array, u: Float64Array): void {
    const { problem: { b }, response, given, missed } = this
    given.set(p)
    response.push(p, u)
    for (let i = 0; i < p.length; i++) missed[i] = response.rate(i, u) - b[i]!
  }

  /**
   * Evaluates forces and slopes. The tangential impulse of a slipping contact is that with |z| q = radius · z. This is linearised in z and q, which gives
   * the derivative of Π at the solution, q = Π.
   *
   * @param change J × the change of velocities relative to those from p₀
   * @param dual q, with velocities u = M⁻¹ Jᵀ q
   * @param frozen discs keep the radius given by p₀: Π is then the gradient of a convex function
   */
  look(change: Float64Array, stiffness: number, dual: Float64Array, frozen: boolean, yielding = this.yielding): void {
    const { problem: { friction, kind, lower, upper, compliance }, force, slopes, given: p, missed } = this
    for (const i of this.single) {
      const full = stiffness / yielding[i]!
      const share = 1 / (1 + full * compliance[i]!)
      const reach = share * full
      const z = share * p[i]! - reach * (missed[i]! + change[i]!)
      const least = kind[i] === ROW_UNILATERAL ? 0 : kind[i] === ROW_BOX ? lower[i]! : -Infinity
      const most = kind[i] === ROW_BOX ? upper[i]! : Infinity
      force[i] = Math.min(Math.max(z, least), most)
      slopes[SLOPES * i] = z > least && z < most ? reach : 0
    }
    for (const { normal, staticFriction } of friction) this.lookAt(normal, staticFriction, change, stiffness, dual, frozen, yielding)
  }

  private lookAt(
    i: number, friction: number, change: Float64Array, stiffness: number, dual: Float64Array, frozen: boolean, yielding: Float64Array,
  ): void {
    const { force, slopes, given: p, missed } = this
    const o = SLOPES * i
    slopes.fill(0, o, o + 9)
    const reach = stiffness / yielding[i]!
    const z = p[i]! - reach * (missed[i]! + change[i]!)
    const normal = force[i] = Math.max(0, z)
    if (normal > 0) slopes[o] = reach
    const radius = friction * (frozen ? p[i]! : normal)
    if (!(radius > 0)) {
      force[i + 1] = force[i + 2] = 0
      return
    }
    const across = stiffness / yielding[i + 1]!
    const s = p[i + 1]! - across * (missed[i + 1]! + change[i + 1]!)
    const t = p[i + 2]! - across * (missed[i + 2]! + change[i + 2]!)
    const size = Math.sqrt(s * s + t * t)
    if (size <= radius) {
      force[i + 1] = s
      force[i + 2] = t
      slopes[o + 4] = slopes[o + 8] = across
      return
    }
    const x = s / size
    const y = t / size
    force[i + 1] = radius * x
    force[i + 2] = radius * y
    const [v, w] = [dual[i + 1]!, dual[i + 2]!]
    // Impulses beyond the disc would make the slopes indefinite.
    const share = Math.min(1, radius / Math.sqrt(v * v + w * w))
    const turning = across / size
    slopes[o + 4] = turning * (radius - share * v * x)
    slopes[o + 5] = slopes[o + 7] = -turning * share * (v * y + w * x) / 2
    slopes[o + 8] = turning * (radius - share * w * y)
    if (frozen) return
    slopes[o + 3] = friction * x * slopes[o]!
    slopes[o + 6] = friction * y * slopes[o]!
  }

  /** Adds to `out`, one double a row, the first-order change of Π for a change of rates. */
  answer(change: Float64Array, out: Float64Array): void {
    const { slopes } = this
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
    return Number.EPSILON * this.response.magnitude(this.given, this.problem.b)
  }

  /** m/s: residual of the given impulses at the velocities that they produce. Overwrites forces and slopes. */
  residual(): number {
    const { force, diagonal, given, still } = this
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
