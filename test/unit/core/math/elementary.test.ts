import { describe, expect, it } from 'vitest'
import * as elementary from '../../../../core/math/elementary'
import * as exact from './exact-functions'

const view = new DataView(new ArrayBuffer(8))

function bitsOf(x: number): string {
  view.setFloat64(0, x)
  return view.getBigUint64(0).toString(16).padStart(16, '0')
}

/** Doubles between a and b. */
function ulpsApart(a: number, b: number): number {
  if (Object.is(a, b) || (Number.isNaN(a) && Number.isNaN(b))) return 0
  const order = (x: number) => {
    view.setFloat64(0, x)
    const bits = view.getBigInt64(0)
    return bits < 0n ? -(bits & 0x7fffffffffffffffn) : bits
  }
  const apart = order(a) - order(b)
  return Number(apart < 0n ? -apart : apart)
}

let seed = 20240607
function random(): number {
  seed = (Math.imul(seed, 1664525) + 1013904223) | 0
  return (seed >>> 0) / 4294967296
}
function anyDouble(): number {
  view.setUint32(0, random() * 4294967296)
  view.setUint32(4, random() * 4294967296)
  return view.getFloat64(0)
}
const ranges: Record<string, () => number> = {
  'within ±1': () => random() * 2 - 1,
  'within ±1e3': () => (random() * 2 - 1) * 1e3,
  'within ±1e7': () => (random() * 2 - 1) * 1e7,
  'any bits': anyDouble,
}
const special = [0, -0, 1, -1, 0.5, -0.5, 1.5, 2, -2, 3, -3, Infinity, -Infinity, NaN, 5e-324, -1e-310, 1e308, -1e308,
  9007199254740992, 9007199254740994, -9007199254740991]

const unary = ['sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'exp', 'log', 'cbrt'] as const
const binary = ['atan2', 'pow'] as const

describe('elementary functions', () => {
  for (const name of unary) {
    it(`${name} is within 1 ulp of Math.${name} everywhere`, () => {
      for (const range of Object.values(ranges)) {
        for (let i = 0; i < 20000; i++) {
          const x = range()
          const apart = ulpsApart(elementary[name](x), Math[name](x))
          if (apart > 1) expect.fail(`${name}(${x}) is ${apart} ulp off`)
        }
      }
      for (const x of special) {
        expect(ulpsApart(elementary[name](x), Math[name](x)), `${name}(${x})`).toBeLessThanOrEqual(1)
        if (Math[name](x) === 0) expect(elementary[name](x), `sign of ${name}(${x})`).toBe(Math[name](x))
      }
    })
  }

  for (const name of binary) {
    it(`${name} is within 1 ulp of Math.${name} everywhere`, () => {
      for (const range of Object.values(ranges)) {
        for (const second of Object.values(ranges)) {
          for (let i = 0; i < 5000; i++) {
            const x = range()
            const y = second()
            const apart = ulpsApart(elementary[name](x, y), Math[name](x, y))
            if (apart > 1) expect.fail(`${name}(${x}, ${y}) is ${apart} ulp off`)
          }
        }
      }
      for (const x of special) {
        for (const y of special) {
          expect(ulpsApart(elementary[name](x, y), Math[name](x, y)), `${name}(${x}, ${y})`).toBeLessThanOrEqual(1)
          if (Math[name](x, y) === 0) expect(elementary[name](x, y), `sign of ${name}(${x}, ${y})`).toBe(Math[name](x, y))
        }
      }
    })
  }

  it('pow treats whole exponents of negative bases as powers', () => {
    expect(elementary.pow(-2, 3)).toBe(-8)
    expect(elementary.pow(-2, 10)).toBe(1024)
    expect(elementary.pow(-8, 1 / 3)).toBeNaN()
    expect(elementary.pow(10, 308)).toBe(1e308)
    expect(elementary.pow(2, -1074)).toBe(5e-324)
  })

  it('hypot neither overflows nor underflows on the way', () => {
    expect(elementary.hypot(3e300, 4e300)).toBe(5e300)
    expect(elementary.hypot(3e-300, 4e-300)).toBe(5e-300)
    expect(elementary.hypot(2, 3, 6)).toBe(7)
    expect(elementary.hypot(-Infinity, NaN)).toBe(Infinity)
    expect(elementary.hypot(1, NaN)).toBeNaN()
    expect(elementary.hypot(1.5e308, 1.5e308)).toBe(Infinity)
    expect(elementary.hypot(0, 0, 0)).toBe(0)
  })
})

describe('error against 220-bit arithmetic is below 1 ulp', () => {
  const worst = (f: (x: number) => number, reference: (x: number) => exact.Fixed, sample: () => number, n = 1500) => {
    let most = 0
    for (let i = 0; i < n; i++) {
      const x = sample()
      most = Math.max(most, exact.ulpError(f(x), reference(x)))
    }
    return most
  }
  const wide = (low: number, high: number) => () => low + (high - low) * random()

  it('sin, cos and tan, up to the largest doubles', () => {
    for (const sample of [wide(-1, 1), wide(-100, 100), wide(-1e6, 1e6), wide(-1e15, 1e15), () => 1e300 * random()]) {
      expect(worst(elementary.sin, exact.sin, sample)).toBeLessThan(0.9)
      expect(worst(elementary.cos, exact.cos, sample)).toBeLessThan(0.9)
      expect(worst(elementary.tan, exact.tan, sample)).toBeLessThan(1)
    }
  })
  it('sin at the double nearest to a multiple of π, where nearly all bits cancel', () => {
    const x = 6381956970095103 * Math.pow(2, 797)
    expect(exact.ulpError(elementary.cos(x), exact.cos(x))).toBeLessThan(0.9)
    expect(exact.ulpError(elementary.sin(Math.PI), exact.sin(Math.PI))).toBeLessThan(0.9)
  })
  it('exp and log', () => {
    expect(worst(elementary.exp, exact.exp, wide(-20, 20))).toBeLessThan(1)
    expect(worst(elementary.log, exact.log, wide(0.5, 2))).toBeLessThan(1)
    expect(worst(elementary.log, exact.log, wide(0, 1e6))).toBeLessThan(1)
  })
  it('atan, asin and acos', () => {
    expect(worst(elementary.atan, exact.atan, wide(-5, 5))).toBeLessThan(1)
    expect(worst(elementary.asin, exact.asin, wide(-0.999, 0.999))).toBeLessThan(1)
    expect(worst(elementary.acos, exact.acos, wide(-0.999, 0.999))).toBeLessThan(1)
  })
  it('pow, cbrt and hypot', () => {
    for (let i = 0; i < 1500; i++) {
      const x = random() * 4
      const y = random() * 16 - 8
      expect(exact.ulpError(elementary.pow(x, y), exact.pow(x, y))).toBeLessThan(0.75)
    }
    expect(worst(elementary.cbrt, exact.cbrt, wide(0, 1e3))).toBeLessThan(0.7)
    for (let i = 0; i < 5000; i++) {
      const v = [random(), random() * 3, random() - 0.5] as const
      expect(exact.ulpError(elementary.hypot(...v), exact.hypot(...v))).toBeLessThan(0.51)
    }
  })
})

describe('bit patterns that every engine must give', () => {
  const rows: [string, number, string][] = [
    ['sin(0.7)', elementary.sin(0.7), '3fe49d6e694619b8'],
    ['sin(22)', elementary.sin(22), 'bf8220a29f6eb9f4'],
    ['sin(1e22)', elementary.sin(1e22), 'bfeb453ab76bf397'],
    ['cos(0.5)', elementary.cos(0.5), '3fec1528065b7d50'],
    ['cos(1e9)', elementary.cos(1e9), '3feacff8c7364234'],
    ['tan(0.7)', elementary.tan(0.7), '3feaf406c2fc78ae'],
    ['tan(2.5)', elementary.tan(2.5), 'bfe7e79b4e00bb15'],
    ['asin(0.3)', elementary.asin(0.3), '3fd380159e14f6ff'],
    ['acos(-0.9)', elementary.acos(-0.9), '400586476251e745'],
    ['atan(7)', elementary.atan(7), '3ff6dcc57bb565fd'],
    ['atan2(-3, -4)', elementary.atan2(-3, -4), 'c003fc176b7a8560'],
    ['exp(-1)', elementary.exp(-1), '3fd78b56362cef38'],
    ['exp(700)', elementary.exp(700), '7f0d945df4f8ec8e'],
    ['log(10)', elementary.log(10), '40026bb1bbb55516'],
    ['log(1e-320)', elementary.log(1e-320), 'c087069e3078e52d'],
    ['pow(2, 0.5)', elementary.pow(2, 0.5), '3ff6a09e667f3bcd'],
    ['pow(1.1, 700)', elementary.pow(1.1, 700), '45f30f53db85caf4'],
    ['pow(0.3, -2.7)', elementary.pow(0.3, -2.7), '4039cf20361e0165'],
    ['cbrt(-7)', elementary.cbrt(-7), 'bffe9b5dba58189e'],
    ['hypot(1, 1, 1)', elementary.hypot(1, 1, 1), '3ffbb67ae8584caa'],
  ]
  it.each(rows)('%s', (_, value, bits) => {
    expect(bitsOf(value)).toBe(bits)
  })
  it('a hash over 100,000 values agrees', () => {
    let a = 0x811c9dc5
    seed = 1
    for (let i = 0; i < 100_000; i++) {
      const x = anyDouble()
      const y = random() * 40 - 20
      for (const value of [
        elementary.sin(x), elementary.cos(y), elementary.tan(y), elementary.exp(y), elementary.log(x), elementary.atan2(x, y),
        elementary.pow(Math.abs(y), x), elementary.pow(Math.abs(y), y / 3), elementary.asin(y / 20), elementary.cbrt(x),
        elementary.hypot(x, y),
      ]) {
        view.setFloat64(0, Number.isNaN(value) ? 0 : value)
        a = Math.imul(a ^ view.getUint32(0), 0x01000193)
        a = Math.imul(a ^ view.getUint32(4), 0x01000193)
      }
    }
    expect((a >>> 0).toString(16)).toBe('af7b8520')
  })
})
