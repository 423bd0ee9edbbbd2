import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatBeside, formatBytes, formatComputed, formatNumber, formatTime, formatTimeLeft, formatVector, formatWithin, fullPrecision } from '../../../../renderer/fields/format'

describe('numbers on the screen', () => {
  it('have few significant digits and no trailing zeros', () => {
    expect(formatNumber(9.80665)).toBe('9.807')
    expect(formatNumber(1200)).toBe('1200')
    expect(formatNumber(12345)).toBe('12350')
    expect(formatNumber(0.5)).toBe('0.5')
    expect(formatNumber(-0.25)).toBe('−0.25')
    expect(formatNumber(0)).toBe('0')
  })

  it('become powers of ten where they are very large or very small', () => {
    expect(formatNumber(2.5e-10)).toBe('2.5·10⁻¹⁰')
    expect(formatNumber(1e6)).toBe('1·10⁶')
    expect(formatNumber(-3.25e-7, 2)).toBe('−3.3·10⁻⁷')
  })

  it('of one column share their decimals, and rounding reads as zero', () => {
    expect([-858.4, 26.7, 0.9361, -1.066e-13, 0].map(value => formatBeside(value, 858.4))).toEqual(['−858.4', '26.7', '0.9', '0.0', '0.0'])
    expect([12345, 6].map(value => formatBeside(value, 12345))).toEqual(['12345', '6'])
    expect(formatBeside(2e-9, 2e-9), 'a column of tiny ones').toBe('2·10⁻⁹')
    expect(formatBeside(0, 0), 'a column of nothing').toBe('0')
  })

  it('show that there is no value', () => {
    expect(formatNumber(NaN)).toBe('–')
    expect(formatNumber(Infinity)).toBe('∞')
  })

  it('are off by at most half a unit of their last digit', () => {
    fc.assert(fc.property(fc.double({ min: 1e-3, max: 9e5, noNaN: true }), x => {
      expect(Math.abs(Number(formatNumber(x, 5)) - x)).toBeLessThanOrEqual(0.5000001 * 10 ** (Math.floor(Math.log10(x)) - 4))
    }))
  })

  it('keep every digit when copied', () => {
    expect(Number(fullPrecision(0.1 + 0.2))).toBe(0.1 + 0.2)
    expect(fullPrecision(2, 'N')).toBe('2 N')
  })

  it('show what is rounding error beside the numbers from which they were computed', () => {
    expect(formatWithin(-0.023645, 7)).toBe('−0.0236')
    expect(formatWithin(123.4567, 7)).toBe('123.46')
    expect(formatWithin(-0.00012345, 7)).toBe('−0.000123')
    expect(formatComputed(0)).toBe('0')
    expect(formatComputed(3e-15)).toBe('≈ 0')
    expect(formatComputed(2.842e-14)).toBe('2.842·10⁻¹⁴')
    expect(formatComputed(2.842e-14, 4, 219.7)).toBe('≈ 0')
    expect(formatComputed(2.842e-14, 4, -219.7)).toBe('≈ 0')
    expect(formatComputed(3e-15, 4, 1e-6)).toBe('3·10⁻¹⁵')
  })

  it('of a vector are short beside each other, and show what is negligible beside its largest component', () => {
    expect(formatVector([0.3, -2.163e-8, 0.15])).toEqual(['0.3', '≈ 0', '0.15'])
    expect(formatVector([0.3, 2e-6, 0])).toEqual(['0.3', '2·10⁻⁶', '0'])
    // Without a large component all of them count.
    expect(formatVector([2.13349e-10, -1.7941e-11, 0])).toEqual(['2.13·10⁻¹⁰', '−1.79·10⁻¹¹', '0'])
    expect(formatVector(new Float64Array([1e-13, 0, 0]), 1000)).toEqual(['≈ 0', '0', '0'])
  })

  it('show times and sizes in the usual units', () => {
    expect(formatTime(1.374)).toBe('1.37 s')
    expect(formatTime(0)).toBe('0.00 s')
    expect(formatTime(1e-5)).toBe('1·10⁻⁵ s')
    expect(formatTime(-0.004)).toBe('−0.004 s')
    expect(formatTimeLeft(2.1)).toBe('3 s left')
    expect(formatTimeLeft(0.2)).toBe('less than 1 s left')
    expect(formatTimeLeft(125)).toBe('3 min left')
    expect(formatBytes(1_530_000)).toBe('1.5 MB')
  })
})
