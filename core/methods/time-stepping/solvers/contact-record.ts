/** The data of one frictional contact for a sweep, in one record; kernels/contact-sweep.ts has the same offsets, in bytes. */

import type { Rows } from '../../../contact/rows'
import { JACOBIAN_WIDTH } from '../../../dynamics/joints/joint'
import type { StepProblem } from '../step-problem'

/** Doubles of a record. */
export const CONTACT_RECORD = 74
/** Pairs (tangent 1, tangent 2) of the direction's components, and of its moments about both bodies. */
const TANGENTS = 0
/** Four doubles each, the last 0: the normal's direction, and its moments about both bodies. */
export const NORMAL = 18
/** The directions in which the impulses of the normal and of the tangents act. */
export const PUSH = 30
/** Angular velocities by unit impulses of the normal and of the tangents. */
export const TURN_A = 42
export const TURN_B = 54
export const MASS_A = 66
export const MASS_B = 67
/** A_ii of the normal; the largest eigenvalue of the tangents' block. */
export const NORMAL_SCALE = 68
export const TANGENT_SCALE = 69
/** A of the tangents' rows and the normal's column. */
export const COUPLING = 70
export const FRICTION = 72

/**
 * Writes the record of a contact's three rows, from `row` on, at `o`.
 *
 * @param diagonal A_ii; of tangents it becomes the largest eigenvalue of their 2 × 2 block
 */
export function packContact(C: Float64Array, o: number, { rows, gradient: J }: StepProblem, row: number, friction: number, diagonal: Float64Array): void {
  const { inverseMassJacobian: W, jacobian } = rows
  const at = JACOBIAN_WIDTH * row
  let massA = 0
  let massB = 0
  for (let k = 0; k < 3; k++) {
    for (let t = 0; t < 2; t++) {
      const tangent = at + JACOBIAN_WIDTH * (t + 1)
      C[o + TANGENTS + 2 * k + t] = J[tangent + k]!
      C[o + TANGENTS + 6 + 2 * k + t] = J[tangent + 3 + k]!
      C[o + TANGENTS + 12 + 2 * k + t] = J[tangent + 9 + k]!
    }
    C[o + NORMAL + k] = J[at + k]!
    C[o + NORMAL + 4 + k] = J[at + 3 + k]!
    C[o + NORMAL + 8 + k] = J[at + 9 + k]!
    C[o + PUSH + k] = jacobian[at + k]!
    for (let r = 0; r < 3; r++) {
      const from = at + JACOBIAN_WIDTH * r + k
      if (r > 0) C[o + PUSH + 4 * r + k] = J[from]!
      C[o + TURN_A + 4 * r + k] = W[from + 3]!
      C[o + TURN_B + 4 * r + k] = W[from + 9]!
    }
    massA += W[at + k]! * jacobian[at + k]!
    massB += W[at + 6 + k]! * jacobian[at + 6 + k]!
  }
  const across = rowProduct(J, rows, row + 1, row + 2)
  const mean = (diagonal[row + 1]! + diagonal[row + 2]!) / 2
  const half = (diagonal[row + 1]! - diagonal[row + 2]!) / 2
  diagonal[row + 1] = positive(mean + Math.sqrt(half * half + across * across))
  diagonal[row + 2] = diagonal[row + 1]!
  C[o + MASS_A] = massA
  C[o + MASS_B] = massB
  C[o + NORMAL_SCALE] = diagonal[row]!
  C[o + TANGENT_SCALE] = diagonal[row + 1]!
  C[o + COUPLING] = rowProduct(J, rows, row + 1, row)
  C[o + COUPLING + 1] = rowProduct(J, rows, row + 2, row)
  C[o + FRICTION] = friction
}

/** Γ_i M⁻¹ J_jᵀ of two rows of the same two bodies. */
export function rowProduct(J: Float64Array, { inverseMassJacobian: W }: Rows, i: number, j: number): number {
  let sum = 0
  for (let k = 0; k < JACOBIAN_WIDTH; k++) sum += J[JACOBIAN_WIDTH * i + k]! * W[JACOBIAN_WIDTH * j + k]!
  return sum
}

/** x, or 1 if x is not positive: a divisor. */
export function positive(x: number): number {
  return x > 0 ? x : 1
}
