import { describe, expect, it } from 'vitest'
import { dantzig, relativeAcceleration, residual, rowResiduals } from '../../../../core/lcp'
import { assemble, box, stack } from './problems'
import { g } from './blocks'

describe('the residual', () => {
  const problem = stack({ count: 1 })
  const solution = dantzig.solve(problem)

  it('detects every kind of error', () => {
    const spoilt = (change: (f: Float64Array) => void): number => {
      const f = solution.f.slice()
      change(f)
      return residual(problem, f)
    }
    expect(spoilt(() => undefined)).toBeLessThan(1e-14)
    expect(spoilt(f => { f[0]! += 0.1 })).toBeGreaterThan(1e-3) // too much normal force: a ≠ 0
    expect(spoilt(f => { f.fill(0) })).toBeGreaterThan(0.1) // the force is too small: it falls through
    expect(spoilt(f => { f[0] = NaN })).toBe(Infinity)
    expect(residual(problem, solution.f.map(x => -x))).toBeGreaterThan(0.1)
  })

  it('detects friction outside its cone and friction that does not oppose the slip', () => {
    const single = assemble([box([0, 0, 0], [1, 1, 1], 1, [6, 0, -g])], [{ a: 0, b: -1, point: [0, 0, 0], normal: [0, 0, 1], mu: 0.4 }])
    const good = dantzig.solve(single)
    expect(residual(single, good.f)).toBeLessThan(1e-14)
    const stuck = good.f.slice()
    const { tangent1, tangent2 } = single.friction[0]!
    const size = Math.hypot(stuck[tangent1]!, stuck[tangent2]!)
    stuck[tangent1]! *= 6 / size
    stuck[tangent2]! *= 6 / size // holds the block with more friction than allowed
    expect(rowResiduals(single, stuck, relativeAcceleration(single, stuck))[tangent1]).toBeGreaterThan(0.1)
    const across = good.f.slice()
    across[tangent1] = -good.f[tangent2]!
    across[tangent2] = good.f[tangent1]!
    expect(residual(single, across)).toBeGreaterThan(0.1)
  })

  it('does not depend on units or on the order of magnitude of the masses', () => {
    const off = (mass: number): number => {
      const heavy = stack({ count: 1, masses: [mass] })
      const f = dantzig.solve(heavy).f
      f[0]! *= 1.001
      return residual(heavy, f)
    }
    expect(off(1000) / off(1)).toBeCloseTo(1, 9)
  })
})
