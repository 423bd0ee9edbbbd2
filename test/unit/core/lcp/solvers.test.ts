import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  basicSolutions, boxQp, crawl, dantzig, lemke, lemkeSolver, lotstedt, projectedGaussSeidel, projectedJacobi, projectedSor, qp, residual,
  signGuess, solverByName, SOLVERS, type ContactProblem,
} from '../../../../core/lcp'
import { assemble, box, randomProblem, stack } from './problems'

const g = 9.81

describe('Lemke’s algorithm', () => {
  const problems = fc.integer({ min: 1, max: 8 }).chain(n => fc.tuple(
    fc.constant(n), fc.array(fc.integer({ min: -4, max: 4 }), { minLength: n * n, maxLength: n * n }),
    fc.array(fc.integer({ min: -6, max: 3 }), { minLength: n, maxLength: n })))

  const check = (M: Float64Array, q: Float64Array): void => {
    const n = q.length
    const { status, z, ray } = lemke(M, q)
    expect(status).not.toBe('limit')
    if (status === 'solved') {
      for (let i = 0; i < n; i++) {
        const w = q[i]! + z.reduce((sum, value, j) => sum + M[i * n + j]! * value, 0)
        expect(Math.abs(Math.min(w, z[i]!))).toBeLessThan(1e-8 * (1 + Math.max(...z)))
      }
    } else {
      expect(Math.max(...ray)).toBeGreaterThan(0)
      for (let i = 0; i < n; i++) {
        const change = ray.reduce((sum, value, j) => sum + M[i * n + j]! * value, 0)
        expect(ray[i]!).toBeGreaterThanOrEqual(0)
        if (ray[i]! > 1e-9) expect(change).toBeLessThan(1e-7 * Math.max(...ray)) // [Baraff92 eq. 13-1]
      }
    }
  }

  it('ends with a solution or a ray on any matrix, degenerate ones included', () => {
    fc.assert(fc.property(problems, ([, m, q]) => check(Float64Array.from(m), Float64Array.from(q))), { numRuns: 500 })
  })

  it('solves every feasible semidefinite problem', () => {
    fc.assert(fc.property(problems, ([n, m, q]) => {
      const A = new Float64Array(n * n)
      for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) for (let k = 0; k < n; k++) A[i * n + j]! += m[i * n + k]! * m[j * n + k]!
      const range = Float64Array.from(q, (_, i) => q.reduce((sum, value, j) => sum + A[i * n + j]! * value, 0))
      expect(lemke(A, range).status).toBe('solved')
      check(A, range)
    }), { numRuns: 300 })
  })
})

describe('every solver', () => {
  it('has the name that scenes use', () => {
    expect(SOLVERS.map(solver => solver.name)).toEqual(['dantzig', 'lemke', 'gauss-seidel', 'jacobi', 'sor', 'qp'])
    expect(solverByName('lemke')).toBe(lemkeSolver)
    expect(solverByName('magic')).toBeUndefined()
  })

  it.each(SOLVERS.map(solver => [solver.name, solver] as const))('%s lets a block rest, slide and lift off', (_, solver) => {
    for (const tilt of [0.2, 0.7]) {
      const problem = stack({ count: 1, tilt, mu: 0.5 })
      const found = solver.solve(problem)
      expect(found.status).toBe('solved')
      const rate = Math.max(0, g * (Math.sin(tilt) - 0.5 * Math.cos(tilt)))
      const { tangent1, tangent2 } = problem.friction[0]!
      expect(Math.hypot(found.a[tangent1]!, found.a[tangent2]!)).toBeCloseTo(rate, 7)
    }
    const flying = assemble([box([0, 0, 1], [1, 1, 1], 1, [0, 0, 1])], [{ a: 0, b: -1, point: [0, 0, 0], normal: [0, 0, 1], mu: 0.5 }])
    expect([...solver.solve(flying).f]).toEqual([0, 0, 0])
  })

  it.each([dantzig, lemkeSolver, qp].map(solver => [solver.name, solver] as const))('%s never reports an unsolved problem as solved', (_, solver) => {
    for (let seed = 1; seed <= 60; seed++) {
      const problem = randomProblem(seed, seed % 2 ? 'velocity' : 'acceleration', 30)
      const found = solver.solve(problem)
      if (found.status === 'solved') expect(residual(problem, found.f)).toBeLessThan(1e-10)
      else expect(found.residual).toBeGreaterThan(1e-10)
    }
  })
})

describe('the projected iterations', () => {
  it.each([projectedGaussSeidel, projectedJacobi, projectedSor])('record a residual for every sweep, falling to the tolerance', solver => {
    const found = solver.solve(stack({ count: 2 }), { tolerance: 1e-8 })
    expect(found.status).toBe('solved')
    expect(found.history.length).toBe(found.pivots)
    expect(found.history.at(-1)).toBeLessThan(1e-8)
    expect(found.history[0]).toBeGreaterThan(0.01)
  })

  it('report that they ran out of sweeps', () => {
    const found = projectedJacobi.solve(stack({ count: 5 }), { maxPivots: 10 })
    expect([found.status, found.pivots]).toEqual(['limit', 10])
  })
})

describe('the quadratic program', () => {
  it('has the solution of the complementarity problem, where fᵀAf − bᵀf is zero', () => {
    for (let seed = 1; seed <= 30; seed++) {
      const { A, b, size: n } = stack({ count: 1 + seed % 5, frictionless: true, tilt: 0.02 * seed })
      const { status, f } = boxQp(A, b, new Float64Array(n), new Float64Array(n).fill(Infinity))
      expect(status).toBe('solved')
      let objective = 0
      for (let i = 0; i < n; i++) {
        let a = -b[i]!
        for (let j = 0; j < n; j++) a += A[i * n + j]! * f[j]!
        expect(a).toBeGreaterThan(-1e-9)
        objective += f[i]! * a
      }
      expect(Math.abs(objective)).toBeLessThan(1e-8)
    }
  })

  it('is unbounded if the loads are not in the range of A', () => {
    const { status, ray } = boxQp(Float64Array.of(1, -1, -1, 1), Float64Array.of(1, 1), new Float64Array(2), Float64Array.of(Infinity, Infinity))
    expect(status).toBe('ray')
    expect(ray[0]).toBeCloseTo(ray[1]!, 12)
  })
})

describe('the approximations of static friction', () => {
  const problem = stack({ count: 1, tilt: 0.2 })
  const exact = dantzig.solve(problem)

  it('of Lötstedt holds the block with the normal forces of the step before, and is exact when they are right', () => {
    const found = lotstedt(problem, Float64Array.from(problem.friction, contact => exact.f[contact.normal]!))
    expect([found.approximation, found.status]).toEqual(['lotstedt', 'solved'])
    expect(Math.max(...found.a.map(Math.abs))).toBeLessThan(1e-9)
    const forgot = lotstedt(problem, new Float64Array(4))
    expect(forgot.status).toBe('solved') // by its own conditions …
    expect(forgot.residual).toBeGreaterThan(0.01) // … and says how far that is from Coulomb's
  })

  it('by a crawl threshold has friction only with motion', () => {
    const at = (speed: number) => {
      const down = problem.friction.flatMap(({ tangent1, tangent2 }) => {
        const size = Math.hypot(problem.b[tangent1]!, problem.b[tangent2]!)
        return [-speed * problem.b[tangent1]! / size, -speed * problem.b[tangent2]! / size]
      })
      return crawl(problem, Float64Array.from(down), 1e-3)
    }
    const { tangent1, tangent2 } = problem.friction[0]!
    const rate = (speed: number): number => {
      const { a } = at(speed)
      return Math.hypot(a[tangent1]!, a[tangent2]!)
    }
    expect(rate(0)).toBeCloseTo(g * Math.sin(0.2), 8)
    expect(rate(2.5e-4)).toBeCloseTo(g * (Math.sin(0.2) - 0.125 * Math.cos(0.2)), 8)
    expect(at(2.5e-4).approximation).toBe('crawl')
  })

  it('by guessed signs holds the block', () => {
    const found = signGuess(problem)
    expect([found.approximation, found.status]).toEqual(['sign-guess', 'solved'])
    expect(Math.max(...found.a.map(Math.abs))).toBeLessThan(1e-9)
  })
})

describe('all basic solutions', () => {
  /** One sliding contact as a scalar problem: a_N = A f − b with a negative A, as a rod past its critical friction. */
  function scalar(b: number, critical = 1.2): ContactProblem {
    const theta = 72 * Math.PI / 180
    const mu = critical * (Math.cos(theta) ** 2 + 1 / 8) / (Math.sin(theta) * Math.cos(theta))
    const rod = { mass: 1, inertia: [1 / 8, 1 / 8, 1 / 8] as const, position: [Math.cos(theta), 0, Math.sin(theta)] as const, free: [0, 0, -b, 0, 0, 0] as const }
    return assemble([rod], [{ a: 0, b: -1, point: [0, 0, 0], normal: [0, 0, 1], mu, slip: [-1, 0, 0] }])
  }

  it('of an indeterminate rod are two: no force, and one', () => {
    const found = basicSolutions(scalar(-3))
    if (typeof found === 'string') throw new Error(found)
    expect(found.length).toBe(2)
    expect(found[0]!.f[0]).toBe(0)
    expect(found[0]!.a[0]).toBeCloseTo(3, 12)
    expect(found[1]!.f[0]).toBeGreaterThan(0)
    expect(found[1]!.a[0]).toBeCloseTo(0, 12)
  })

  it('of an inconsistent rod are none', () => {
    expect(basicSolutions(scalar(g))).toEqual([])
    expect(dantzig.solve(scalar(g)).status).toBe('ray')
    expect(lemkeSolver.solve(scalar(g)).status).toBe('ray')
  })

  /** Independent problems combined into one. */
  function sideBySide(parts: readonly ContactProblem[]): ContactProblem {
    const n = parts.reduce((sum, part) => sum + part.size, 0)
    const A = new Float64Array(n * n)
    const friction: ContactProblem['friction'][number][] = []
    let at = 0
    for (const part of parts) {
      for (let i = 0; i < part.size; i++) for (let j = 0; j < part.size; j++) A[(at + i) * n + at + j] = part.A[i * part.size + j]!
      friction.push(...part.friction.map(rows => ({ ...rows, normal: at + rows.normal, tangent1: at + rows.tangent1, tangent2: at + rows.tangent2 })))
      at += part.size
    }
    const joined = (of: (part: ContactProblem) => ArrayLike<number>): number[] => parts.flatMap(part => Array.from(of(part)))
    return {
      size: n, A, friction, level: 'acceleration', b: Float64Array.from(joined(part => part.b)), kind: Uint8Array.from(joined(part => part.kind)),
      lower: Float64Array.from(joined(part => part.lower)), upper: Float64Array.from(joined(part => part.upper)),
    }
  }

  it('of two indeterminate rods side by side are four', () => {
    const found = basicSolutions(sideBySide([scalar(-3), scalar(-3)]))
    expect(typeof found === 'string' ? found : found.length).toBe(4)
  })

  it('of twelve sliding rods, five of them indeterminate, are thirty-two, each found once, and first the one without forces on them', () => {
    const rods = Array.from({ length: 12 }, (_, k) => k % 2 === 0 && k < 10 ? scalar(-3) : scalar(g, 0.5))
    const problem = sideBySide(rods)
    const found = basicSolutions(problem)
    if (typeof found === 'string') throw new Error(found)
    expect(found.length).toBe(32)
    expect(found[0]!.f.filter((_, row) => row % 3 === 0 && row % 6 === 0 && row < 30).every(force => force === 0)).toBe(true)
    expect(new Set(found.map(({ f }) => rods.map((_, k) => f[3 * k]! > 0 ? 1 : 0).join(''))).size).toBe(32)
    for (const { f } of found) expect(residual(problem, f)).toBeLessThan(1e-10)
    expect(basicSolutions(sideBySide([...rods, scalar(-3)]))).toBe('too many contacts')
  })

  it('of ordinary sliding is one', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const problem = randomProblem(seed, 'acceleration', 15)
      const found = basicSolutions(problem)
      expect(typeof found === 'string' ? found : found.length).toBeGreaterThanOrEqual(1)
    }
  })
})
