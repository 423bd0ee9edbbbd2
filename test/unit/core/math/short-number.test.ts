import { describe, expect, it } from 'vitest'
import { shortNumber } from '../../../../core/math/short-number'

describe('a number in a message', () => {
  it('has four significant digits and no more', () => {
    expect([0.09999999999999998, 8.660254037844386e-7, 1 / 60, 12345.678, -0.7, 0].map(value => shortNumber(value)))
      .toEqual(['0.1', '8.66e-7', '0.01667', '12350', '-0.7', '0'])
    expect(shortNumber(100 / 3, 2)).toBe('33')
    expect([NaN, Infinity].map(value => shortNumber(value))).toEqual(['NaN', 'Infinity'])
  })
})
