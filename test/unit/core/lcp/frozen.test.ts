import { describe, expect, it } from 'vitest'
import { BASIS_CLAMPED, dantzig, leastNorm, residual, solveFrozen } from '../../../../core/lcp'
import { assemble, box, corners, pyramid, randomProblem, stack, type Touch } from './problems'

const apart = (x: Float64Array, y: Float64Array): number => x.reduce((worst, value, i) => Math.max(worst, Math.abs(value - y[i]!)), 0)

describe('the forces of a frozen index set', () => {
  it('continue the least-norm solution without a jump', () => {
    for (const problem of [stack({ count: 1 }), stack({ count: 5, tilt: 0.05 }), stack({ count: 3, tilt: 0.3 }), pyramid(4)]) {
      const solution = leastNorm(problem, dantzig.solve(problem))
      const frozen = solveFrozen(problem, solution.basis, solution.slip, solution.rank)
      expect(frozen.rank).toBe(solution.rank)
      expect([...frozen.f]).toEqual([...solution.f])
      expect(frozen.residual).toBeLessThan(1e-13)
    }
  })

  it('satisfy all conditions at the start of the step, nearest to the forces found there, for random heaps', () => {
    let alone = 0
    for (let seed = 1; seed <= 200; seed++) {
      const problem = randomProblem(seed, seed % 2 ? 'velocity' : 'acceleration', 40)
      const solution = leastNorm(problem, dantzig.solve(problem))
      const from = solveFrozen(problem, solution.basis, solution.slip, solution.rank, solution.f)
      expect([seed, residual(problem, from.f) < 1e-9]).toEqual([seed, true])
      if (residual(problem, solveFrozen(problem, solution.basis, solution.slip, solution.rank).f) < 1e-9) alone++
    }
    expect(alone).toBeGreaterThan(180) // without the reference too, but for critical states
  })

  it('change smoothly while a box on four sticking corners leaves the plane slightly', () => {
    const at = (lift: number) => {
      const touches: Touch[] = corners([0, 0, 0], 1, 1).map(([x, y], k) => ({ a: 0, b: -1, point: [x, y, k === 0 ? lift : 0], normal: [0, 0, 1], mu: 0.5 }))
      return assemble([box([0, 0, 0.5], [1, 1, 1], 1, [1, 0.5, -9.81], [0.1, 0, 0])], touches)
    }
    const flat = at(0)
    const solution = leastNorm(flat, dantzig.solve(flat))
    expect(solution.rank).toBe(6)
    for (const lift of [1e-8, 1e-7, 1e-6, 1e-5, 1e-4]) {
      const held = solveFrozen(at(lift), solution.basis, solution.slip, solution.rank)
      expect(apart(held.f, solution.f)).toBeLessThan(50 * lift)
    }
  })

  it('give the motion that the constraints fix, whatever the distribution of forces', () => {
    const problem = stack({ count: 3, tilt: 0.05 })
    const basic = dantzig.solve(problem)
    const frozen = solveFrozen(problem, new Uint8Array(problem.size).fill(BASIS_CLAMPED), new Float64Array(2 * problem.friction.length))
    expect(apart(frozen.a, basic.a)).toBeLessThan(1e-11)
  })

  it('hold a sliding block with its current slip direction', () => {
    const problem = stack({ count: 1, tilt: 0.6 })
    const solution = leastNorm(problem, dantzig.solve(problem))
    const turned = solution.slip.slice()
    for (let c = 0; c < 4; c++) {
      const [x, y] = [solution.slip[2 * c]!, solution.slip[2 * c + 1]!]
      turned[2 * c] = x * Math.cos(0.1) - y * Math.sin(0.1)
      turned[2 * c + 1] = x * Math.sin(0.1) + y * Math.cos(0.1)
    }
    const { f, a } = solveFrozen(problem, solution.basis, turned, solution.rank)
    problem.friction.forEach(({ normal, tangent1, tangent2 }, c) => {
      expect(a[normal]!).toBeCloseTo(0, 12)
      expect(f[tangent1]!).toBeCloseTo(-0.5 * f[normal]! * turned[2 * c]!, 12)
      expect(f[tangent2]!).toBeCloseTo(-0.5 * f[normal]! * turned[2 * c + 1]!, 12)
    })
  })

  it('report the inconsistency of their equations', () => {
    const problem = stack({ count: 1 })
    problem.b[0]! += 1 // one corner is required to rise without the others
    const frozen = solveFrozen(problem, new Uint8Array(12), new Float64Array(8))
    expect(frozen.residual).toBeGreaterThan(1e-3)
  })
})
