import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { luFactor, luSolve } from '../../../../core/math/factor'
import { semidefiniteLeastNorm } from '../../../../core/math/least-norm'
import { orthonormalize, pivotedCholesky } from '../../../../core/math/semidefinite'
import { leastNormSolve } from '../../../../core/math/orthogonal'
import { ClampedFactor } from '../../../../core/math/clamped-factor'

const entries = (count: number) => fc.array(fc.double({ min: -2, max: 2, noNaN: true, noDefaultInfinity: true }), { minLength: count, maxLength: count })

/** An m × r matrix, and its m × m Gram matrix of rank at most r. */
const semidefinite = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })).chain(([n, r]) =>
  entries(n * r).map(J => {
    const A = new Float64Array(n * n)
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) for (let k = 0; k < r; k++) A[i * n + j]! += J[i * r + k]! * J[j * r + k]!
    return { n, r, A }
  }))

const times = (A: Float64Array, n: number, x: Float64Array): Float64Array =>
  Float64Array.from({ length: n }, (_, i) => x.reduce((sum, value, j) => sum + A[i * n + j]! * value, 0))
const largest = (x: Iterable<number>): number => Math.max(0, ...[...x].map(Math.abs))
const norm = (x: Float64Array): number => Math.sqrt(x.reduce((sum, value) => sum + value * value, 0))

describe('LU with partial pivoting', () => {
  it('solves what it factored', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 12 }).chain(n => fc.tuple(fc.constant(n), entries(n * n), entries(n))), ([n, a, x]) => {
      const A = Float64Array.from(a)
      for (let i = 0; i < n; i++) A[i * n + ((i * 5 + 1) % n)]! += 20 // a permutation: pivoting is needed, and the condition number is small
      fc.pre(luFactor(A, n).pivotRatio > 1e-3)
      const found = luSolve(luFactor(A, n), times(A, n, Float64Array.from(x)))
      expect(largest(found.map((value, i) => value - x[i]!))).toBeLessThan(1e-11)
    }))
  })

  it('reports a singular matrix', () => {
    expect(luFactor(Float64Array.from([1, 2, 2, 4]), 2).pivotRatio).toBeLessThan(1e-15)
    expect(luFactor(new Float64Array(4), 2).pivotRatio).toBe(0)
  })
})

describe('pivoted Cholesky', () => {
  it('reproduces a semidefinite matrix from as many columns as its rank', () => {
    fc.assert(fc.property(semidefinite, ({ n, r, A }) => {
      const { L, rank } = pivotedCholesky(A, n, 1e-12)
      expect(rank).toBeLessThanOrEqual(Math.min(n, r))
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) {
          let s = 0
          for (let k = 0; k < rank; k++) s += L[i * rank + k]! * L[j * rank + k]!
          expect(Math.abs(s - A[i * n + j]!)).toBeLessThan(1e-9)
        }
      }
    }))
  })

  it('orthonormalises its columns', () => {
    const n = 3
    const B = Float64Array.from([1, 1, 1, 1 + 1e-5, 1, 1])
    const before = B.slice()
    const R = orthonormalize(B, n, 2)
    expect(Math.abs(B[0]! * B[1]! + B[2]! * B[3]! + B[4]! * B[5]!)).toBeLessThan(1e-14)
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < 2; j++) expect(B[2 * i]! * R[2 * j]! + B[2 * i + 1]! * R[2 * j + 1]!).toBeCloseTo(before[2 * i + j]!, 13)
    }
  })
})

describe('least-norm solutions', () => {
  it('solve consistent semidefinite systems with the solution of least norm', () => {
    fc.assert(fc.property(semidefinite.chain(m => fc.tuple(fc.constant(m), entries(m.n))), ([{ n, A }, given]) => {
      const { L, rank } = pivotedCholesky(A, n, 1e-12)
      fc.pre(rank > 0 && largest(L) > 0.1 && pivotedCholesky(A, n, 1e-5).rank === rank)
      const x0 = Float64Array.from(given)
      const b = times(A, n, x0)
      const { x } = semidefiniteLeastNorm(A, n, b, 1e-12)
      expect(largest(times(A, n, x).map((value, i) => value - b[i]!))).toBeLessThan(1e-10)
      expect(norm(x)).toBeLessThanOrEqual(norm(x0) * (1 + 1e-8) + 1e-12)
    }))
  })

  it('share a load equally among equal supports, or by weight', () => {
    const ones = new Float64Array(9).fill(1)
    expect([...semidefiniteLeastNorm(ones, 3, Float64Array.of(6, 6, 6), 1e-12).x]).toEqual([2, 2, 2].map(x => expect.closeTo(x, 14)))
    const { x } = semidefiniteLeastNorm(ones, 3, Float64Array.of(6, 6, 6), 1e-12, 3, Float64Array.of(1, 1, 2))
    expect(x[0]! / x[2]!).toBeCloseTo(4, 12) // Σ (wx)² least: x ∝ 1/w²
    expect(x[0]! + x[1]! + x[2]!).toBeCloseTo(6, 12)
  })

  it('change smoothly with the matrix while the rank is held, though redundant rows begin to look independent', () => {
    const at = (e: number): Float64Array => {
      const J = [1, 0, 1, e, 1, -e, 1, 2 * e] // four supports of a beam that nearly coincide
      const A = new Float64Array(16)
      for (let i = 0; i < 4; i++) for (let j = 0; j < 4; j++) A[i * 4 + j] = J[2 * i]! * J[2 * j]! + J[2 * i + 1]! * J[2 * j + 1]!
      return semidefiniteLeastNorm(A, 4, Float64Array.of(1, 1 + e, 1, 1), 1e-12, 1).x
    }
    for (const e of [1e-9, 1e-7, 1e-6]) expect(largest(at(e).map(value => value - 0.25))).toBeLessThan(10 * e)
  })

  it('of rectangular systems of any rank agree with the normal equations', () => {
    fc.assert(fc.property(fc.tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 7 })).chain(([m, n]) =>
      fc.tuple(fc.constant(m), fc.constant(n), entries(m * n), entries(m))), ([m, n, a, b]) => {
      const A = Float64Array.from(a) // by columns
      const { x } = leastNormSolve(A.slice(), m, n, Float64Array.from(b), 1e-9)
      const rest = Float64Array.from(b)
      for (let j = 0; j < n; j++) for (let i = 0; i < m; i++) rest[i]! -= A[j * m + i]! * x[j]!
      const size = 1 + largest(x)
      expect(size).toBeLessThan(Infinity)
      for (let j = 0; j < n; j++) { // Aᵀ(b − Ax) = 0
        let s = 0
        for (let i = 0; i < m; i++) s += A[j * m + i]! * rest[i]!
        expect(Math.abs(s)).toBeLessThan(1e-8 * size)
      }
    }))
  })
})

describe('the clamped factor', () => {
  it('remains the inverse while rows are added, removed and changed', () => {
    fc.assert(fc.property(entries(64), fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.nat(7)), { maxLength: 30 }), (a, moves) => {
      const M = Float64Array.from(a)
      for (let i = 0; i < 8; i++) M[i * 8 + i]! += 12
      const changed = M.slice()
      const factor = new ClampedFactor(8)
      const rows: number[] = []
      for (const [kind, i] of moves) {
        const at = rows.indexOf(i)
        if (kind === 0 && at < 0) {
          const ok = factor.append(
            Float64Array.from(rows, j => changed[j * 8 + i]!), Float64Array.from(rows, j => changed[i * 8 + j]!), changed[i * 8 + i]!, 1e-10)
          if (ok) rows.push(i)
        } else if (kind === 1 && at >= 0 && factor.remove(at, 1e-12)) {
          const last = rows.pop()!
          if (at < rows.length) rows[at] = last
        } else if (kind === 2 && at >= 0) {
          for (const j of [0, 3, 6]) changed[j * 8 + i]! += 0.25
          factor.replaceColumn(at, Float64Array.from(rows, j => changed[j * 8 + i]!), 1e-12)
        }
      }
      const x = new Float64Array(8)
      const r = Float64Array.from(rows, (_, p) => 1 + p)
      factor.solve(r, x)
      rows.forEach((row, p) => {
        const s = rows.reduce((sum, j, q) => sum + changed[row * 8 + j]! * x[q]!, 0)
        expect(Math.abs(s - (1 + p))).toBeLessThan(1e-9)
      })
    }))
  })

  it('refuses a row that depends on the present ones', () => {
    const factor = new ClampedFactor(2)
    expect(factor.append(Float64Array.of(), Float64Array.of(), 1, 1e-12)).toBe(true)
    expect(factor.append(Float64Array.of(1), Float64Array.of(1), 1, 1e-12)).toBe(false)
    expect(factor.size).toBe(1)
  })
})
