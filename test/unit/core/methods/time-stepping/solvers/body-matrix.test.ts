/** The block factorisation equals that of the dense matrix, and the kernel its twin without vectors. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { luFactor, luSolve } from '../../../../../../core/math/factor'
import { BodyMatrix, type MatrixRows } from '../../../../../../core/methods/time-stepping/solvers/body-matrix'
import { SLOPES } from '../../../../../../core/methods/time-stepping/solvers/newton-vectors'
import { BodyPattern } from '../../../../../../core/methods/time-stepping/solvers/body-pattern'
import { singleRows } from '../../../../../../core/methods/time-stepping/solvers/force-law'
import { ScalarBodyMatrix } from './scalar-body-matrix'

const SIDE = 6
const ROW = 12

/** Single rows and contacts of three rows between some of the bodies, with random slopes. */
function problemOf(count: number, pairs: readonly (readonly [number, number, boolean])[], random: () => number) {
  const groups = pairs.map(([a, b, contact]) => ({ a: a < count ? a : -1, b: b < count ? b : -1, size: contact ? 3 : 1 })).filter(({ a, b }) => a !== b)
  const bodiesOf = (of: (group: { a: number, b: number }) => number): Int32Array => Int32Array.from(groups.flatMap(group => Array.from({ length: group.size }, () => of(group))))
  const [slotA, slotB] = [bodiesOf(({ a }) => a), bodiesOf(({ b }) => b)]
  const rows = slotA.length
  const half = (slot: number): number[] => Array.from({ length: SIDE }, () => slot < 0 ? 0 : random())
  const line = (_: unknown, i: number): number[] => [...half(slotA[i]!), ...half(slotB[i]!)]
  const gradient = Float64Array.from(Array.from({ length: rows }, line).flat())
  const friction: { normal: number }[] = []
  const slopes = new Float64Array(SLOPES * rows)
  let row = 0
  for (const { size } of groups) {
    if (size === 3) friction.push({ normal: row })
    for (let k = 0; k < size; k++) slopes[SLOPES * row + 4 * k] = random() < -0.8 ? 0 : 1 + random()
    row += size
  }
  // Response and slopes times gradient are transposes of each other but for a small part, so that the matrix stays regular.
  const response = gradient.map(value => value === 0 ? 0 : value + 0.1 * random())
  const problem = { gradient, friction, slotA, slotB, rows: { count: rows, inverseMassJacobian: response } } as unknown as MatrixRows
  return { problem, slopes, groups }
}

function denseOf(count: number, { gradient, slotA, slotB, rows: { inverseMassJacobian: W } }: MatrixRows, slopes: Float64Array, groups: readonly { size: number }[]): Float64Array {
  const n = SIDE * count
  const dense = new Float64Array(n * n)
  for (let k = 0; k < n; k++) dense[k * (n + 1)] = 1
  const placed = (M: Float64Array, row: number): Float64Array => {
    const out = new Float64Array(n)
    for (const [slot, at] of [[slotA[row]!, ROW * row], [slotB[row]!, ROW * row + SIDE]] as const) if (slot >= 0) out.set(M.subarray(at, at + SIDE), SIDE * slot)
    return out
  }
  let first = 0
  for (const { size } of groups) {
    for (let r = 0; r < size; r++) {
      for (let c = 0; c < size; c++) {
        const slope = slopes[SLOPES * first + 3 * r + c]!
        const [w, j] = [placed(W, first + r), placed(gradient, first + c)]
        for (let x = 0; x < n; x++) for (let y = 0; y < n; y++) dense[n * x + y]! += w[x]! * slope * j[y]!
      }
    }
    first += size
  }
  return dense
}

const bodies = fc.integer({ min: 1, max: 7 })
const meeting = fc.array(fc.tuple(fc.integer({ min: -1, max: 6 }), fc.integer({ min: -1, max: 6 }), fc.boolean()), { maxLength: 12 })
const stream = fc.infiniteStream(fc.double({ min: -1, max: 1, noNaN: true }))

describe('a matrix of bodies', () => {
  it('has the same solution as the dense one, for any rows, and to the bit that of its twin without vectors', () => {
    fc.assert(fc.property(bodies, meeting, stream, (count, pairs, numbers) => {
      const random = (): number => numbers.next().value as number
      const { problem, slopes, groups } = problemOf(count, pairs, random)
      const pattern = new BodyPattern(count, problem.slotA, problem.slotB, Infinity)
      const single = singleRows(problem.rows.count, problem.friction)
      const matrix = new BodyMatrix(pattern, problem, single)
      matrix.arrays.slopes.set(slopes)
      const twin = new ScalarBodyMatrix(pattern, problem, single, slopes)
      const right = Float64Array.from({ length: SIDE * count }, random)
      const expected = luSolve(luFactor(denseOf(count, problem, slopes, groups), SIDE * count), right)
      const solved = [matrix, twin].map(each => {
        each.fill()
        expect(each.factor()).toBe(true)
        const x = right.slice()
        each.solve(x)
        return x
      })
      expect(solved[0]).toEqual(solved[1])
      solved[0]!.forEach((value, k) => expect(Math.abs(value - expected[k]!)).toBeLessThanOrEqual(1e-10 * Math.max(1, ...expected.map(Math.abs))))
    }), { numRuns: 100 })
  })

  it('gives, to the bit, the velocities of impulses and the rates of velocities by their sums in the order of rows and bodies', () => {
    fc.assert(fc.property(bodies, meeting, stream, (count, pairs, numbers) => {
      const random = (): number => numbers.next().value as number
      const { problem } = problemOf(count, pairs, random)
      const { rows, slotA, slotB } = problem
      const matrix = new BodyMatrix(new BodyPattern(count, slotA, slotB, Infinity), problem, singleRows(rows.count, problem.friction))
      const { given, missed, u } = matrix.arrays
      for (let i = 0; i < given.length; i++) given[i] = random() < -0.5 ? 0 : random()
      matrix.push(given, u)
      const velocities = new Float64Array(SIDE * count)
      const expected = new Float64Array(rows.count)
      const halves = (row: number): [number, number][] => ([[slotA[row]!, ROW * row], [slotB[row]!, ROW * row + SIDE]] as [number, number][]).filter(([slot]) => slot >= 0)
      for (let row = 0; row < rows.count; row++) {
        for (const [slot, at] of halves(row)) for (let k = 0; k < SIDE; k++) velocities[SIDE * slot + k]! += rows.inverseMassJacobian[at + k]! * given[row]!
      }
      expect([...u]).toEqual([...velocities])
      matrix.rates(u, missed)
      for (let row = 0; row < rows.count; row++) {
        for (const [slot, at] of halves(row)) for (let k = 0; k < SIDE; k++) expected[row]! += problem.gradient[at + k]! * velocities[SIDE * slot + k]!
      }
      expect([...missed]).toEqual([...expected])
    }), { numRuns: 100 })
  })

  it('is not factored with a value that is no number', () => {
    const { problem, slopes } = problemOf(2, [[0, 1, true]], () => 0.5)
    const pattern = new BodyPattern(2, problem.slotA, problem.slotB, Infinity)
    const matrix = new BodyMatrix(pattern, problem, singleRows(problem.rows.count, problem.friction))
    matrix.arrays.slopes.set(slopes.map(() => NaN))
    matrix.fill()
    expect(matrix.factor()).toBe(false)
  })

  it('costs products in proportion to the bodies of a row, and is refused if all bodies touch all others', () => {
    const count = 40
    const row = Int32Array.from({ length: count - 1 }, (_, k) => k)
    expect(new BodyPattern(count, row, row.map(k => k + 1), 3 * count).sparse).toBe(true)
    const pairs = Array.from({ length: count * count }, (_, k) => [Math.floor(k / count), k % count] as const)
    expect(new BodyPattern(count, Int32Array.from(pairs, ([a]) => a), Int32Array.from(pairs, ([, b]) => b), 3 * count).sparse).toBe(false)
  })
})
