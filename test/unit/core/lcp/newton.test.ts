import { describe, expect, it } from 'vitest'
import { scaleForces } from '../../../../core/lcp/cone'
import { BASIS_CLAMPED, BASIS_LIMITED, dantzig } from '../../../../core/lcp'
import { newtonOnIndexSet } from '../../../../core/lcp/newton'
import { scaleProblem } from '../../../../core/lcp/scaling'
import { seeded, stack } from './problems'

/** Newton's method on a stack whose contacts slip at random, which is wrong: it rests. */
function onWrongSet(count: number, seed: number) {
  const problem = stack({ count, mu: 0.5, tilt: 0.1 })
  const random = seeded(seed)
  const basis = new Uint8Array(problem.size).fill(BASIS_CLAMPED)
  const slip = new Float64Array(2 * problem.friction.length)
  problem.friction.forEach(({ tangent1, tangent2 }, c) => {
    if (random() < 0.5) return
    const angle = 2 * Math.PI * random()
    basis[tangent1] = basis[tangent2] = BASIS_LIMITED
    slip.set([Math.cos(angle), Math.sin(angle)], 2 * c)
  })
  const scaled = scaleProblem(problem)
  return newtonOnIndexSet(scaled, basis, slip, scaleForces(scaled, dantzig.solve(problem).f))
}

const stepsOf = (count: number): number[] => Array.from({ length: 12 }, (_, k) => onWrongSet(count, k + 1)).filter(({ error }) => error > 1e-6).map(({ steps }) => steps)

describe("Newton's method on a wrong index set", () => {
  it('gives up a large one as soon as two steps leave more than half of the error', () => {
    const steps = stepsOf(8)
    expect(steps.length).toBeGreaterThan(8)
    expect(Math.max(...steps)).toBe(2)
  })

  it('goes on with a small one, whose steps are cheap', () => {
    expect(Math.max(...stepsOf(4))).toBeGreaterThan(6)
  })
})

it("Newton's method on the right index set squares the error, however large the set is", () => {
  const problem = stack({ count: 12, mu: 0.2, tilt: 0.3 })
  const { basis, slip, f } = dantzig.solve(problem)
  expect(basis.filter(place => place === BASIS_LIMITED).length).toBeGreaterThan(0)
  const scaled = scaleProblem(problem)
  const random = seeded(5)
  const start = scaleForces(scaled, f.map(force => force * (1 + 1e-4 * (random() - 0.5))))
  const { error, steps } = newtonOnIndexSet(scaled, basis, slip, start)
  expect(error).toBeLessThan(1e-13)
  expect(steps).toBeLessThanOrEqual(4)
})
