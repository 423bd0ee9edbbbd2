/** The mixed problem in slack variables [PEG17 eq. 39–49] against the list of all its solutions, found by trying every choice of separating features. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dantzig, ROW_UNILATERAL, ROW_WATCHED, solvePyramid, type Alternatives, type ContactProblem } from '../../../../core/lcp'
import { luFactor, luSolve } from '../../../../core/math/factor'

interface Case { readonly problem: ContactProblem; readonly alternatives: readonly Alternatives[] }

/** Rows J of `constraints` × (1 + others) candidates on `freedoms` masses, A = J Jᵀ, and b; a candidate in force comes first, its others behind it. */
const cases = (most: number, others: number, freedoms: number): fc.Arbitrary<Case> => fc.integer({ min: 1, max: most }).chain(constraints => {
  const size = constraints * (1 + others)
  const entry = fc.integer({ min: -1000, max: 1000 }).map(value => value / 1000)
  const numbers = (count: number): fc.Arbitrary<number[]> => fc.array(entry, { minLength: count, maxLength: count })
  return fc.tuple(numbers(size * freedoms), numbers(size)).map(([J, b]): Case => {
    const A = new Float64Array(size * size)
    for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) for (let k = 0; k < freedoms; k++) A[i * size + j]! += J[i * freedoms + k]! * J[j * freedoms + k]!
    return { problem: problemOf(A, Float64Array.from(b), others), alternatives: alternativesOf(constraints, others) }
  })
})

function problemOf(A: Float64Array, b: Float64Array, others: number): ContactProblem {
  const size = b.length
  return {
    size, A, b, kind: Uint8Array.from({ length: size }, (_, i) => i % (1 + others) === 0 ? ROW_UNILATERAL : ROW_WATCHED),
    lower: new Float64Array(size).fill(-Infinity), upper: new Float64Array(size).fill(Infinity), friction: [], level: 'velocity',
  }
}

const alternativesOf = (constraints: number, others: number): Alternatives[] => Array.from({ length: constraints }, (_, c) => (
  { normal: c * (1 + others), rows: Array.from({ length: others }, (_, s) => c * (1 + others) + 1 + s) }))

function velocities({ A, b, size }: ContactProblem, f: Float64Array): Float64Array {
  return Float64Array.from(b, (value, i) => f.reduce((sum, force, j) => sum + A[i * size + j]! * force, -value))
}

/** Slack that is complementary to a constraint's impulse. */
const gapOf = ({ normal, rows }: Alternatives, a: Float64Array): number => Math.max(a[normal]!, ...rows.map(row => a[row]!))

/** All solutions: each constraint has no impulse, or its largest candidate gap is 0. */
function allSolutions({ problem, alternatives }: Case): Float64Array[] {
  const { size, A, b } = problem
  const found: Float64Array[] = []
  const choose = (held: readonly (readonly [normal: number, row: number])[], k: number): void => {
    if (k < alternatives.length) {
      const { normal, rows } = alternatives[k]!
      choose(held, k + 1)
      for (const row of [normal, ...rows]) choose([...held, [normal, row]], k + 1)
      return
    }
    const n = held.length
    const factor = luFactor(Float64Array.from({ length: n * n }, (_, at) => A[held[Math.floor(at / n)]![1] * size + held[at % n]![0]]!), n)
    if (n > 0 && !(factor.pivotRatio > 1e-9)) return
    const f = new Float64Array(size)
    if (n > 0) luSolve(factor, Float64Array.from(held, ([, row]) => b[row]!)).forEach((value, i) => { f[held[i]![0]] = value })
    const a = velocities(problem, f)
    const scale = Math.max(...f.map(Math.abs), 1)
    const holds = alternatives.every(constraint => {
      const own = held.find(([normal]) => normal === constraint.normal)
      return own === undefined ? gapOf(constraint, a) >= -1e-9 * scale : f[own[0]]! >= 0 && gapOf(constraint, a) <= a[own[1]]! + 1e-9 * scale
    })
    if (holds) found.push(f)
  }
  choose([], 0)
  return found
}

const solve = ({ problem, alternatives }: Case): ReturnType<typeof solvePyramid> => solvePyramid(problem, 4, ['lemke'], 1e-10, alternatives)

describe('slack variables', () => {
  it.each([[1, 1, 6], [3, 1, 6], [3, 2, 6], [4, 2, 12]])('up to %d constraints with %d others on %d masses: the result is a solution, the unique one if there is one', (most, others, freedoms) => {
    let [solved, missed, none] = [0, 0, 0]
    fc.assert(fc.property(cases(most, others, freedoms), given => {
      const all = allSolutions(given)
      const { f, residual } = solve(given)
      if (f === null) {
        if (all.length > 0) missed++
        else none++
        return
      }
      solved++
      expect(residual).toBeLessThanOrEqual(1e-10)
      const a = velocities(given.problem, f)
      const scale = Math.max(...f.map(Math.abs), 1)
      for (const constraint of given.alternatives) {
        expect(f[constraint.normal]!).toBeGreaterThanOrEqual(0)
        expect(Math.abs(Math.min(f[constraint.normal]!, gapOf(constraint, a)))).toBeLessThanOrEqual(1e-9 * scale)
        for (const row of constraint.rows) expect(f[row]).toBe(0)
      }
      // What lies on the border of two choices, or where the largest candidate hardly sees the impulse, the list may leave out.
      const nearest = Math.min(...all.map(other => Math.max(...f.map((value, i) => Math.abs(value - other[i]!)))))
      if (all.length === 1) expect(nearest).toBeLessThanOrEqual(1e-7 * scale)
    }), { numRuns: 300 })
    // On none of 10,000 it ended on a ray where there was a solution; in a step of bodies that may happen.
    expect({ missed, none }).toEqual({ missed: 0, none: 0 })
    expect(solved).toBe(300)
  })

  it('change nothing if the others are far below, and release the constraint if one of them holds', () => {
    fc.assert(fc.property(cases(4, 2, 12), ({ problem, alternatives }) => {
      const normals = alternatives.map(({ normal }) => normal)
      const { size, A, b } = problem
      const alone = dantzig.solve({
        ...problem, size: normals.length, A: Float64Array.from({ length: normals.length ** 2 }, (_, at) => A[normals[Math.floor(at / normals.length)]! * size + normals[at % normals.length]!]!),
        b: Float64Array.from(normals, row => b[row]!), kind: new Uint8Array(normals.length).fill(ROW_UNILATERAL), lower: new Float64Array(normals.length), upper: new Float64Array(normals.length),
      })
      // A row of zeros with a requirement has no solution.
      fc.pre(alone.status === 'solved')
      const far = (by: number): ContactProblem => ({ ...problem, b: b.map((value, row) => problem.kind[row] === ROW_WATCHED ? by : value) })
      const below = solve({ problem: far(1e3), alternatives })
      expect(below.f).not.toBeNull()
      normals.forEach((row, k) => expect(Math.abs(below.f![row]! - alone.f[k]!)).toBeLessThanOrEqual(1e-7 * Math.max(1, ...alone.f)))
      const above = solve({ problem: far(-1e3), alternatives })
      expect(above.f?.every(value => value === 0)).toBe(true)
    }), { numRuns: 200 })
  })

  it('let a vertex past one side of a corner', () => {
    // A unit mass at a corner of two faces at 60° meets the first at −1 m/s: past the second it has room, short of it is pushed until it is past either.
    const corner = (x: number): ContactProblem => problemOf(Float64Array.from([1, 0.5, 0.5, 1]), Float64Array.from([1, -x]), 1)
    const alternatives = alternativesOf(1, 1)
    expect([...solvePyramid(corner(0.5), 4, ['lemke'], 1e-10, alternatives).f!]).toEqual([0, 0])
    expect([...solvePyramid(corner(-0.25), 4, ['lemke'], 1e-10, alternatives).f!]).toEqual([0.5, 0])
    expect([...solvePyramid(corner(-2), 4, ['lemke'], 1e-10, alternatives).f!]).toEqual([1, 0])
  })
})
