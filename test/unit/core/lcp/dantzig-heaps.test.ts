import { describe, expect, it } from 'vitest'
import { basicSolutions, dantzig, leastNorm, residual } from '../../../../core/lcp'
import { pyramid, randomProblem, stack } from './problems'
import { sampled } from '../../../sampled'
import { g, normals, total } from './blocks'

describe('stacks', () => {
  it.each([10, 20])('of %i carry all the weight above at every face', count => {
    const problem = stack({ count })
    const solution = leastNorm(problem, dantzig.solve(problem))
    expect(solution.status).toBe('solved')
    for (let face = 0; face < count; face++) {
      for (let k = 0; k < 4; k++) expect(solution.f[problem.friction[4 * face + k]!.normal]! / ((count - face) * g / 4) - 1).toBeCloseTo(0, 9)
    }
  })

  it('bear a thousandfold weight on top', () => {
    const problem = stack({ count: 10, masses: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1000] })
    const solution = dantzig.solve(problem)
    expect(solution.status).toBe('solved')
    expect(total(normals(problem, solution.f).slice(0, 4)) / (1009 * g) - 1).toBeCloseTo(0, 10)
  })

  it('lean together on an incline as far as friction and tipping allow', () => {
    for (const tilt of [0.04, 0.09]) expect(Math.max(...dantzig.solve(stack({ count: 10, tilt })).a.map(Math.abs))).toBeLessThan(1e-9)
    const tipping = dantzig.solve(stack({ count: 10, tilt: 0.12 })) // tan⁻¹(1/10) = 0.0997
    expect(tipping.status).toBe('solved')
    expect(Math.max(...tipping.a.map(Math.abs))).toBeGreaterThan(0.01)
  })

  it('stand as a pyramid of twenty-one boxes', () => {
    const problem = pyramid(6)
    const solution = leastNorm(problem, dantzig.solve(problem))
    expect(solution.status).toBe('solved')
    expect(total(problem.friction.slice(0, 24).map(contact => solution.f[contact.normal]!))).toBeCloseTo(21 * g, 8)
    const mirror = (c: number): number => 4 * (5 - Math.floor(c / 4)) + [1, 0, 3, 2][c % 4]! // bottom row, left to right
    for (let c = 0; c < 24; c++) {
      expect(solution.f[problem.friction[c]!.normal]!).toBeCloseTo(solution.f[problem.friction[mirror(c)]!.normal]!, 9)
    }
  })
})

describe('random heaps', () => {
  for (const level of ['velocity', 'acceleration'] as const) {
    sampled(`are solved at the ${level} level, degenerate and rank-deficient ones too`, { few: 80, all: 400 }, cases => {
      let pivots = 0
      let unknowns = 0
      for (let seed = 1; seed <= cases; seed++) {
        const problem = randomProblem(seed, level, 60)
        const solution = dantzig.solve(problem)
        expect([seed, solution.status]).toEqual([seed, 'solved'])
        expect(solution.residual).toBeLessThan(1e-10)
        expect(residual(problem, solution.f)).toBeLessThan(1e-10)
        pivots += solution.pivots
        unknowns += problem.size
      }
      expect(pivots / unknowns).toBeLessThan(2)
    })
  }

  it('up to 300 unknowns', () => {
    for (let seed = 1; seed <= 6; seed++) {
      const solution = dantzig.solve(randomProblem(seed, 'velocity', 300))
      expect([seed, solution.status]).toEqual([seed, 'solved'])
    }
  })

  it('that neither guesses nor pivoting solve are solved: wedged ones, and ones whose sliding contacts are decided one by one', { tags: 'long' }, () => {
    for (const [seed, most] of [[25, 300], [550, 300], [2725, 75], [4812, 75]] as const) {
      const problem = randomProblem(seed, 'acceleration', most)
      const solution = dantzig.solve(problem)
      expect([seed, solution.status]).toEqual([seed, 'solved'])
      expect(residual(problem, solution.f)).toBeLessThan(1e-10)
    }
  })

  it('without a solution are reported by a ray: no choice of closed sliding contacts has one either', () => {
    for (const seed of [1969, 3120]) {
      const problem = randomProblem(seed, 'acceleration', 75)
      expect([seed, dantzig.solve(problem).status]).toEqual([seed, 'ray'])
      expect(basicSolutions(problem)).toEqual([])
    }
  })

  it('give the same bits every time', () => {
    const problem = randomProblem(7, 'velocity', 60)
    expect([...dantzig.solve(problem).f]).toEqual([...dantzig.solve(problem).f])
  })
})
