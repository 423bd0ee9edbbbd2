import loadHighs from 'highs'
import { describe, expect, it } from 'vitest'
import { pivotedCholesky } from '../../../../core/math/semidefinite'
import { allowedForces } from '../../../../core/lcp/allowed-forces'
import { leastNormIn, rangeBasis } from '../../../../core/lcp/least-norm'
import { dantzig, forceIntervals, leastNorm, lemkeSolver, type ContactProblem, type ContactSolution } from '../../../../core/lcp'
import { assemble, box, corners, pyramid, randomProblem, stack } from './problems'

const g = 9.81
const square = (f: Float64Array): number => f.reduce((sum, value) => sum + value * value, 0)
const solved = (problem: ContactProblem): ContactSolution => leastNorm(problem, dantzig.solve(problem))

describe('the least-norm forces', () => {
  it('are the same from any initial solution', () => {
    for (const problem of [stack({ count: 4, tilt: 0.06 }), pyramid(3), randomProblem(11, 'velocity', 40)]) {
      const one = leastNorm(problem, dantzig.solve(problem))
      const two = leastNorm(problem, lemkeSolver.solve(problem))
      expect([one.status, two.status]).toEqual(['solved', 'solved'])
      one.f.forEach((value, i) => expect(two.f[i]!).toBeCloseTo(value, 7))
    }
  })

  it('never have a larger norm than the initial forces, give the same motion and satisfy the conditions', () => {
    for (let seed = 1; seed <= 150; seed++) {
      const problem = randomProblem(seed, seed % 2 ? 'velocity' : 'acceleration', 45)
      const first = dantzig.solve(problem)
      const second = leastNorm(problem, first)
      expect(second.residual).toBeLessThan(1e-10)
      expect(square(second.f)).toBeLessThanOrEqual(square(first.f) * (1 + 1e-9))
      const size = Math.max(1, ...first.a.map(Math.abs), ...first.f.map(Math.abs))
      first.a.forEach((value, i) => expect(Math.abs(second.a[i]! - value) / size).toBeLessThan(1e-9))
    }
  })

  it('stay inside the cones although equal shares would not: a steep but sticking block', () => {
    const problem = stack({ count: 1, tilt: 0.44, mu: 0.48 })
    const { f, a } = solved(problem)
    expect(Math.max(...a.map(Math.abs))).toBeLessThan(1e-10)
    for (const { normal, tangent1, tangent2 } of problem.friction) {
      expect(Math.hypot(f[tangent1]!, f[tangent2]!)).toBeLessThanOrEqual(0.48 * f[normal]! * (1 + 1e-9) + 1e-10)
    }
  })
})

it('forces that no admissible set contains are given up after few steps', () => {
  const problem = stack({ count: 3 })
  const { f, a } = solved(problem)
  const { Q, rank } = rangeBasis(problem)
  const sets = allowedForces(problem, f, a)
  expect(leastNormIn(sets, Q, problem.size, rank, f).error).toBeLessThan(1e-14)
  // Upwards on the ground, downwards elsewhere: contacts would have to pull.
  const pulling = leastNormIn(sets, Q, problem.size, rank, f.map((value, i) => i < 12 ? value : -value))
  expect(pulling.error).toBeGreaterThan(1e-2)
  expect(pulling.steps).toBeLessThan(30)
})

describe('force intervals', () => {
  it('of a chair on four legs extend from zero to half its weight', () => {
    for (const frictionless of [true, false]) {
      const problem = stack({ count: 1, frictionless })
      const found = forceIntervals(problem, solved(problem))
      if (typeof found === 'string') throw new Error(found)
      expect(found.rows.length).toBe(4)
      for (let k = 0; k < 4; k++) {
        expect(Math.abs(found.least[k]!)).toBeLessThan(1e-10)
        expect(found.greatest[k]!).toBeCloseTo(g / 2, 10)
      }
    }
  })

  it('are points if the forces are unique: a stool on three legs', () => {
    const problem = assemble([box([0, 0, 1], [1, 1, 1], 1)], corners([0, 0, 0], 1, 1).slice(0, 3).map(point => ({ a: 0, b: -1, point, normal: [0, 0, 1] as const, mu: 0, frictionless: true })))
    const solution = solved(problem)
    const found = forceIntervals(problem, solution)
    if (typeof found === 'string') throw new Error(found)
    found.rows.forEach((row, k) => expect([found.least[k], found.greatest[k]]).toEqual([solution.f[row], solution.f[row]]))
  })

  it('agree with linear programs over the inscribed and the circumscribed cone of 32 edges', async () => {
    const highs = await loadHighs()
    const problem = stack({ count: 2, tilt: 0.25 })
    const solution = solved(problem)
    const found = forceIntervals(problem, solution)
    if (typeof found === 'string') throw new Error(found)
    const n = problem.size
    const independent = pivotedCholesky(problem.A, n, 1e-12).pivots
    const sum = (terms: [number, string][]): string => terms.map(([value, name]) => `${value < 0 ? '-' : '+'} ${Math.abs(value).toFixed(17)} ${name}`).join(' ')
    /** End of the interval of `row` with cones stretched by `stretch`. */
    const end = (stretch: number, row: number, direction: 'Minimize' | 'Maximize'): number => {
      const objective: [number, string][] = []
      const equations = new Map<number, [number, string][]>([...independent].map(i => [i, []]))
      problem.friction.forEach(({ normal, tangent1, tangent2, staticFriction: mu }, c) => {
        for (let k = 0; k < 32; k++) {
          const angle = 2 * Math.PI * k / 32 + 0.01
          const force = [[normal, 1], [tangent1, stretch * mu * Math.cos(angle)], [tangent2, stretch * mu * Math.sin(angle)]] as const
          if (normal === row) objective.push([1, `x${c}_${k}`])
          for (const i of independent) equations.get(i)!.push([force.reduce((s, [j, value]) => s + problem.A[i * n + j]! * value, 0), `x${c}_${k}`])
        }
      })
      const lines = [...equations].map(([i, terms]) => ` e${i}: ${sum(terms)} = ${(solution.a[i]! + problem.b[i]!).toFixed(17)}`)
      const model = `${direction}\n obj: ${sum(objective)}\nSubject To\n${lines.join('\n')}\nEnd\n`
      const { Status, ObjectiveValue } = highs.solve(model)
      expect(Status).toBe('Optimal')
      return ObjectiveValue
    }
    const outer = 1 / Math.cos(Math.PI / 32)
    found.rows.forEach((row, k) => {
      expect(found.greatest[k]!).toBeGreaterThanOrEqual(end(1, row, 'Maximize') - 1e-6)
      expect(found.greatest[k]!).toBeLessThanOrEqual(end(outer, row, 'Maximize') + 1e-6)
      expect(found.least[k]!).toBeLessThanOrEqual(end(1, row, 'Minimize') + 1e-6)
      expect(found.least[k]!).toBeGreaterThanOrEqual(end(outer, row, 'Minimize') - 1e-6)
    })
  })

  it('have no upper end for a body wedged between two walls that press', () => {
    const wall = (x: number, a: number) => ({ a, b: -1, point: [x, 0, 0] as const, normal: [-Math.sign(x), 0, 0] as const, mu: 0.5 })
    const problem = assemble([box([0, 0, 0], [2, 1, 1], 1)], [wall(-1, 0), wall(1, 0)])
    const wedged: ContactSolution = {
      ...dantzig.solve(problem), status: 'solved', f: Float64Array.of(g, 0, 0, g, 0, 0), a: new Float64Array(6),
    }
    const [up, down] = [1, 2].map(k => problem.b[k]!)
    wedged.f[1] = up! / 2
    wedged.f[2] = down! / 2
    wedged.f[4] = problem.b[4]! / 2
    wedged.f[5] = problem.b[5]! / 2
    const found = forceIntervals(problem, wedged)
    if (typeof found === 'string') throw new Error(found)
    expect(found.greatest[0]).toBe(Infinity)
    expect(found.least[0]).toBeCloseTo(g, 6) // each wall bears half the weight by friction μ = ½
  })

  it('are refused beyond 64 contacts and for unsolved problems', () => {
    const problem = stack({ count: 17 })
    const solution = dantzig.solve(problem)
    expect(forceIntervals(problem, solution)).toBe('too many contacts')
    expect(forceIntervals(problem, { ...solution, status: 'limit' })).toBe('not solved')
  })
})
