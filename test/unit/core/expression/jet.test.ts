import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expressionOf, Jet, MeasureError } from '../../../../core/expression'

const NAMES = ['x', 'y', 'z']

/** Random formulas that have values and derivatives everywhere near (1, 1, 1). */
const formula = fc.letrec<{ node: string }>(tie => ({
  node: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom('x', 'y', 'z', '2', '0.5', 'pi'),
    fc.tuple(tie('node'), fc.constantFrom('+', '-', '*'), tie('node')).map(([a, sign, b]) => `(${a} ${sign} ${b})`),
    tie('node').map(a => `(1/(2+(${a})^2))`),
    fc.tuple(fc.constantFrom('sin', 'cos', 'atan'), tie('node')).map(([f, a]) => `${f}(${a})`),
    tie('node').map(a => `exp(-(${a})^2)`), tie('node').map(a => `log(1+(${a})^2)`), tie('node').map(a => `sqrt(1+(${a})^2)`),
    tie('node').map(a => `pow(1.5+sin(${a}), 2.5)`), tie('node').map(a => `(1.5+sin(${a}))^x`),
  ),
})).node

describe('the derivatives of a formula', () => {
  it('are those that differences give, and its value is that of the expression', () => {
    fc.assert(fc.property(formula, fc.array(fc.double({ min: 0.5, max: 1.5, noNaN: true }), { minLength: 3, maxLength: 3 }), (text, at) => {
      const jet = new Jet(text, NAMES)
      const value = jet.at(at)
      expect(jet.value(at)).toBe(value)
      expect(Math.abs(value - expressionOf(text, NAMES)(at))).toBeLessThanOrEqual(1e-13 * (1 + Math.abs(value)))
      const gradient = Array.from(jet.gradient)
      const hessian = Array.from(jet.hessian)
      if (hessian.some(second => Math.abs(second) > 1e3)) return
      const h = 1e-5
      const moved = (i: number, by: number): number[] => at.map((x, k) => k === i ? x + by : x)
      const rest = new Jet(text, NAMES)
      for (let i = 0; i < 3; i++) {
        const size = 1 + Math.abs(value) + Math.max(...gradient.map(Math.abs), ...hessian.map(Math.abs))
        expect(Math.abs((rest.value(moved(i, h)) - rest.value(moved(i, -h))) / (2 * h) - gradient[i]!)).toBeLessThan(1e-4 * size)
        for (let j = 0; j < 3; j++) {
          rest.at(moved(i, h))
          const above = rest.gradient[j]!
          rest.at(moved(i, -h))
          expect(Math.abs((above - rest.gradient[j]!) / (2 * h) - hessian[3 * i + j]!)).toBeLessThan(1e-4 * size)
          expect(hessian[3 * i + j]).toBe(hessian[3 * j + i])
        }
      }
    }), { numRuns: 300 })
  })

  it('of powers follow the rule, at zero and below it too', () => {
    const cube = new Jet('x^3', ['x'])
    expect([cube.at([-2]), ...cube.gradient, ...cube.hessian]).toEqual([-8, 12, -12])
    const square = new Jet('-x^2', ['x'])
    expect([square.at([3]), ...square.gradient, ...square.hessian]).toEqual([-9, -6, -2])
    const tower = new Jet('x^(3-1)^2', ['x'])
    expect(tower.at([2])).toBe(16)
    const quartic = new Jet('abs(x)^4', ['x'])
    expect([quartic.at([0]), ...quartic.gradient, ...quartic.hessian]).toEqual([0, 0, 0])
  })

  it('x-1 is a difference, and expressions that are not smooth are refused with their place', () => {
    expect(new Jet('x-1', ['x']).value([3])).toBe(2)
    const fault = (text: string): [string, number, string | undefined] => {
      try {
        new Jet(text, ['x'])
      } catch (error) {
        if (error instanceof MeasureError) return [error.message, error.at, error.allowed]
        throw error
      }
      throw new Error(`"${text}" was taken`)
    }
    expect(fault('1 + y')).toEqual(['There is no variable "y".', 4, 'x, pi'])
    expect(fault('x < 1')[0]).toBe('"<" does not give a smooth function.')
    expect(fault('x@end')[0]).toBe('A shape does not depend on time.')
    expect(fault('sin(x, 1)')[0]).toBe('sin takes one argument, not 2.')
    expect(fault(`${'('.repeat(101)}x`)[0]).toBe('The measure nests too deep.')
  })
})
