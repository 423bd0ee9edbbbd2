import { fromWords, highWord, lowWord } from './float-bits'

/** 2/π to 1200 bits after the point [Payne and Hanek 1983]: enough for the largest double. */
const TWO_OVER_PI = BigInt(
  '0xa2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561b7246e3a424dd2e006492eea09d1921cfe1d'
  + 'eb1cb129a73ee88235f52ebb4484e99c7026b45f7e413991d639835339f49c845f8bbdf9283b1ff897ffde05980fef2f118b'
  + '5a0a6d1f6d367ecf27cb09b74f463f669e5fea2d7527bac7ebe5f17b3d0739f78a5292ea6bfb5fb11f8d5d0856033046fc7b')
const TWO_OVER_PI_BITS = 1200
/** π/2 to 120 bits after the point. */
const HALF_PI = BigInt('0x1921fb54442d18469898cc51701b839')
const HALF_PI_BITS = 120

const TWO_OVER_PI_DOUBLE = 6.36619772367581382433e-01
// π/2 in three parts of 33 bits, each with its remainder [Cody and Waite 1980; constants of fdlibm].
const PART_1 = 1.57079632673412561417e+00
const REST_1 = 6.07710050650619224932e-11
const PART_2 = 6.07710050630396597660e-11
const REST_2 = 2.02226624879595063154e-21
const PART_3 = 2.02226624871116645580e-21
const REST_3 = 8.47842766036889956997e-32

/** Bits lost by cancellation: the difference of the exponents of x and y. */
const cancelled = (x: number, y: number) => ((highWord(x) >>> 20) & 0x7ff) - ((highWord(y) >>> 20) & 0x7ff)

/** The remainder of the last call of `reduce` as an unevaluated sum, |head| ≤ π/4. */
export const remainder = { head: 0, tail: 0 }

/** x = quadrant · π/2 + remainder. Returns quadrant mod 4 and writes the remainder, with relative error 2⁻⁷⁰, to `remainder`; x must be finite. */
export function reduce(x: number): number {
  if (Math.abs(x) < 1_000_000) return reduceMedium(x)
  return reduceLarge(x)
}

function reduceMedium(x: number): number {
  const n = Math.round(x * TWO_OVER_PI_DOUBLE)
  let r = x - n * PART_1
  let w = n * REST_1
  let head = r - w
  if (cancelled(x, head) > 16) {
    let t = r
    w = n * PART_2
    r = t - w
    w = n * REST_2 - ((t - r) - w)
    head = r - w
    if (cancelled(x, head) > 49) {
      t = r
      w = n * PART_3
      r = t - w
      w = n * REST_3 - ((t - r) - w)
      head = r - w
    }
  }
  remainder.head = head
  remainder.tail = (r - head) - w
  return n & 3
}

/** Exact: the integer significand times 2/π, whose bits above 4 are dropped. */
function reduceLarge(x: number): number {
  const high = highWord(x)
  const exponent = ((high >>> 20) & 0x7ff) - 1075
  const significand = (BigInt((high & 0xfffff) | 0x100000) << 32n) | BigInt(lowWord(x))
  // quarters = |x| · 2/π, with TWO_OVER_PI_BITS − exponent bits after the point.
  const product = significand * TWO_OVER_PI
  const point = BigInt(TWO_OVER_PI_BITS - exponent)
  let quadrant = Number((product >> point) & 3n)
  let fraction = product & ((1n << point) - 1n)
  if (fraction >> (point - 1n) === 1n) {
    quadrant = (quadrant + 1) & 3
    fraction -= 1n << point
  }
  const scaled = fraction * HALF_PI
  const bits = Number(point) + HALF_PI_BITS
  const head = toDouble(scaled, bits)
  const tail = toDouble(scaled - fromDouble(head, bits), bits)
  const negative = high < 0
  remainder.head = negative ? -head : head
  remainder.tail = negative ? -tail : tail
  return negative ? (4 - quadrant) & 3 : quadrant
}

/** integer · 2^−bits, from the leading 53 bits of the integer. */
function toDouble(integer: bigint, bits: number): number {
  const size = integer < 0n ? -integer : integer
  if (size === 0n) return 0
  const length = size.toString(16).length * 4
  const shift = Math.max(length - 64, 0)
  const leading = Number(size >> BigInt(shift))
  const value = scaleDown(leading, bits - shift)
  return integer < 0n ? -value : value
}

/** The inverse of toDouble; exact for doubles whose last bit is above 2^−bits. */
function fromDouble(x: number, bits: number): bigint {
  const high = highWord(x)
  const biased = (high >>> 20) & 0x7ff
  if (biased === 0) return 0n
  const significand = (BigInt((high & 0xfffff) | 0x100000) << 32n) | BigInt(lowWord(x))
  const size = significand << BigInt(biased - 1075 + bits)
  return high < 0 ? -size : size
}

function scaleDown(x: number, bits: number): number {
  let y = x
  let left = bits
  while (left > 1000) {
    y *= fromWords((1023 - 1000) << 20, 0)
    left -= 1000
  }
  return y * fromWords((1023 - left) << 20, 0)
}
