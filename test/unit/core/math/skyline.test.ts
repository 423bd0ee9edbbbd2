import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { factorSkyline, solveSkyline } from '../../../../core/math/skyline'

/** A positive definite matrix whose rows begin where `first` says. */
function banded(n: number, first: Int32Array, values: readonly number[]): Float64Array {
  const L = new Float64Array(n * n)
  let next = 0
  for (let i = 0; i < n; i++) {
    for (let j = first[i]!; j < i; j++) L[i * n + j] = values[next++ % values.length]!
    L[i * n + i] = 1 + Math.abs(values[next++ % values.length]!)
  }
  const A = new Float64Array(n * n)
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) for (let k = 0; k < n; k++) A[i * n + j]! += L[i * n + k]! * L[j * n + k]!
  return A
}

const shapes = fc.integer({ min: 1, max: 12 }).chain(n => fc.record({
  n: fc.constant(n),
  first: fc.tuple(...Array.from({ length: n }, (_, i) => fc.integer({ min: 0, max: i }))),
  values: fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 20, maxLength: 20 }),
  b: fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: n, maxLength: n }),
}))

describe('Cholesky of a matrix with a skyline', () => {
  it('solves with any profile', () => {
    fc.assert(fc.property(shapes, ({ n, first, values, b }) => {
      const A = banded(n, Int32Array.from(first), values)
      const L = A.slice()
      const x = Float64Array.from(b)
      expect(factorSkyline(L, n, Int32Array.from(first), 1e-14)).toBe(true)
      solveSkyline(L, n, Int32Array.from(first), x)
      const size = Math.max(...x.map(Math.abs), 1)
      for (let i = 0; i < n; i++) {
        let sum = 0
        for (let j = 0; j < n; j++) sum += A[i * n + j]! * x[j]!
        expect(Math.abs(sum - b[i]!)).toBeLessThan(1e-12 * size * n)
      }
    }))
  })

  it('accesses no entry before the first of a row', () => {
    const G = Float64Array.from([4, NaN, NaN, 2, 5, NaN, NaN, 2, 5])
    expect(factorSkyline(G, 3, Int32Array.of(0, 0, 1), 1e-14)).toBe(true)
    expect([...G]).toEqual([2, NaN, NaN, 1, 2, NaN, NaN, 1, 2])
  })

  it('reports a singular or indefinite matrix', () => {
    expect(factorSkyline(Float64Array.of(1, 0, 1, 1), 2, Int32Array.of(0, 0), 1e-14)).toBe(false)
    expect(factorSkyline(Float64Array.of(1, 0, 2, 1), 2, Int32Array.of(0, 0), 1e-14)).toBe(false)
  })
})
