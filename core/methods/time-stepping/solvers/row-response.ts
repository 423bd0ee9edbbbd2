/** Velocities are the rates of the rows themselves: u = A p. The matrix is dense, so this serves problems of few rows whose bodies are eliminated. */

import { luFactor, luSolve, type LU } from '../../../math/factor'
import type { ContactProblem } from '../../../lcp/problem'
import { singleRows } from './force-law'
import type { ImpulseResponse } from './impulse-response'
import { rowVectors, SLOPES, type NewtonVectors } from './newton-vectors'

/** Multiplications of the product of two 6 × 6 blocks. */
const BLOCK_PRODUCT = 216

export class RowResponse implements ImpulseResponse {
  readonly vectors: NewtonVectors
  readonly diagonal: Float64Array
  readonly products: number
  private readonly size: number
  private readonly single: Int32Array
  private readonly M: Float64Array
  private lu: LU | null = null

  /** @param shares s of each row */
  constructor(private readonly problem: ContactProblem, readonly shares: Float64Array) {
    const { size: n, A, friction } = problem
    this.size = n
    this.diagonal = Float64Array.from({ length: n }, (_, i) => A[i * (n + 1)]!)
    this.products = Math.ceil(n * n * n / 3 / BLOCK_PRODUCT)
    this.single = singleRows(n, friction)
    this.vectors = rowVectors(n, this.single.length + friction.length)
    this.vectors.firsts.set([...this.single, ...friction.map(({ normal }) => normal)])
    this.M = new Float64Array(n * n)
  }

  across(i: number, j: number): number {
    return this.problem.A[i * this.size + j]!
  }

  rates(u: Float64Array, out: Float64Array): void {
    out.set(u)
  }

  push(p: Float64Array, out: Float64Array): void {
    const { size: n, problem: { A } } = this
    for (let i = 0; i < n; i++) {
      let sum = 0
      for (let j = 0; j < n; j++) sum += A[i * n + j]! * p[j]!
      out[i] = sum
    }
  }

  magnitude(p: Float64Array, b: Float64Array): number {
    const { size: n, problem: { A } } = this
    let most = 0
    for (let i = 0; i < n; i++) {
      let sum = Math.abs(b[i]!)
      for (let j = 0; j < n; j++) sum += Math.abs(A[i * n + j]! * p[j]!)
      most = Math.max(most, sum)
    }
    return most
  }

  fill(): void {
    const { size: n, problem: { A, friction }, vectors: { slopes: S }, single, M } = this
    for (let i = 0; i < n; i++) {
      const row = i * n
      for (const j of single) M[row + j] = A[row + j]! * S[SLOPES * j]!
      for (const { normal: j } of friction) {
        for (let c = 0; c < 3; c++) {
          const o = SLOPES * j + c
          M[row + j + c] = A[row + j]! * S[o]! + A[row + j + 1]! * S[o + 3]! + A[row + j + 2]! * S[o + 6]!
        }
      }
      M[row + i]! += 1
    }
  }

  factor(): boolean {
    this.lu = luFactor(this.M, this.size)
    return this.lu.pivotRatio > 0
  }

  solve(x: Float64Array): void {
    x.set(luSolve(this.lu!, x))
  }
}
