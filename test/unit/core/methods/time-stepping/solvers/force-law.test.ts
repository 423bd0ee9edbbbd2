import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ROW_BOX, ROW_EQUALITY, ROW_UNILATERAL, type ContactProblem } from '../../../../../../core/lcp/problem'
import { ForceLaw, type LawProblem } from '../../../../../../core/methods/time-stepping/solvers/force-law'
import { SLOPES } from '../../../../../../core/methods/time-stepping/solvers/newton-vectors'
import { RowResponse } from '../../../../../../core/methods/time-stepping/solvers/row-response'
import { forcesAt } from './scalar-force-law'

const groups = fc.array(fc.constantFrom(ROW_EQUALITY, ROW_BOX, ROW_UNILATERAL, 'contact' as const), { minLength: 1, maxLength: 8 })
/** Zeros are frequent, so that impulses lie on their bounds and directions of slip are missing. */
const stream = fc.infiniteStream(fc.oneof({ weight: 4, arbitrary: fc.double({ min: -2, max: 2, noNaN: true }) }, { weight: 1, arbitrary: fc.constant(0) }))

/** Groups of rows, one after another: single rows of a kind, and contacts of three rows. */
function problemOf(kinds: readonly (number | 'contact')[], random: () => number): { readonly problem: LawProblem, readonly contact: ContactProblem } {
  const rows = kinds.flatMap(kind => kind === 'contact' ? [ROW_UNILATERAL, ROW_EQUALITY, ROW_EQUALITY] : [kind])
  const friction: object[] = []
  let row = 0
  for (const kind of kinds) {
    if (kind === 'contact') friction.push({ normal: row, tangent1: row + 1, tangent2: row + 2, staticFriction: Math.abs(random()), dynamicFriction: 0 })
    row += kind === 'contact' ? 3 : 1
  }
  const n = rows.length
  const some = (): Float64Array => Float64Array.from({ length: n }, random)
  const A = new Float64Array(n * n)
  for (let i = 0; i < n; i++) A[i * (n + 1)] = 0.5 + Math.abs(random())
  const lower = some().map(value => -Math.abs(value))
  const problem = { kind: Uint8Array.from(rows), lower, upper: some().map(Math.abs), friction, b: some(), p: some(), compliance: some().map(Math.abs) }
  return { problem: problem as unknown as LawProblem, contact: { ...problem, size: n, A } as unknown as ContactProblem }
}

describe('the law of impulses', () => {
  it('has, to the bit, the forces and slopes of its formulas', () => {
    fc.assert(fc.property(groups, stream, fc.constantFrom(1, 10, 1e6), fc.boolean(), (kinds, numbers, stiffness, frozen) => {
      const random = (): number => numbers.next().value as number
      const { problem, contact } = problemOf(kinds, random)
      const response = new RowResponse(contact, new Float64Array(contact.size).fill(1))
      const law = new ForceLaw(problem, response)
      const { vectors } = response
      law.begin(problem.p)
      for (const vector of [vectors.rates, vectors.dual]) for (let i = 0; i < vector.length; i++) vector[i] = random()
      law.look(vectors.rates, stiffness, vectors.dual, frozen)
      const expected = forcesAt(problem, vectors, vectors.rates, stiffness, vectors.dual, frozen)
      expect([...law.force]).toEqual([...expected.force])
      // Of a single row only the first slope has a meaning.
      const meant = [...law.single].flatMap(i => [SLOPES * i])
        .concat(problem.friction.flatMap(({ normal }) => Array.from({ length: SLOPES }, (_, k) => SLOPES * normal + k)))
      expect(meant.map(k => vectors.slopes[k])).toEqual(meant.map(k => expected.slopes[k]))
    }), { numRuns: 500 })
  })
})
