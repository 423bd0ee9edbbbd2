/**
 * Projected sweeps over the frictional contacts of an island. The three rows of a contact are solved together, so that the velocities of its bodies
 * are read and
 * written once. The data of a contact is contiguous in one array, which the next problem reuses.
 */

import type { Rows } from '../../../contact/rows'
import { JACOBIAN_WIDTH } from '../../../dynamics/joints/joint'
import type { StepProblem } from '../step-problem'
import type { Cone } from './cone'

/**
 * Doubles of a contact: three directions, their moments about both bodies, the angular velocities per unit impulse, inverse masses, and its 3 × 3
 * matrix.
 */
const CONTACT = 56
const MOMENT_A = 9
const MOMENT_B = 18
const TURN_A = 27
const TURN_B = 36
const MASS_A = 45
const MASS_B = 46
const NORMAL = 47
const TANGENT = 48
const COUPLING_1 = 49
const COUPLING_2 = 50
const FRICTION = 51
/** Offset of the direction in which the normal impulse acts. */
const PUSH = 52

/** Reused by successive problems; it holds no state between solutions. */
let buffer = new Float64Array(0)

export class ContactSweep {
  private readonly packed: Float64Array
  /** First row, and offsets of the bodies in `u`. */
  private readonly row: Int32Array
  private readonly placeA: Int32Array
  private readonly placeB: Int32Array

  /**
   * @param u M⁻¹ Jᵀ p, six doubles a body, immovable bodies at the end; updated by every sweep
   * @param diagonal A_ii; entries of tangents are set to the largest eigenvalue of their 2 × 2 block
   */
  constructor(private readonly problem: StepProblem, private readonly cone: Cone, private readonly u: Float64Array, private readonly diagonal: Float64Array) {
    const { friction, bodyCount, slotA, slotB } = problem
    const count = friction.length
    if (buffer.length < CONTACT * count) buffer = new Float64Array(2 * CONTACT * count)
    this.packed = buffer
    this.row = new Int32Array(count)
    this.placeA = new Int32Array(count)
    this.placeB = new Int32Array(count)
    for (let c = 0; c < count; c++) {
      const { normal, staticFriction } = friction[c]!
      this.row[c] = normal
      this.placeA[c] = 6 * (slotA[normal]! < 0 ? bodyCount : slotA[normal]!)
      this.placeB[c] = 6 * (slotB[normal]! < 0 ? bodyCount : slotB[normal]!)
      this.pack(c, normal, staticFriction)
    }
  }

  private pack(c: number, row: number, friction: number): void {
    const { packed: C, diagonal, problem: { rows, gradient: J } } = this
    const { inverseMassJacobian: W } = rows
    const o = CONTACT * c
    for (let r = 0; r < 3; r++) {
      const at = JACOBIAN_WIDTH * (row + r)
      for (let k = 0; k < 3; k++) {
        C[o + 3 * r + k] = J[at + k]!
        C[o + MOMENT_A + 3 * r + k] = J[at + 3 + k]!
        C[o + MOMENT_B + 3 * r + k] = J[at + 9 + k]!
        C[o + TURN_A + 3 * r + k] = W[at + 3 + k]!
        C[o + TURN_B + 3 * r + k] = W[at + 9 + k]!
      }
    }
    const at = JACOBIAN_WIDTH * row
    let massA = 0
    let massB = 0
    for (let k = 0; k < 3; k++) {
      C[o + PUSH + k] = rows.jacobian[at + k]!
      massA += W[at + k]! * rows.jacobian[at + k]!
      massB += W[at + 6 + k]! * rows.jacobian[at + 6 + k]!
    }
    const across = rowProduct(J, rows, row + 1, row + 2)
    const mean = (diagonal[row + 1]! + diagonal[row + 2]!) / 2
    const half = (diagonal[row + 1]! - diagonal[row + 2]!) / 2
    diagonal[row + 1] = positive(mean + Math.sqrt(half * half + across * across))
    diagonal[row + 2] = diagonal[row + 1]!
    C[o + MASS_A] = massA
    C[o + MASS_B] = massB
    C[o + NORMAL] = diagonal[row]!
    C[o + TANGENT] = diagonal[row + 1]!
    C[o + COUPLING_1] = rowProduct(J, rows, row + 1, row)
    C[o + COUPLING_2] = rowProduct(J, rows, row + 2, row)
    C[o + FRICTION] = friction
  }

  /** One Gauss–Seidel sweep over the contacts. @returns the largest violation, m/s */
  sweep(relaxation: number, backwards: boolean): number {
    const { packed: C, row: rows, placeA, placeB, u, cone, problem: { p, b } } = this
    const disc = cone.directions === 0
    const count = rows.length
    let worst = 0
    for (let k = 0; k < count; k++) {
      const c = backwards ? count - 1 - k : k
      const o = CONTACT * c
      const row = rows[c]!
      const x = placeA[c]!
      const y = placeB[c]!
      const v0 = u[x]! - u[y]!
      const v1 = u[x + 1]! - u[y + 1]!
      const v2 = u[x + 2]! - u[y + 2]!
      const a0 = u[x + 3]!
      const a1 = u[x + 4]!
      const a2 = u[x + 5]!
      const b0 = u[y + 3]!
      const b1 = u[y + 4]!
      const b2 = u[y + 5]!
      const rateN = C[o]! * v0 + C[o + 1]! * v1 + C[o + 2]! * v2 + C[o + 9]! * a0 + C[o + 10]! * a1 + C[o + 11]! * a2
        + C[o + 18]! * b0 + C[o + 19]! * b1 + C[o + 20]! * b2 - b[row]!
      const pn = p[row]!
      const normal = C[o + NORMAL]!
      let dn = -relaxation * rateN / normal
      if (pn + dn < 0) dn = -pn
      const s1 = p[row + 1]!
      const s2 = p[row + 2]!
      const radius = C[o + FRICTION]! * (pn + dn)
      let d1 = -s1
      let d2 = -s2
      const tangent = C[o + TANGENT]!
      if (radius > 0) {
        const rate1 = C[o + 3]! * v0 + C[o + 4]! * v1 + C[o + 5]! * v2 + C[o + 12]! * a0 + C[o + 13]! * a1 + C[o + 14]! * a2
          + C[o + 21]! * b0 + C[o + 22]! * b1 + C[o + 23]! * b2 - b[row + 1]! + C[o + COUPLING_1]! * dn
        const rate2 = C[o + 6]! * v0 + C[o + 7]! * v1 + C[o + 8]! * v2 + C[o + 15]! * a0 + C[o + 16]! * a1 + C[o + 17]! * a2
          + C[o + 24]! * b0 + C[o + 25]! * b1 + C[o + 26]! * b2 - b[row + 2]! + C[o + COUPLING_2]! * dn
        const step = relaxation / tangent
        let t1 = s1 - step * rate1
        let t2 = s2 - step * rate2
        if (disc) {
          const square = t1 * t1 + t2 * t2
          if (square > radius * radius) {
            const shrink = radius / Math.sqrt(square)
            t1 *= shrink
            t2 *= shrink
          }
        } else {
          cone.project(t1, t2, radius)
          t1 = cone.x
          t2 = cone.y
        }
        d1 += t1
        d2 += t2
      }
      const change = Math.max(Math.abs(dn) * normal, Math.abs(d1) * tangent, Math.abs(d2) * tangent)
      if (change === 0) continue
      // Comparisons with NaN are false: without this test a NaN would count as convergence.
      if (change > worst || Number.isNaN(change)) worst = change
      p[row] = pn + dn
      p[row + 1] = s1 + d1
      p[row + 2] = s2 + d2
      const j0 = C[o + 52]! * dn + C[o + 3]! * d1 + C[o + 6]! * d2
      const j1 = C[o + 53]! * dn + C[o + 4]! * d1 + C[o + 7]! * d2
      const j2 = C[o + 54]! * dn + C[o + 5]! * d1 + C[o + 8]! * d2
      const mA = C[o + MASS_A]!
      if (mA > 0) {
        u[x] = u[x]! + mA * j0
        u[x + 1] = u[x + 1]! + mA * j1
        u[x + 2] = u[x + 2]! + mA * j2
        u[x + 3] = a0 + C[o + 27]! * dn + C[o + 30]! * d1 + C[o + 33]! * d2
        u[x + 4] = a1 + C[o + 28]! * dn + C[o + 31]! * d1 + C[o + 34]! * d2
        u[x + 5] = a2 + C[o + 29]! * dn + C[o + 32]! * d1 + C[o + 35]! * d2
      }
      const mB = C[o + MASS_B]!
      if (mB > 0) {
        u[y] = u[y]! - mB * j0
        u[y + 1] = u[y + 1]! - mB * j1
        u[y + 2] = u[y + 2]! - mB * j2
        u[y + 3] = b0 + C[o + 36]! * dn + C[o + 39]! * d1 + C[o + 42]! * d2
        u[y + 4] = b1 + C[o + 37]! * dn + C[o + 40]! * d1 + C[o + 43]! * d2
        u[y + 5] = b2 + C[o + 38]! * dn + C[o + 41]! * d1 + C[o + 44]! * d2
      }
    }
    return worst / relaxation
  }
}

/** Γ_i M⁻¹ J_jᵀ of two rows of the same two bodies. */
export function rowProduct(J: Float64Array, { inverseMassJacobian: W }: Rows, i: number, j: number): number {
  let sum = 0
  for (let k = 0; k < JACOBIAN_WIDTH; k++) sum += J[JACOBIAN_WIDTH * i + k]! * W[JACOBIAN_WIDTH * j + k]!
  return sum
}

export function positive(x: number): number {
  return x > 0 ? x : 1
}
