/**
 * Projected sweeps over the rows of one island without its matrix. Rows are coupled only through the velocities of their bodies, so the cost of a
 * sweep is proportional to the number of rows.
 *
 *   p_i ← Π(p_i − ω a_i / A_ii),   a = J u + R p − b,   u = M⁻¹ Jᵀ p
 *
 * Π keeps normals ≥ 0, drives within their bounds, and the two tangents of a contact together in the disc of radius μ p_N. This is Coulomb's law,
 * with Signorini's condition on u_N alone; it equals the projection onto the cone with De Saxcé's correction μ |u_T|. The three rows of a frictional
 * contact are solved together, so that the velocities of its bodies are read and written once.
 */

import { JACOBIAN_WIDTH } from '../../../dynamics/joints/joint'
import { ROW_BOX, ROW_FRICTION, ROW_SPIN, ROW_UNILATERAL, type SpinRows } from '../../../lcp/problem'
import { sizeOf, spinBound } from '../../../lcp/spin'
import type { StepProblem } from '../step-problem'
import type { Cone } from './cone'
import { positive, rowProduct } from './contact-record'
import { ContactSweep } from './contact-sweep'
import { ANGULAR, sweepMemory, VELOCITY } from './sweep-memory'

export class Sweeps {
  /** M⁻¹ Jᵀ p, `VELOCITY` doubles a body of the island; one more body at its end represents the immovable ones. */
  readonly u: Float64Array
  /** Impulses, N s: the problem's at first; `finish` gives them back. */
  readonly p: Float64Array
  /** A_ii + R_i; for a contact's tangents the largest eigenvalue of their 2 × 2 block. */
  readonly diagonal: Float64Array
  /** Rows outside frictional contacts. */
  private readonly single: Int32Array
  private readonly contacts: ContactSweep

  constructor(readonly problem: StepProblem, private readonly cone: Cone) {
    const { rows, gradient, friction, spin, bodyCount } = problem
    const memory = sweepMemory(friction.length, bodyCount + 1, rows.count)
    this.u = memory.u
    this.p = memory.p
    this.p.set(problem.p)
    memory.b.set(problem.b)
    this.diagonal = new Float64Array(rows.count)
    for (let i = 0; i < rows.count; i++) this.diagonal[i] = positive(rowProduct(gradient, rows, i, i))
    for (const i of rows.owners) this.diagonal[i] = positive(rows.diagonal(i))
    for (let i = 0; i < rows.count; i++) this.diagonal[i]! += rows.compliance[i]!
    const part = new Uint8Array(rows.count)
    for (const { normal } of friction) part.fill(1, normal, normal + 3)
    for (const { rows: own } of spin) for (const row of own) part[row] = 1
    this.single = new Int32Array(part.reduce((sum, one) => sum + 1 - one, 0))
    for (let i = 0, k = 0; i < rows.count; i++) if (part[i] === 0) this.single[k++] = i
    this.contacts = new ContactSweep(problem, cone, memory, this.diagonal)
    for (const { rows: own } of spin) {
      const largest = Math.max(...own.map(i => own.reduce((sum, j) => sum + Math.abs(rowProduct(gradient, rows, i, j)), 0)))
      for (const row of own) this.diagonal[row] = positive(largest)
    }
    for (let i = 0; i < rows.count; i++) this.add(i, problem.p[i]!)
  }

  /** Writes the impulses into the problem. */
  finish(): void {
    this.problem.p.set(this.p)
  }

  /** a_i. */
  private rate(i: number): number {
    const { gradient: J, slotA, slotB, b, rows: { compliance } } = this.problem
    const at = JACOBIAN_WIDTH * i
    const sum = compliance[i]! * this.p[i]! - b[i]! + this.seen(J, at, slotA[i]!) + this.seen(J, at + 6, slotB[i]!)
    return this.problem.rows.owners.length === 0 ? sum : sum + this.secondRate(i)
  }

  /** Contribution of the second pair of bodies to the rate of row i. */
  private secondRate(i: number): number {
    const { rows: { owners, second }, secondSlotA, secondSlotB } = this.problem
    const k = owners.indexOf(i)
    if (k < 0) return 0
    let sum = 0
    for (const [at, slot] of [[JACOBIAN_WIDTH * k, secondSlotA[k]!], [JACOBIAN_WIDTH * k + 6, secondSlotB[k]!]] as const) {
      sum += this.seen(second!.jacobian, at, slot)
    }
    return sum
  }

  /** Adds `change` to p_i and updates the velocities. */
  private add(i: number, change: number): void {
    if (change === 0) return
    const { rows: { inverseMassJacobian: W }, slotA, slotB } = this.problem
    const at = JACOBIAN_WIDTH * i
    this.push(W, at, slotA[i]!, change)
    this.push(W, at + 6, slotB[i]!, change)
    if (this.problem.rows.owners.length > 0) this.addSecond(i, change)
  }

  private addSecond(i: number, change: number): void {
    const { rows: { owners, second }, secondSlotA, secondSlotB } = this.problem
    const k = owners.indexOf(i)
    if (k < 0) return
    for (const [at, slot] of [[JACOBIAN_WIDTH * k, secondSlotA[k]!], [JACOBIAN_WIDTH * k + 6, secondSlotB[k]!]] as const) {
      this.push(second!.inverseMassJacobian, at, slot, change)
    }
  }

  /** Product of the six coefficients from `at` on with the velocity of a body; 0 for an immovable one. */
  private seen(J: Float64Array, at: number, slot: number): number {
    if (slot < 0) return 0
    const { u } = this
    const x = VELOCITY * slot
    const y = x + ANGULAR
    return J[at]! * u[x]! + J[at + 1]! * u[x + 1]! + J[at + 2]! * u[x + 2]! + J[at + 3]! * u[y]! + J[at + 4]! * u[y + 1]! + J[at + 5]! * u[y + 2]!
  }

  /** Changes a body's velocity by `change` times the six coefficients from `at` on. */
  private push(W: Float64Array, at: number, slot: number, change: number): void {
    if (slot < 0) return
    const x = VELOCITY * slot
    for (let k = 0; k < 3; k++) {
      this.u[x + k]! += W[at + k]! * change
      this.u[x + ANGULAR + k]! += W[at + 3 + k]! * change
    }
  }

  /** One Gauss–Seidel sweep. @returns the largest violation, m/s */
  sweep(relaxation: number, backwards: boolean): number {
    if (!backwards) return Math.max(this.sweepRows(relaxation, false), this.contacts.sweep(relaxation, false), this.sweepSpins(relaxation))
    return Math.max(this.sweepSpins(relaxation), this.contacts.sweep(relaxation, true), this.sweepRows(relaxation, true))
  }

  private sweepSpins(relaxation: number): number {
    const { problem: { spin }, p, diagonal } = this
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

  /** Impulses of a spin's rows after a step, scaled to their common bound, which is proportional to the normal impulse in `normals`. */
  private turned(spin: SpinRows, step: number, normals: Float64Array): number[] {
    const { p, diagonal } = this
    const aim = spin.rows.map(row => p[row]! - step * this.rate(row) / diagonal[row]!)
    const bound = spinBound(spin, normals)
    const size = sizeOf(aim)
    return size > bound ? aim.map(value => value * bound / size) : aim
  }

  private sweepRows(relaxation: number, backwards: boolean): number {
    const { single, p, diagonal } = this
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

  /** One Jacobi sweep: all rows use the old velocities. @returns the largest violation, m/s */
  jacobi(step: number, next: Float64Array): number {
    const { problem: { rows: { count }, kind, friction, spin }, p, diagonal, cone } = this
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
