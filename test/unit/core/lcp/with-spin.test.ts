import { describe, expect, it } from 'vitest'
import { BASIS_CLAMPED, dantzig, forceIntervals, leastNorm, lemkeSolver, projectedGaussSeidel, residual, solverByName, type ContactProblem } from '../../../../core/lcp'
import { sampled } from '../../../sampled'
import { assemble, box, corners, randomProblem, type Touch } from './problems'

/** A ball of radius 1 and mass 2 on the ground, its weight tilted so that the slope is tan⁻¹ `slope`. */
function ballOnSlope(slope: number, touch: Partial<Touch>): ContactProblem {
  const tilt = Math.atan(slope)
  const g = 9.81
  return assemble(
    [{ mass: 2, inertia: [0.8, 0.8, 0.8], position: [0, 0, 1], free: [g * Math.sin(tilt), 0, -g * Math.cos(tilt), 0, 0, 0] }],
    [{ a: 0, b: -1, point: [0, 0, 0], normal: [0, 0, 1], mu: 0.6, ...touch }])
}

describe('a ball on a slope with rolling friction', () => {
  it('stays up to tan θ = μ_r/R', () => {
    const held = dantzig.solve(ballOnSlope(0.1, { rolling: 0.1 * (1 + 1e-9) }))
    expect(held.status).toBe('solved')
    expect(Math.max(...held.a.map(Math.abs))).toBeLessThan(1e-12)
    const rolls = dantzig.solve(ballOnSlope(0.1, { rolling: 0.1 * (1 - 1e-6) }))
    expect(rolls.status).toBe('solved')
    expect(Math.max(...rolls.a.map(Math.abs))).toBeGreaterThan(1e-7)
  })

  it.each(['dantzig', 'lemke', 'gauss-seidel', 'sor'])('rolls down with 5/7 (g sin θ − μ_r g cos θ/R) on a steeper slope, by %s', name => {
    const problem = ballOnSlope(0.3, { rolling: 0.1 })
    const { a, f, status } = solverByName(name)!.solve(problem)
    expect(status).toBe('solved')
    const tilt = Math.atan(0.3)
    const rolling = problem.spin![0]!.rows
    const angular = Math.hypot(a[rolling[0]!]!, a[rolling[1]!]!)
    expect(Math.abs(angular - 5 / 7 * 9.81 * (Math.sin(tilt) - 0.1 * Math.cos(tilt)))).toBeLessThan(1e-9)
    expect(Math.abs(Math.hypot(f[rolling[0]!]!, f[rolling[1]!]!) - 0.1 * f[0]!)).toBeLessThan(1e-9)
  })
})

describe('problems with spins', () => {
  /** Number of contacts with spin that slipped; every problem must be solved, or its ray found. */
  const solveAll = (level: 'velocity' | 'acceleration', seeds: readonly number[]): number => {
    let gaveWay = 0
    for (const seed of seeds) {
      const problem = randomProblem(seed, level, 60, true)
      const found = dantzig.solve(problem)
      expect(found.f.every(Number.isFinite), `seed ${seed}`).toBe(true)
      expect(['solved', 'ray'], `seed ${seed}`).toContain(found.status)
      if (found.status !== 'solved') continue
      expect(residual(problem, found.f), `seed ${seed}`).toBeLessThanOrEqual(1e-10)
      gaveWay += (problem.spin ?? []).filter(({ rows, state }) => state === 'static' && found.basis[rows[0]!] !== BASIS_CLAMPED).length
    }
    return gaveWay
  }

  describe.each(['velocity', 'acceleration'] as const)('at the %s level', level => {
    sampled('are solved, random heaps', { few: 12, all: 60 }, cases => {
      expect(solveAll(level, Array.from({ length: cases }, (_, k) => k + 1))).toBeGreaterThan(cases * 5 / 6)
    })

    it('are solved where that is found only along growing bounds, or by Newton\'s method from nothing', { tags: 'long' }, () => {
      solveAll(level, [64, 71, 194, 277])
    })
  })

  it('start from the last index set, and are solved again', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const problem = randomProblem(seed, 'velocity', 40, true)
      const found = dantzig.solve(problem)
      if (found.status !== 'solved') continue
      const again = dantzig.solve(problem, { start: found })
      expect(again.status, `seed ${seed}`).toBe('solved')
      expect(residual(problem, again.f), `seed ${seed}`).toBeLessThanOrEqual(1e-10)
    }
  })

  it('are never reported as solved by a solver that failed', () => {
    for (const solver of [lemkeSolver, solverByName(projectedGaussSeidel.name)!]) {
      for (let seed = 300; seed < 315; seed++) {
        const problem = randomProblem(seed, 'velocity', 30, true)
        const found = solver.solve(problem)
        if (found.status === 'solved') expect(residual(problem, found.f), `${solver.name} ${seed}`).toBeLessThanOrEqual(1e-10)
      }
    }
  })

  it('have least-norm forces with the same motion, in their bounds', () => {
    for (let seed = 1; seed <= 30; seed++) {
      const problem = randomProblem(seed, 'velocity', 40, true)
      const found = dantzig.solve(problem)
      if (found.status !== 'solved') continue
      const least = leastNorm(problem, found)
      const scale = Math.max(...found.a.map(Math.abs), ...problem.b.map(Math.abs))
      found.a.forEach((value, i) => expect(Math.abs(least.a[i]! - value) / scale, `seed ${seed}, row ${i}`).toBeLessThan(1e-8))
      expect(least.residual, `seed ${seed}`).toBeLessThanOrEqual(1e-10)
      expect(Math.hypot(...least.f), `seed ${seed}`).toBeLessThanOrEqual(Math.hypot(...found.f) * (1 + 1e-9))
    }
  })
})

describe('a block turned on its four corners', () => {
  const turned = (torque: number): ContactProblem => assemble(
    [box([0, 0, 0.5], [1, 1, 1], 4, [0, 0, -9.81], [0, 0, torque])],
    corners([0, 0, 0], 1, 1).map(point => ({ a: 0, b: -1, point, normal: [0, 0, 1] as const, mu: 0, frictionless: true, torsional: 0.05 })))
  /** Iω̇ that the weight's torsional friction can hold: μ_t m g. */
  const most = 0.05 * 4 * 9.81 / (4 / 6)

  it('is held by torsional friction up to μ_t m g, shared equally', () => {
    const problem = turned(0.999 * most)
    const { f, a } = leastNorm(problem, dantzig.solve(problem))
    expect(Math.max(...a.map(Math.abs))).toBeLessThan(1e-11)
    const torques = problem.spin!.map(({ rows }) => f[rows[0]!]!)
    expect(Math.max(...torques) - Math.min(...torques)).toBeLessThan(1e-9)
  })

  it('is accelerated by the remaining torque beyond that', () => {
    const problem = turned(1.5 * most)
    const { a } = dantzig.solve(problem)
    expect(Math.abs(a[problem.spin![0]!.rows[0]!]! - 0.5 * most)).toBeLessThan(1e-9)
  })

  it('has the force intervals of a chair', () => {
    const problem = turned(0)
    const found = forceIntervals(problem, leastNorm(problem, dantzig.solve(problem)))
    if (typeof found === 'string') throw new Error(found)
    for (const k of [0, 1, 2, 3]) {
      expect(Math.abs(found.least[k]!)).toBeLessThan(1e-8)
      expect(Math.abs(found.greatest[k]! - 2 * 9.81)).toBeLessThan(1e-8)
    }
  })
})
