/**
 * Projected sweeps over the rows of one island without its matrix: rows act on each other through the velocities of their bodies only, so a sweep costs as
 * much as there are rows.
 *
 *   p_i ← Π(p_i − ω a_i / A_ii),   a = J u − b,   u = M⁻¹ Jᵀ p
 *
 * Π keeps normals ≥ 0, drives in their bounds, and the two tangents of a contact together in the disc of radius μ p_N: Coulomb's law itself, with
 * Signorini's condition on u_N alone, which is what De Saxcé's μ |u_T| makes of the projection onto the cone. The three rows of a frictional contact are
 * handled together, so that the velocities of its bodies are read and written once.
 */

import { JACOBIAN_WIDTH } from '../../../dynamics/joints/joint'
import { ROW_BOX, ROW_FRICTION, ROW_SPIN, ROW_UNILATERAL, type SpinRows } from '../../../lcp/problem'
import { sizeOf, spinBound } from '../../../lcp/spin'
import type { StepProblem } from '../step-problem'
import type { Cone } from './cone'

/** Doubles of a contact: three directions, their moments about both bodies, the turns that these give them, inverse masses, and its 3 × 3 matrix. */
const CONTACT = 54
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

export class Sweeps {
  /** M⁻¹ Jᵀ p, six doubles a body of the island; two more bodies at its end stand for those that nothing moves. */
  readonly u: Float64Array
  /** A_ii; of a contact's first tangent the largest eigenvalue of its 2 × 2 block, of its second 0. */
  readonly diagonal: Float64Array
  /** Rows that are no part of a frictional contact. */
  private readonly single: Int32Array
  private readonly contacts: Float64Array
  /** First row, and places of the bodies in `u`. */
  private readonly contactRow: Int32Array
  private readonly contactA: Int32Array
  private readonly contactB: Int32Array

  constructor(readonly problem: StepProblem, private readonly cone: Cone) {
    const { rows, friction, spin, bodyCount, slotA, slotB } = problem
    this.u = new Float64Array(6 * (bodyCount + 1))
    this.diagonal = new Float64Array(rows.count)
    for (let i = 0; i < rows.count; i++) this.diagonal[i] = positive(this.product(i, i))
    for (const i of rows.owners) this.diagonal[i] = positive(rows.diagonal(i))
    const part = new Uint8Array(rows.count)
    for (const { normal } of friction) part.fill(1, normal, normal + 3)
    for (const { rows: own } of spin) for (const row of own) part[row] = 1
    this.single = Int32Array.from({ length: rows.count }, (_, i) => i).filter(i => part[i] === 0)
    this.contacts = new Float64Array(CONTACT * friction.length)
    this.contactRow = Int32Array.from(friction, ({ normal }) => normal)
    const place = (slot: number): number => 6 * (slot < 0 ? bodyCount : slot)
    this.contactA = Int32Array.from(friction, ({ normal }) => place(slotA[normal]!))
    this.contactB = Int32Array.from(friction, ({ normal }) => place(slotB[normal]!))
    friction.forEach(({ normal, staticFriction }, c) => this.pack(c, normal, staticFriction))
    for (const { rows: own } of spin) {
      const largest = Math.max(...own.map(i => own.reduce((sum, j) => sum + Math.abs(this.product(i, j)), 0)))
      for (const row of own) this.diagonal[row] = positive(largest)
    }
    for (let i = 0; i < rows.count; i++) this.add(i, problem.p[i]!)
  }

  private pack(c: number, row: number, friction: number): void {
    const { contacts: C, diagonal, problem: { rows: { jacobian: J, inverseMassJacobian: W } } } = this
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
      massA += W[at + k]! * J[at + k]!
      massB += W[at + 6 + k]! * J[at + 6 + k]!
    }
    const across = this.product(row + 1, row + 2)
    const mean = (diagonal[row + 1]! + diagonal[row + 2]!) / 2
    const half = (diagonal[row + 1]! - diagonal[row + 2]!) / 2
    diagonal[row + 1] = positive(mean + Math.sqrt(half * half + across * across))
    diagonal[row + 2] = diagonal[row + 1]!
    C[o + MASS_A] = massA
    C[o + MASS_B] = massB
    C[o + NORMAL] = diagonal[row]!
    C[o + TANGENT] = diagonal[row + 1]!
    C[o + COUPLING_1] = this.product(row + 1, row)
    C[o + COUPLING_2] = this.product(row + 2, row)
    C[o + FRICTION] = friction
  }

  /** J_i M⁻¹ J_jᵀ of two rows of the same two bodies. */
  private product(i: number, j: number): number {
    const { jacobian: J, inverseMassJacobian: W } = this.problem.rows
    let sum = 0
    for (let k = 0; k < JACOBIAN_WIDTH; k++) sum += J[JACOBIAN_WIDTH * i + k]! * W[JACOBIAN_WIDTH * j + k]!
    return sum
  }

  /** a_i. */
  private rate(i: number): number {
    const { rows: { jacobian: J }, slotA, slotB, b } = this.problem
    const { u } = this
    const at = JACOBIAN_WIDTH * i
    let sum = -b[i]!
    const x = 6 * slotA[i]!
    if (x >= 0) for (let k = 0; k < 6; k++) sum += J[at + k]! * u[x + k]!
    const y = 6 * slotB[i]!
    if (y >= 0) for (let k = 0; k < 6; k++) sum += J[at + 6 + k]! * u[y + k]!
    return this.problem.rows.owners.length === 0 ? sum : sum + this.secondRate(i)
  }

  /** What row i sees of its second pair of bodies. */
  private secondRate(i: number): number {
    const { rows: { owners, second }, secondSlotA, secondSlotB } = this.problem
    const k = owners.indexOf(i)
    if (k < 0) return 0
    let sum = 0
    for (const [at, slot] of [[JACOBIAN_WIDTH * k, secondSlotA[k]!], [JACOBIAN_WIDTH * k + 6, secondSlotB[k]!]] as const) {
      if (slot >= 0) for (let j = 0; j < 6; j++) sum += second!.jacobian[at + j]! * this.u[6 * slot + j]!
    }
    return sum
  }

  /** Adds `change` to p_i in the velocities. */
  private add(i: number, change: number): void {
    if (change === 0) return
    const { rows: { inverseMassJacobian: W }, slotA, slotB } = this.problem
    const { u } = this
    const at = JACOBIAN_WIDTH * i
    const x = 6 * slotA[i]!
    if (x >= 0) for (let k = 0; k < 6; k++) u[x + k]! += W[at + k]! * change
    const y = 6 * slotB[i]!
    if (y >= 0) for (let k = 0; k < 6; k++) u[y + k]! += W[at + 6 + k]! * change
    if (this.problem.rows.owners.length > 0) this.addSecond(i, change)
  }

  private addSecond(i: number, change: number): void {
    const { rows: { owners, second }, secondSlotA, secondSlotB } = this.problem
    const k = owners.indexOf(i)
    if (k < 0) return
    for (const [at, slot] of [[JACOBIAN_WIDTH * k, secondSlotA[k]!], [JACOBIAN_WIDTH * k + 6, secondSlotB[k]!]] as const) {
      if (slot >= 0) for (let j = 0; j < 6; j++) this.u[6 * slot + j]! += second!.inverseMassJacobian[at + j]! * change
    }
  }

  /** One Gauss–Seidel sweep. @returns the largest violation met, m/s */
  sweep(relaxation: number, backwards: boolean): number {
    if (!backwards) return Math.max(this.sweepRows(relaxation, false), this.sweepContacts(relaxation, false), this.sweepSpins(relaxation))
    return Math.max(this.sweepSpins(relaxation), this.sweepContacts(relaxation, true), this.sweepRows(relaxation, true))
  }

  private sweepSpins(relaxation: number): number {
    const { problem: { spin, p }, diagonal } = this
    let worst = 0
    for (const rows of spin) {
      const after = this.turned(rows, relaxation, p)
      rows.rows.forEach((row, k) => {
        const change = after[k]! - p[row]!
        p[row] = after[k]!
        this.add(row, change)
        worst = Math.max(worst, Math.abs(change) * diagonal[row]! / relaxation)
      })
    }
    return worst
  }

  /** Impulses of a spin's rows after a step, together at most their bound by the normal impulse in `normals`. */
  private turned(spin: SpinRows, step: number, normals: Float64Array): number[] {
    const { problem: { p }, diagonal } = this
    const aim = spin.rows.map(row => p[row]! - step * this.rate(row) / diagonal[row]!)
    const bound = spinBound(spin, normals)
    const size = sizeOf(aim)
    return size > bound ? aim.map(value => value * bound / size) : aim
  }

  private sweepRows(relaxation: number, backwards: boolean): number {
    const { single, problem: { p }, diagonal } = this
    const count = single.length
    let worst = 0
    for (let k = 0; k < count; k++) {
      const i = single[backwards ? count - 1 - k : k]!
      const before = p[i]!
      const after = this.bounded(i, before - relaxation * this.rate(i) / diagonal[i]!)
      p[i] = after
      this.add(i, after - before)
      worst = Math.max(worst, Math.abs(after - before) * diagonal[i]! / relaxation)
    }
    return worst
  }

  private sweepContacts(relaxation: number, backwards: boolean): number {
    const { contacts: C, contactRow, contactA, contactB, u, cone, problem: { p, b } } = this
    const disc = cone.directions === 0
    const count = contactRow.length
    let worst = 0
    for (let k = 0; k < count; k++) {
      const c = backwards ? count - 1 - k : k
      const o = CONTACT * c
      const row = contactRow[c]!
      const x = contactA[c]!
      const y = contactB[c]!
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
      if (change > worst) worst = change
      p[row] = pn + dn
      p[row + 1] = s1 + d1
      p[row + 2] = s2 + d2
      const j0 = C[o]! * dn + C[o + 3]! * d1 + C[o + 6]! * d2
      const j1 = C[o + 1]! * dn + C[o + 4]! * d1 + C[o + 7]! * d2
      const j2 = C[o + 2]! * dn + C[o + 5]! * d1 + C[o + 8]! * d2
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

  /** One Jacobi sweep: all rows at the old velocities. @returns the largest violation met, m/s */
  jacobi(step: number, next: Float64Array): number {
    const { problem: { rows: { count }, kind, friction, spin, p }, diagonal, cone } = this
    let worst = 0
    for (let i = 0; i < count; i++) {
      if (kind[i] === ROW_FRICTION || kind[i] === ROW_SPIN) continue
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
    for (const rows of spin) {
      const after = this.turned(rows, step, next)
      rows.rows.forEach((row, k) => {
        next[row] = after[k]!
        worst = Math.max(worst, Math.abs(after[k]! - p[row]!) * diagonal[row]! / step)
      })
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
