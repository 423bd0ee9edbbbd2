/** The block factorisation equals that of the dense matrix. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { luFactor, luSolve } from '../../../../../../core/math/factor'
import { BodyMatrix } from '../../../../../../core/methods/time-stepping/solvers/body-matrix'
import { BodyPattern } from '../../../../../../core/methods/time-stepping/solvers/body-pattern'

const SIDE = 6

describe('a matrix of bodies', () => {
  it('has the same solution as the dense one, for any contacts', () => {
    const size = fc.integer({ min: 1, max: 7 })
    const meeting = fc.array(fc.tuple(fc.integer({ min: -1, max: 6 }), fc.integer({ min: -1, max: 6 })), { maxLength: 12 })
    fc.assert(fc.property(size, meeting, fc.infiniteStream(fc.double({ min: -1, max: 1, noNaN: true })), (count, pairs, numbers) => {
      const random = (): number => numbers.next().value as number
      const rows = pairs.map(([a, b]) => [a < count ? a : -1, b < count ? b : -1] as const).filter(([a, b]) => a !== b)
      const pattern = new BodyPattern(count, Int32Array.from(rows, ([a]) => a), Int32Array.from(rows, ([, b]) => b), Infinity)
      const matrix = new BodyMatrix(pattern)
      matrix.reset()
      const n = SIDE * count
      const dense = new Float64Array(n * n)
      for (let k = 0; k < n; k++) dense[k * (n + 1)] = 1
      // Three products at once as one contact has them, or one.
      const add = (body: number, other: number, columns: readonly Float64Array[], rows: readonly Float64Array[]): void => {
        const joined = (vectors: readonly Float64Array[]): Float64Array => Float64Array.from(vectors.flatMap(v => [...v, ...new Float64Array(SIDE)]))
        matrix.addProducts(matrix.blockOf(body, other), joined(columns), 0, joined(rows), 0, columns.length)
        columns.forEach((column, k) => {
          for (let r = 0; r < SIDE; r++) for (let c = 0; c < SIDE; c++) dense[(SIDE * body + r) * n + SIDE * other + c]! += column[r]! * rows[k]![c]!
        })
      }
      for (const [a, b] of rows) {
        // Vectors of two bodies for one row or a contact's three. Jacobian and response are transposes, so that the matrix stays positive definite.
        const size = random() < 0 ? 1 : 3
        const parts = [a, b].filter(body => body >= 0).map(body => ({ body, part: Array.from({ length: size }, () => Float64Array.from({ length: SIDE }, random)) }))
        for (const first of parts) for (const second of parts) add(first.body, second.body, first.part, second.part)
      }
      const right = Float64Array.from({ length: n }, random)
      const expected = luSolve(luFactor(dense, n), right)
      expect(pattern.sparse).toBe(true)
      expect(matrix.factor()).toBe(true)
      const found = right.slice()
      matrix.solve(found)
      found.forEach((value, k) => expect(Math.abs(value - expected[k]!)).toBeLessThanOrEqual(1e-12))
    }), { numRuns: 60 })
  })

  it('costs products in proportion to the bodies of a row, and is refused if all bodies touch all others', () => {
    const count = 40
    const row = Int32Array.from({ length: count - 1 }, (_, k) => k)
    expect(new BodyPattern(count, row, row.map(k => k + 1), 3 * count).sparse).toBe(true)
    const pairs = Array.from({ length: count * count }, (_, k) => [Math.floor(k / count), k % count] as const)
    expect(new BodyPattern(count, Int32Array.from(pairs, ([a]) => a), Int32Array.from(pairs, ([, b]) => b), 3 * count).sparse).toBe(false)
  })
})
