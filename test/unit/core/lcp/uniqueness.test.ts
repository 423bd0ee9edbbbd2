import fc from 'fast-check'
import { expect, it } from 'vitest'
import { basicSolutions } from '../../../../core/lcp/enumerate'
import { ROW_FRICTION, ROW_UNILATERAL, type ContactProblem } from '../../../../core/lcp/problem'
import { mayBeIndeterminate } from '../../../../core/lcp/uniqueness'

// Evenly spread, unlike fc.double.
const value = fc.integer({ min: -1000, max: 1000 }).map(x => x / 1000)

/** Sliding contacts of random bodies: A = G Gᵀ, each with its own friction and direction of slip. */
const problems = fc.integer({ min: 1, max: 3 }).chain(contacts => fc.record({
  G: fc.array(value, { minLength: 12 * contacts, maxLength: 12 * contacts }), b: fc.array(value, { minLength: 3 * contacts, maxLength: 3 * contacts }),
  friction: fc.array(fc.tuple(fc.integer({ min: 1, max: 30 }).map(x => x / 10), value), { minLength: contacts, maxLength: contacts }),
})).map(({ G, b, friction }): ContactProblem => {
  const n = b.length
  const A = Float64Array.from({ length: n * n }, (_, k) => {
    let sum = Math.floor(k / n) === k % n ? 0.02 : 0
    for (let m = 0; m < 4; m++) sum += G[4 * Math.floor(k / n) + m]! * G[4 * (k % n) + m]!
    return sum
  })
  return {
    size: n, A, b: Float64Array.from(b), kind: Uint8Array.from(b, (_, i) => i % 3 === 0 ? ROW_UNILATERAL : ROW_FRICTION),
    lower: new Float64Array(n), upper: new Float64Array(n), level: 'acceleration',
    friction: friction.map(([mu, turn], c) => ({
      normal: 3 * c, tangent1: 3 * c + 1, tangent2: 3 * c + 2, staticFriction: mu, dynamicFriction: mu, state: 'sliding',
      slip1: Math.cos(3.14 * turn), slip2: Math.sin(3.14 * turn),
    })),
  }
})

it('a problem with several motions, or with none, is never classified as unique', () => {
  const seen = { none: 0, one: 0, many: 0, cleared: 0 }
  fc.assert(fc.property(problems, problem => {
    const found = basicSolutions(problem)
    const count = found.length
    seen[count === 0 ? 'none' : count === 1 ? 'one' : 'many']++
    if (!mayBeIndeterminate(problem)) {
      seen.cleared++
      expect(count).toBe(1)
    }
  }), { numRuns: 200, seed: 7 })
  // The test would be vacuous without such problems.
  expect(Math.min(seen.none, seen.many)).toBeGreaterThan(3)
  expect(seen.cleared).toBeGreaterThan(10)
})

it('frictionless and static contacts need no search', () => {
  fc.assert(fc.property(problems, problem => {
    expect(mayBeIndeterminate({ ...problem, friction: problem.friction.map(contact => ({ ...contact, dynamicFriction: 0 })) })).toBe(false)
    expect(mayBeIndeterminate({ ...problem, friction: problem.friction.map(contact => ({ ...contact, state: 'static' as const })) })).toBe(false)
  }), { numRuns: 20, seed: 7 })
})
