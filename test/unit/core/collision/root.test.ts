import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstRoot, rootBetween, type Sample } from '../../../../core/collision/root'

const quadratic = (c: number, v: number, a: number) => (t: number): Sample => ({ value: c + v * t + a * t * t / 2, rate: v + a * t })

describe('the root of a gap within a bracket', () => {
  it('of a falling ball is found by prediction in a few evaluations, to a few ulp', () => {
    const f = quadratic(1, 0, -9.81)
    const exact = Math.sqrt(2 / 9.81)
    const { time, iterations } = rootBetween(f, 0, f(0), 1, f(1))
    expect(Math.abs(time - exact)).toBeLessThan(4e-16)
    expect(iterations).toBeLessThanOrEqual(6)
    const plain = rootBetween(f, 0, f(0), 1, f(1), 'bisection')
    expect(Math.abs(plain.time - exact)).toBeLessThan(4e-16)
    expect(plain.iterations).toBeGreaterThan(40)
  })

  it('is located to the last digits for any smooth fall, and stays on the near side', () => {
    fc.assert(fc.property(fc.double({ min: 0.01, max: 0.99, noNaN: true }), fc.double({ min: 0.1, max: 30, noNaN: true }), (root, k) => {
      const f = (t: number): Sample => ({ value: 1 - Math.exp(k * (t - root)), rate: -k * Math.exp(k * (t - root)) })
      const { time, iterations } = rootBetween(f, 0, f(0), 1, f(1))
      expect(Math.abs(time - root)).toBeLessThan(1e-15 + 1e-15 / k)
      expect(iterations).toBeLessThan(25)
    }))
  })
})

describe('the first root of a monitor', () => {
  it('is the first of several', () => {
    const f = (t: number): Sample => ({ value: Math.cos(t), rate: -Math.sin(t) })
    expect(firstRoot(f, 0, 10, { pieces: 8 })!.time).toBeCloseTo(Math.PI / 2, 14)
  })

  it('is found in a dip between two evaluations', () => {
    const f = (t: number): Sample => ({ value: (t - 0.55) * (t - 0.55) - 1e-8, rate: 2 * (t - 0.55) })
    expect(firstRoot(f, 0, 1)!.time).toBeCloseTo(0.55 - 1e-4, 12)
  })

  it('does not exist if the monitor only comes near zero', () => {
    const f = (t: number): Sample => ({ value: (t - 0.55) * (t - 0.55) + 1e-12, rate: 2 * (t - 0.55) })
    expect(firstRoot(f, 0, 1)).toBeNull()
  })

  it('is the start where the monitor is not above zero there', () => {
    expect(firstRoot(() => ({ value: -1, rate: 0 }), 3, 4)!.time).toBe(3)
  })
})
