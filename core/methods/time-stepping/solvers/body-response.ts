/** Velocities of an island's bodies, six a body: u = M⁻¹ Jᵀ p, with rates Γ u. */

import { JACOBIAN_WIDTH } from '../../../dynamics/joints/joint'
import type { StepProblem } from '../step-problem'
import { BodyMatrix } from './body-matrix'
import type { BodyPattern } from './body-pattern'
import { rowProduct } from './contact-record'
import { singleRows } from './force-law'
import type { ImpulseResponse } from './impulse-response'
import type { NewtonVectors } from './newton-vectors'

/** × the heaviest body's inverse mass: rows of lighter bodies get the stiffness of a body with this inverse mass. */
const UNEVEN = 10

export class BodyResponse implements ImpulseResponse {
  readonly diagonal: Float64Array
  readonly shares: Float64Array
  private readonly matrix: BodyMatrix

  constructor(private readonly problem: StepProblem, private readonly pattern: BodyPattern) {
    const { rows, gradient } = problem
    this.diagonal = Float64Array.from({ length: rows.count }, (_, i) => rowProduct(gradient, rows, i, i))
    this.shares = lightness(problem)
    this.matrix = new BodyMatrix(pattern, problem, singleRows(rows.count, problem.friction))
  }

  get vectors(): NewtonVectors {
    return this.matrix.arrays
  }

  get products(): number {
    return this.pattern.products
  }

  across(i: number, j: number): number {
    return rowProduct(this.problem.gradient, this.problem.rows, i, j)
  }

  rates(u: Float64Array, out: Float64Array): void {
    this.matrix.rates(u, out)
  }

  push(p: Float64Array, out: Float64Array): void {
    this.matrix.push(p, out)
  }

  magnitude(p: Float64Array, b: Float64Array): number {
    const { bodyCount, slotA, slotB, gradient: J, rows: { count, inverseMassJacobian: W } } = this.problem
    const sums = new Float64Array(6 * bodyCount)
    for (let i = 0; i < count; i++) {
      const impulse = Math.abs(p[i]!)
      const at = JACOBIAN_WIDTH * i
      const x = 6 * slotA[i]!
      if (x >= 0) for (let k = 0; k < 6; k++) sums[x + k]! += Math.abs(W[at + k]!) * impulse
      const y = 6 * slotB[i]!
      if (y >= 0) for (let k = 0; k < 6; k++) sums[y + k]! += Math.abs(W[at + 6 + k]!) * impulse
    }
    let most = 0
    for (let i = 0; i < count; i++) {
      const at = JACOBIAN_WIDTH * i
      let sum = Math.abs(b[i]!)
      const x = 6 * slotA[i]!
      if (x >= 0) for (let k = 0; k < 6; k++) sum += Math.abs(J[at + k]!) * sums[x + k]!
      const y = 6 * slotB[i]!
      if (y >= 0) for (let k = 0; k < 6; k++) sum += Math.abs(J[at + 6 + k]!) * sums[y + k]!
      most = Math.max(most, sum)
    }
    return most
  }

  fill(): void {
    this.matrix.fill()
  }

  factor(): boolean {
    return this.matrix.factor()
  }

  solve(x: Float64Array): void {
    this.matrix.solve(x)
  }
}

/** s of each row. Rotational joint rows, and rows of bodies without other rows, keep 1. */
export function lightness({ rows: { count, jacobian: J, inverseMassJacobian: W }, slotA, slotB, bodyCount }: Pick<StepProblem, 'rows' | 'slotA' | 'slotB' | 'bodyCount'>): Float64Array {
  const inverseMass = new Float64Array(bodyCount)
  for (let i = 0; i < count; i++) {
    for (const [slot, at] of [[slotA[i]!, JACOBIAN_WIDTH * i], [slotB[i]!, JACOBIAN_WIDTH * i + 6]] as const) {
      if (slot < 0 || inverseMass[slot] !== 0) continue
      const square = J[at]! * J[at]! + J[at + 1]! * J[at + 1]! + J[at + 2]! * J[at + 2]!
      if (square > 0) inverseMass[slot] = (J[at]! * W[at]! + J[at + 1]! * W[at + 1]! + J[at + 2]! * W[at + 2]!) / square
    }
  }
  const least = inverseMass.reduce((small, value) => value > 0 ? Math.min(small, value) : small, Infinity)
  return Float64Array.from({ length: count }, (_, i) => {
    const own = (slotA[i]! < 0 ? 0 : inverseMass[slotA[i]!]!) + (slotB[i]! < 0 ? 0 : inverseMass[slotB[i]!]!)
    return own > UNEVEN * least ? UNEVEN * least / own : 1
  })
}
