import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FormulaDerivatives, expressionOf, Jet } from '../../../../core/expression'

/** Random formulas that have values and derivatives everywhere near u = 1. */
const formula = fc.letrec<{ node: string }>(tie => ({
  node: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom('u', 'u', '2', '0.5', 'pi'),
    fc.tuple(tie('node'), fc.constantFrom('+', '-', '*'), tie('node')).map(([a, sign, b]) => `(${a} ${sign} ${b})`),
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => `(${a})/(2+(${b})^2)`),
    fc.tuple(fc.constantFrom('sin', 'cos', 'atan'), tie('node')).map(([f, a]) => `${f}(${a})`),
    tie('node').map(a => `tan(0.3*sin(${a}))`), tie('node').map(a => `exp(-(${a})^2)`), tie('node').map(a => `log(1+(${a})^2)`),
    tie('node').map(a => `sqrt(1+(${a})^2)`), tie('node').map(a => `pow(1.5+sin(${a}), 2.5)`), tie('node').map(a => `(1.5+sin(${a}))^u`),
  ),
})).node

describe('the derivatives of a formula of one variable', () => {
  it('are those of the jet, the third that of differences of its second', () => {
    let compared = 0
    fc.assert(fc.property(formula, fc.double({ min: 0.5, max: 1.5, noNaN: true }), (text, u) => {
      const [value, first, second, third] = Array.from(new FormulaDerivatives(text, 'u').at(u)) as [number, number, number, number]
      expect(Math.abs(value - expressionOf(text, ['u'])([u]))).toBeLessThanOrEqual(1e-13 * (1 + Math.abs(value)))
      const jet = new Jet(text, ['u'])
      expect(jet.at([u])).toBe(value)
      const size = 1 + Math.abs(value) + Math.abs(first) + Math.abs(second)
      expect(Math.abs(first - jet.gradient[0]!)).toBeLessThanOrEqual(1e-12 * size)
      expect(Math.abs(second - jet.hessian[0]!)).toBeLessThanOrEqual(1e-11 * size)
      // A fourth-order difference: h⁴ times the seventh derivative is below 1e-6 where the second is tame over the stencil.
      const h = 1e-3
      const at = (k: number): number => {
        jet.at([u + k * h])
        return jet.hessian[0]!
      }
      const stencil = [-2, -1, 1, 2].map(at) as [number, number, number, number]
      if (stencil.some(far => Math.abs(far - second) > 0.1 * (1 + Math.abs(second)))) return
      compared++
      const difference = (stencil[0] - 8 * stencil[1] + 8 * stencil[2] - stencil[3]) / (12 * h)
      expect(Math.abs(difference - third)).toBeLessThan(1e-4 * (size + Math.abs(third)))
    }), { numRuns: 300 })
    expect(compared).toBeGreaterThan(150)
  })

  it('of each function are its own', () => {
    const thirds: readonly (readonly [string, number, number])[] = [
      ['sin(u)', 0.7, -Math.cos(0.7)], ['cos(u)', 0.7, Math.sin(0.7)], ['exp(2*u)', 0.3, 8 * Math.exp(0.6)], ['log(u)', 2, 0.25], ['sqrt(u)', 4, 0.375 / 32],
      ['tan(u)', 0, 2], ['atan(u)', 0, -2], ['u^5', 2, 240], ['u^2', 3, 0], ['u^3', 0, 6], ['u', 1, 0], ['1/u', 2, -6 / 16], ['abs(u)^3', -2, -6],
    ]
    for (const [text, u, third] of thirds) expect(new FormulaDerivatives(text, 'u').at(u)[3], text).toBeCloseTo(third, 13)
  })
})
