import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dantzig, leastNorm, relativeAcceleration, type ContactProblem, type ContactSolution } from '../../../../core/lcp'
import { assemble, box, stack, tangents } from './problems'
import { blockOnIncline, g, normals, total } from './blocks'

/** Tangential acceleration of the contact c in space, from its rows. */
function slipInSpace(problem: ContactProblem, solution: ContactSolution, c: number, turn: number): number[] {
  const { tangent1, tangent2 } = problem.friction[c]!
  const [t1, t2] = tangents([0, 0, 1], turn)
  return [0, 1, 2].map(k => solution.a[tangent1]! * t1[k]! + solution.a[tangent2]! * t2[k]!)
}

describe('a chair on four legs', () => {
  it('puts a quarter of its weight on each', () => {
    const problem = stack({ count: 1 })
    const solution = leastNorm(problem, dantzig.solve(problem))
    expect(solution.status).toBe('solved')
    for (const f of normals(problem, solution.f)) expect(f).toBeCloseTo(g / 4, 12)
    expect(Math.max(...solution.a.map(Math.abs))).toBeLessThan(1e-13)
  })
})

describe('a block on an incline', () => {
  const slopes = fc.double({ min: 0.05, max: 0.5, noNaN: true })
  const angles = fc.double({ min: 0, max: 6.3, noNaN: true })

  it('rests below the angle of friction, for any direction of the incline and of the axes', () => {
    fc.assert(fc.property(slopes, angles, angles, (slope, azimuth, turn) => {
      const problem = blockOnIncline(slope, azimuth, Math.tan(slope) * 1.0001, undefined, turn)
      const solution = dantzig.solve(problem)
      expect(solution.status).toBe('solved')
      expect(Math.max(...solution.a.map(Math.abs))).toBeLessThan(1e-12)
      expect(total(normals(problem, solution.f))).toBeCloseTo(g * Math.cos(slope), 10)
    }), { numRuns: 200 })
  })

  it('slides above it with g (sin θ − μ cos θ) straight down the slope', () => {
    fc.assert(fc.property(slopes, angles, angles, (slope, azimuth, turn) => {
      const mu = Math.tan(slope) * 0.8
      const problem = blockOnIncline(slope, azimuth, mu, undefined, turn)
      const solution = dantzig.solve(problem)
      expect(solution.status).toBe('solved')
      const rate = g * (Math.sin(slope) - mu * Math.cos(slope))
      for (let c = 0; c < 4; c++) {
        const [x, y] = slipInSpace(problem, solution, c, turn)
        expect(x).toBeCloseTo(rate * Math.cos(azimuth), 9)
        expect(y).toBeCloseTo(rate * Math.sin(azimuth), 9)
      }
    }), { numRuns: 200 })
  })

  it('has the dynamic coefficient once the static limit is exceeded', () => {
    const slope = 0.3
    const held = dantzig.solve(blockOnIncline(slope, 0.4, Math.tan(slope) * 1.01, Math.tan(slope) * 0.5))
    expect(Math.max(...held.a.map(Math.abs))).toBeLessThan(1e-12)
    const problem = blockOnIncline(slope, 0.4, Math.tan(slope) * 0.99, Math.tan(slope) * 0.5)
    const gone = dantzig.solve(problem)
    expect(gone.status).toBe('solved')
    expect(Math.hypot(...slipInSpace(problem, gone, 0, 0))).toBeCloseTo(g * Math.sin(slope) / 2, 10)
  })
})

describe('the exact cone', () => {
  it('gives the same motion at 45° to the friction axes as along one: F/m − μ g', () => {
    for (const azimuth of [0, Math.PI / 4, 1, 2.2]) {
      const pull = [6 * Math.cos(azimuth), 6 * Math.sin(azimuth), -g] as const
      const problem = assemble([box([0, 0, 0], [1, 1, 1], 1, pull)], [{ a: 0, b: -1, point: [0, 0, 0], normal: [0, 0, 1], mu: 0.4 }])
      const solution = dantzig.solve(problem)
      expect(Math.hypot(solution.a[1]!, solution.a[2]!)).toBeCloseTo(6 - 0.4 * g, 12)
    }
  })

  it('does not depend on the axes: rotated tangents give the same motion and the same forces', () => {
    let compared = 0
    for (let seed = 1; seed <= 60; seed++) {
      const base = { count: 1 + seed % 4, mu: 0.3 + 0.01 * (seed % 30), tilt: 0.02 * (seed % 20) }
      const straight = stack({ ...base, turn: 0 })
      const turned = stack({ ...base, turn: seed })
      const one = leastNorm(straight, dantzig.solve(straight))
      const two = leastNorm(turned, dantzig.solve(turned))
      expect([one.status, two.status]).toEqual(['solved', 'solved'])
      straight.friction.forEach((contact, c) => {
        expect(two.f[contact.normal]!).toBeCloseTo(one.f[contact.normal]!, 8)
        const [a, b] = [slipInSpace(straight, one, c, 0), slipInSpace(turned, two, c, seed)]
        a.forEach((value, k) => expect(b[k]!).toBeCloseTo(value, 8))
        compared++
      })
    }
    expect(compared).toBeGreaterThan(200)
  })
})

describe('joints, limits and motors', () => {
  const beam = box([0, 0, 0], [1, 1, 1], 2, [0, 0, -g])

  it('hold a hanging body by three redundant rows', () => {
    const link = { a: 0, b: -1, point: [0, 0, 0] as const, axis: [0, 0, 1] as const }
    const problem = assemble([beam], [], [link, link, link])
    const solution = leastNorm(problem, dantzig.solve(problem))
    for (const f of solution.f) expect(f).toBeCloseTo(2 * g / 3, 12)
  })

  it('let a motor apply at most its force limit', () => {
    const motor = (most: number) => assemble([beam], [], [{ a: 0, b: -1, point: [0, 0, 0], axis: [0, 0, 1], bounds: [-most, most] }])
    expect(dantzig.solve(motor(100)).f[0]).toBeCloseTo(2 * g, 12)
    const weak = dantzig.solve(motor(5))
    expect(weak.f[0]).toBe(5)
    expect(weak.a[0]).toBeCloseTo(-g + 2.5, 12)
  })

  it('report equalities that contradict each other', () => {
    const problem = assemble([beam], [], [0, 1].map(() => ({ a: 0, b: -1, point: [0, 0, 0] as const, axis: [0, 0, 1] as const })))
    problem.b[1]! += 1
    const solution = dantzig.solve(problem)
    expect(solution.status).toBe('infeasible')
    expect(solution.residual).toBeGreaterThan(1e-3)
  })
})

describe('Painlevé’s rod', () => {
  /** A rod at 72° whose lower end slides; coefficient of friction as a multiple of the critical one. */
  function rod(multiple: number, freeNormal: number): ContactProblem {
    const theta = 72 * Math.PI / 180
    const critical = (Math.cos(theta) ** 2 + 1 / 8) / (Math.sin(theta) * Math.cos(theta))
    expect(critical).toBeCloseTo(0.75025, 5)
    const body = { mass: 1, inertia: [1 / 8, 1 / 8, 1 / 8] as const, position: [Math.cos(theta), 0, Math.sin(theta)] as const, free: [0, 0, freeNormal, 0, 0, 0] as const }
    return assemble([body], [{ a: 0, b: -1, point: [0, 0, 0], normal: [0, 0, 1], mu: critical * multiple, slip: [-1, 0, 0] }])
  }

  it('is steady below the critical friction', () => {
    for (const multiple of [0, 0.5, 0.9]) {
      const solution = dantzig.solve(rod(multiple, -g))
      expect(solution.status).toBe('solved')
      expect(solution.a[0]).toBeCloseTo(0, 12)
    }
  })

  it('has no contact force above it when it presses on the ground: a ray', () => {
    const solution = dantzig.solve(rod(1.2, -g))
    expect(solution.status).toBe('ray')
    expect(solution.ray[0]).toBeGreaterThan(0)
    const change = relativeAcceleration({ ...rod(1.2, -g), b: new Float64Array(3) }, solution.ray)
    expect(change[0]).toBeLessThanOrEqual(0)
  })
})
