import { describe, expect, it } from 'vitest'
import { rangeLeastNorm } from '../../../../core/math/least-norm'
import { leastNormSolve } from '../../../../core/math/orthogonal'
import { seeded } from '../lcp/problems'

const TRIALS = 200

/** A = J Jᵀ (n × n) of a rank below n, and M = J K with random columns in its range. */
function system(random: () => number) {
  const n = 3 + Math.floor(random() * 8)
  const rank = 1 + Math.floor(random() * (n - 1))
  const fill = (count: number): Float64Array => Float64Array.from({ length: count }, () => random() < 0.3 ? 0 : 2 * random() - 1)
  const J = fill(n * rank)
  const K = fill(rank * n)
  const A = new Float64Array(n * n)
  const M = new Float64Array(n * n)
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      for (let k = 0; k < rank; k++) {
        A[i * n + j]! += J[i * rank + k]! * J[j * rank + k]!
        M[i * n + j]! += J[i * rank + k]! * K[k * n + j]!
      }
    }
  }
  const b = new Float64Array(n)
  const x = fill(n)
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) b[i]! += M[i * n + j]! * x[j]!
  return { n, rank, A, M, b }
}

describe('unsymmetric systems whose columns lie in the range of a semidefinite matrix', () => {
  it('get the least-norm solution that the complete orthogonal decomposition gives, by both ways', () => {
    const random = seeded(11)
    let compared = 0
    for (let trial = 0; trial < TRIALS; trial++) {
      const { n, A, M, b } = system(random)
      const columns = new Float64Array(n * n)
      for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) columns[j * n + i] = M[i * n + j]!
      const { x, rank } = leastNormSolve(columns, n, n, b.slice(), 1e-10)
      for (const consistent of [false, true]) {
        const found = rangeLeastNorm(A, n, M, n, b, 1e-12, n, consistent)
        if (found === null || found.rank !== rank) continue
        compared++
        const size = Math.max(...x.map(Math.abs), 1)
        found.x.forEach((value, k) => expect(Math.abs(value - x[k]!)).toBeLessThan(1e-6 * size))
        for (let i = 0; i < n; i++) {
          let left = -b[i]!
          for (let k = 0; k < n; k++) left += M[i * n + k]! * found.x[k]!
          expect(Math.abs(left)).toBeLessThan(1e-9 * size)
        }
      }
    }
    expect(compared).toBeGreaterThan(1.5 * TRIALS)
  })

  it('are refused if their rank is lower than that of the matrix', () => {
    const A = Float64Array.of(1, 0, 0, 1)
    const M = Float64Array.of(1, 1, 1, 1)
    expect(rangeLeastNorm(A, 2, M, 2, Float64Array.of(1, 2), 1e-12)).toBeNull()
  })
})
