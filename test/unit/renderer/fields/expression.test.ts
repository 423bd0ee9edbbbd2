import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changedBy, evaluateExpression, relativeChange } from '../../../../renderer/fields/expression'

const value = (text: string, unit = '') => {
  const result = evaluateExpression(text, unit)
  if (!result.ok) throw new Error(result.message)
  return result.value
}
const message = (text: string, unit = '') => {
  const result = evaluateExpression(text, unit)
  if (result.ok) throw new Error(`took ${text} for ${result.value}`)
  return result.message
}

describe('what is typed into a number field', () => {
  it('is arithmetic with the usual precedence', () => {
    expect(value('1 + 2 * 3')).toBe(7)
    expect(value('(1 + 2) * 3')).toBe(9)
    expect(value('2 ^ 3 ^ 2')).toBe(512)
    expect(value('-2 ^ 2')).toBe(-4)
    expect(value('2 - 3 - 4')).toBe(-5)
    expect(value('12 / 3 / 2')).toBe(2)
    expect(value('2*pi/3')).toBeCloseTo(2 * Math.PI / 3, 15)
    expect(value('1.5e-3 + .5')).toBeCloseTo(0.5015, 15)
    expect(value('sqrt(2)/2 + sin(30deg)')).toBeCloseTo(Math.SQRT1_2 + 0.5, 15)
  })

  it('takes units and gives SI', () => {
    expect(value('5cm', 'm')).toBeCloseTo(0.05, 15)
    expect(value('30deg', 'rad')).toBeCloseTo(Math.PI / 6, 15)
    expect(value('30°', 'rad')).toBeCloseTo(Math.PI / 6, 15)
    expect(value('36 km/h', 'm/s')).toBeCloseTo(10, 12)
    expect(value('1 g/cm^3', 'kg/m³')).toBeCloseTo(1000, 9)
    expect(value('2 kN', 'N')).toBe(2000)
    expect(value('3 N m', 'N m')).toBe(3)
    expect(value('60 rpm', 'rad/s')).toBeCloseTo(2 * Math.PI, 12)
    expect(value('5cm + 1/4 in', 'm')).toBeCloseTo(0.05 + 0.0254 / 4, 15)
    expect(value('4 kg m²', 'kg m²')).toBe(4)
    expect(value('2 m * 3 m', 'm²')).toBe(6)
    expect(value('10 m / 2 s', 'm/s')).toBe(5)
    expect(value('1/4 in', 'm')).toBeCloseTo(0.00635, 15)
  })

  it('takes arguments of sines in degrees unless π or a unit says otherwise, and returns angles from inverse functions', () => {
    expect(value('sin(30)')).toBeCloseTo(0.5, 15)
    expect(value('cos(60°)')).toBeCloseTo(0.5, 15)
    expect(value('sin(pi/6)')).toBeCloseTo(0.5, 15)
    expect(value('sin(0.5 rad)')).toBeCloseTo(Math.sin(0.5), 15)
    expect(value('asin(0.5)', 'rad')).toBeCloseTo(Math.PI / 6, 15)
    expect(message('asin(0.5)', 'm')).toContain('m is needed')
  })

  it('gives the shortest decimal within rounding', () => {
    expect(value('12 in', 'm')).toBe(0.3048)
    expect(value('0.1 + 0.2')).toBe(0.3)
    expect(value('0.30479999999999996')).toBe(0.30479999999999996)
    expect(value('1/3')).toBe(1 / 3)
  })

  it('distinguishes a relative change from a value', () => {
    expect(relativeChange('+= 5cm')).toEqual({ sign: '+', operand: ' 5cm' })
    expect(relativeChange('×=2')).toEqual({ sign: '*', operand: '2' })
    expect(relativeChange('-5')).toBeNull()
    expect(changedBy('-', 0.3, 0.1)).toBe(0.2)
  })

  it('takes a bare number in the field\'s own unit', () => {
    expect(value('2', 'kg m²')).toBe(2)
    expect(value('7', 'm^(exponent + 1)/s²')).toBe(7)
  })

  it('refuses a unit that does not fit, and says which is needed', () => {
    expect(message('30deg', 'm')).toContain('m is needed')
    expect(message('5 kg', 'm')).toContain('does not fit')
    expect(message('5 m')).toContain('pure number')
    expect(message('1 m + 1 s', 'm')).toContain('do not match')
  })

  it('reports what it does not understand', () => {
    expect(message('')).toBe('A number is needed')
    expect(message('1,5')).toBe('Use a point for decimals')
    expect(message('2 +')).toBe('The expression is not complete')
    expect(message('(2')).toBe('A bracket is not closed')
    expect(message('2 3')).toBe('There is text after the end of the expression')
    expect(message('2 foo')).toContain('foo')
    expect(message('0/0')).toBe('The result is not a number')
    expect(message('sin 2')).toContain('brackets')
  })

  it('reads back every finite number as it is printed', () => {
    fc.assert(fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), x => {
      expect(value(String(x)) + 0).toBe(x + 0)
    }))
  })

  it('agrees with arithmetic on sums and products', () => {
    const number = fc.integer({ min: -1000, max: 1000 })
    fc.assert(fc.property(number, number, number, (a, b, c) => {
      expect(value(`(${a}) + (${b}) * (${c})`)).toBe(a + b * c)
    }))
  })

  it('never throws, whatever is typed', () => {
    fc.assert(fc.property(fc.string(), text => {
      expect(typeof evaluateExpression(text, 'm').ok).toBe('boolean')
    }))
  })
})
