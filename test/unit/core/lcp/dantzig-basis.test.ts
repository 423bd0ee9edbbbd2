import { describe, expect, it } from 'vitest'
import { BASIS_CLAMPED, BASIS_FREE, BASIS_LIMITED, dantzig, leastNorm } from '../../../../core/lcp'
import { assemble, box, corners, stack } from './problems'
import { blockOnIncline } from './blocks'

describe('of two motions that satisfy every law', () => {
  // Past its critical friction a rod lifted by 3 m/s² may part, or slide on with a force.
  const theta = 72 * Math.PI / 180
  const mu = 1.2 * (Math.cos(theta) ** 2 + 1 / 8) / (Math.sin(theta) * Math.cos(theta))
  const rod = { mass: 1, inertia: [1 / 8, 1 / 8, 1 / 8] as const, position: [Math.cos(theta), 0, Math.sin(theta)] as const, free: [0, 0, 3, 0, 0, 0] as const }
  const problem = assemble([rod], [{ a: 0, b: -1, point: [0, 0, 0], normal: [0, 0, 1], mu, slip: [-1, 0, 0] }])

  it('the one without force is found without a previous state', () => {
    const { f, a, status } = dantzig.solve(problem)
    expect([status, f[0]]).toEqual(['solved', 0])
    expect(a[0]).toBeCloseTo(3, 12)
  })

  it('the one with force is found if it held before', () => {
    const held = { basis: Uint8Array.of(BASIS_CLAMPED, BASIS_LIMITED, BASIS_LIMITED), slip: Float64Array.of(-1, 0) }
    const { f, a } = dantzig.solve(problem, { start: held })
    expect(f[0]).toBeGreaterThan(1)
    expect(Math.abs(a[0]!)).toBeLessThan(1e-12)
  })
})

describe('the start basis', () => {
  it('is used if it is still valid, and refused otherwise', () => {
    const problem = stack({ count: 3, tilt: 0.05 })
    const first = dantzig.solve(problem)
    const again = dantzig.solve(problem, { start: first })
    expect([again.basisHit, again.pivots]).toEqual([true, 0])
    const steeper = dantzig.solve(stack({ count: 3, tilt: 0.7 }), { start: first })
    expect([steeper.basisHit, steeper.status]).toEqual([false, 'solved'])
  })

  it('stays valid while a block continues to slide', () => {
    const problem = blockOnIncline(0.5, 0.3, 0.2)
    const first = leastNorm(problem, dantzig.solve(problem))
    expect([...first.basis].filter(place => place === BASIS_LIMITED).length).toBe(8)
    expect(dantzig.solve(blockOnIncline(0.51, 0.31, 0.2), { start: first }).basisHit).toBe(true)
  })
})

describe('separation', () => {
  it('leaves f = 0 where a contact opens', () => {
    const problem = assemble([box([0, 0, 0.5], [1, 1, 1], 1, [0, 0, 3])], corners([0, 0, 0], 1, 1).map(point => ({ a: 0, b: -1, point, normal: [0, 0, 1] as const, mu: 0.5 })))
    const solution = dantzig.solve(problem)
    expect([...solution.f].every(f => f === 0)).toBe(true)
    expect([...solution.basis].every(place => place === BASIS_FREE)).toBe(true)
  })

  it('leaves the lower edge of a tipping block clamped', () => {
    const solution = dantzig.solve(blockOnIncline(0.9, 0, 5))
    const [a0, a1, a2, a3] = [0, 3, 6, 9].map(i => solution.a[i]!)
    expect(a1).toBeCloseTo(a2!, 12)
    expect(Math.abs(a0!)).toBeLessThan(1e-12)
    expect(Math.abs(a3!)).toBeLessThan(1e-12)
    expect(a1).toBeGreaterThan(0.1)
    expect(solution.basis[0] === BASIS_CLAMPED || solution.basis[9] === BASIS_CLAMPED).toBe(true)
  })
})
