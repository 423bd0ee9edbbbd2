/** Blocks of bodies are factored as the whole matrix would be. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { luFactor, luSolve } from '../../../../../../core/math/factor'
import { BodyMatrix } from '../../../../../../core/methods/time-stepping/solvers/body-matrix'

const SIDE = 6

describe('a matrix of bodies', () => {
  it('is solved as the dense one is, whatever bodies meet', () => {
    const size = fc.integer({ min: 1, max: 7 })
    const meeting = fc.array(fc.tuple(fc.integer({ min: -1, max: 6 }), fc.integer({ min: -1, max: 6 })), { maxLength: 12 })
    fc.assert(fc.property(size, meeting, fc.infiniteStream(fc.double({ min: -1, max: 1, noNaN: true })), (count, pairs, numbers) => {
      const random = (): number => numbers.next().value as number
      const rows = pairs.map(([a, b]) => [a < count ? a : -1, b < count ? b : -1] as const).filter(([a, b]) => a !== b)
      const matrix = new BodyMatrix(count, Int32Array.from(rows, ([a]) => a), Int32Array.from(rows, ([, b]) => b), Infinity)
      matrix.reset()
      const n = SIDE * count
      const dense = new Float64Array(n * n)
      for (let k = 0; k < n; k++) dense[k * (n + 1)] = 1
      const add = (body: number, other: number, column: Float64Array, row: Float64Array): void => {
        matrix.addProduct(matrix.blockOf(body, other), column, 0, row, 0)
        for (let r = 0; r < SIDE; r++) for (let c = 0; c < SIDE; c++) dense[(SIDE * body + r) * n + SIDE * other + c]! += column[r]! * row[c]!
      }
      for (const [a, b] of rows) {
        // Vectors of one row's two bodies: what it sees of them is what it does to them, so that the matrix stays positive definite.
        const parts = [a, b].filter(body => body >= 0).map(body => ({ body, part: Float64Array.from({ length: SIDE }, random) }))
        for (const first of parts) for (const second of parts) add(first.body, second.body, first.part, second.part)
      }
      const right = Float64Array.from({ length: n }, random)
      const expected = luSolve(luFactor(dense, n), right)
      expect(matrix.sparse).toBe(true)
      expect(matrix.factor()).toBe(true)
      const found = right.slice()
      matrix.solve(found)
      found.forEach((value, k) => expect(Math.abs(value - expected[k]!)).toBeLessThanOrEqual(1e-12))
    }), { numRuns: 60 })
  })

  it('takes products in proportion to the bodies of a row, and is given up where all meet all', () => {
    const count = 40
    const row = Int32Array.from({ length: count - 1 }, (_, k) => k)
    expect(new BodyMatrix(count, row, row.map(k => k + 1), 3 * count).sparse).toBe(true)
    const pairs = Array.from({ length: count * count }, (_, k) => [Math.floor(k / count), k % count] as const)
    expect(new BodyMatrix(count, Int32Array.from(pairs, ([a]) => a), Int32Array.from(pairs, ([, b]) => b), 3 * count).sparse).toBe(false)
  })
})
