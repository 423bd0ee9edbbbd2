import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lemke, principalPivoting } from '../../../../core/lcp'

/** M = Gᵀ G + skew part, of some rank, and q. */
const problems = (rank: (n: number) => number, skew: number) => fc.integer({ min: 1, max: 8 }).chain(n => {
  const r = rank(n)
  const entry = fc.double({ min: -1, max: 1, noNaN: true })
  const numbers = (count: number) => fc.array(entry, { minLength: count, maxLength: count })
  return fc.tuple(numbers(n * r), numbers(n * n), numbers(n)).map(([G, S, q]) => {
    const M = new Float64Array(n * n)
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        for (let k = 0; k < r; k++) M[i * n + j]! += G[k * n + i]! * G[k * n + j]!
        M[i * n + j]! += skew * (S[i * n + j]! - S[j * n + i]!)
      }
    }
    for (let i = 0; i < n; i++) M[i * n + i]! += 0.05
    return { M, q: Float64Array.from(q) }
  })
})

function expectSolution(M: Float64Array, q: Float64Array, z: Float64Array): void {
  q.forEach((value, i) => {
    const w = z.reduce((sum, zj, j) => sum + M[i * q.length + j]! * zj, value)
    expect(z[i]!).toBeGreaterThanOrEqual(0)
    expect(w).toBeGreaterThanOrEqual(-1e-9)
    expect(Math.abs(z[i]! * w)).toBeLessThanOrEqual(1e-8)
  })
}

describe('Dantzig\'s pivoting', () => {
  it.each([['symmetric', 0], ['unsymmetric', 0.5]])('finds the unique solution of a positive definite problem, %s, as Lemke\'s algorithm does', (_, skew) => {
    fc.assert(fc.property(problems(n => n, skew), ({ M, q }) => {
      const found = principalPivoting(M, q)
      expect(found.status).toBe('solved')
      expectSolution(M, q, found.z)
      lemke(M, q).z.forEach((value, i) => expect(Math.abs(found.z[i]! - value)).toBeLessThanOrEqual(1e-7))
    }), { numRuns: 300 })
  })

  it('adds a friction direction and the multiplier of its bound together', () => {
    // f_N = 1 by its own row, one direction with w = a + λ, a = β − 5, and λ with w = 0.5 f_N − β: slips at its bound.
    const M = Float64Array.from([1, 0, 0, 0, 1, 1, 0.5, -1, 0])
    const { status, z } = principalPivoting(M, Float64Array.from([-1, -5, 0]))
    expect(status).toBe('solved')
    expect([...z].map(value => Math.round(1e9 * value) / 1e9)).toEqual([1, 0.5, 4.5])
  })

  it('reports a driving variable that grows without bound', () => {
    expect(principalPivoting(Float64Array.from([0, -1, -1, 0]), Float64Array.from([-1, -1])).status).toBe('limit')
  })
})
