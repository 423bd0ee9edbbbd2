import { fromWords, highWord, leadingBits, lowWord, scaleByPowerOfTwo, withHighWord } from './float-bits'

// Polynomials and constants of fdlibm (Sun Microsystems, 1993). Errors stay below 1 ulp.

const LN2_HIGH = 6.93147180369123816490e-01
const LN2_LOW = 1.90821492927058770002e-10
const INVERSE_LN2 = 1.44269504088896338700e+00

/** x − x²·(…) with which eˣ = 1 + 2x/(2 − c), |x| ≤ ½ ln 2; t = x². */
function exponentialKernel(x: number, t: number): number {
  return x - t * (1.66666666666666019037e-01 + t * (-2.77777777770155933842e-03 + t * (6.61375632143793436117e-05
    + t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08))))
}

/** eˣ. */
export function exp(x: number): number {
  if (Number.isNaN(x)) return NaN
  if (x > 7.09782712893383973096e+02) return Infinity
  if (x < -7.45133219101941108420e+02) return 0
  if (Math.abs(x) < 3.725290298461914e-9) return 1 + x
  let k = 0
  let high = x
  let low = 0
  if (Math.abs(x) > 0.34657359027997264) {
    k = Math.abs(x) < 1.0397207708399179 ? (x > 0 ? 1 : -1) : Math.trunc(INVERSE_LN2 * x + (x > 0 ? 0.5 : -0.5))
    high = x - k * LN2_HIGH
    low = k * LN2_LOW
  }
  const r = high - low
  const c = exponentialKernel(r, r * r)
  if (k === 0) return 1 - ((r * c) / (c - 2) - r)
  return scaleByPowerOfTwo(1 - ((low - (r * c) / (2 - c)) - high), k)
}

/** Natural logarithm; −Infinity at zero, NaN below. */
export function log(x: number): number {
  if (!(x >= 0)) return NaN
  if (x === 0) return -Infinity
  if (x === Infinity) return Infinity
  let k = 0
  let normal = x
  if (x < 2.2250738585072014e-308) {
    normal = x * 18014398509481984
    k = -54
  }
  let high = highWord(normal)
  k += (high >> 20) - 1023
  high &= 0xfffff
  // Choose f = x 2⁻ᵏ − 1 in [√½ − 1, √2 − 1).
  const up = (high + 0x95f64) & 0x100000
  const f = withHighWord(normal, high | (up ^ 0x3ff00000)) - 1
  k += up >> 20
  if ((0xfffff & (2 + high)) < 3) {
    if (f === 0) return k === 0 ? 0 : k * LN2_HIGH + k * LN2_LOW
    const r = f * f * (0.5 - 0.33333333333333333 * f)
    return k === 0 ? f - r : k * LN2_HIGH - ((r - k * LN2_LOW) - f)
  }
  const s = f / (2 + f)
  const z = s * s
  const w = z * z
  const r = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01))
    + z * (6.666666666666735130e-01 + w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)))
  if (high >= 0x6147a && high <= 0x6b851) {
    const half = 0.5 * f * f
    return k === 0 ? f - (half - s * (half + r)) : k * LN2_HIGH - ((half - (s * (half + r) + k * LN2_LOW)) - f)
  }
  return k === 0 ? f - s * (f - r) : k * LN2_HIGH - ((s * (f - r) - k * LN2_LOW) - f)
}

const HUGE = 1e300

/** xʸ, with ECMAScript's special cases. */
export function pow(x: number, y: number): number {
  if (y === 0) return 1
  if (Number.isNaN(x) || Number.isNaN(y)) return NaN
  const ax = Math.abs(x)
  if (Math.abs(y) === Infinity) return ax === 1 ? NaN : (ax > 1) === (y > 0) ? Infinity : 0
  if (y === 1) return x
  if (y === 2) return x * x
  const whole = Math.floor(y) === y
  // Doubles from 2⁵³ on are even.
  const odd = whole && Math.abs(y) < 9007199254740992 && Math.abs(y) % 2 === 1
  const negative = x < 0 || Object.is(x, -0)
  const signed = (value: number) => (negative && odd ? -value : value)
  if (ax === 0 || ax === Infinity) return signed((ax === 0) === (y < 0) ? Infinity : 0)
  if (negative && !whole) return NaN
  if (ax === 1) return signed(1)
  if (y === 0.5) return Math.sqrt(x)
  if (Math.abs(y) > 1.8446744073709552e19) return signed((ax > 1) === (y > 0) ? Infinity : 0)
  logarithmBase2(ax, Math.abs(y) > 2147483648)
  return signed(exponentialBase2(y))
}

// The last logarithm to base 2 as an unevaluated sum; the head's lower word is zero.
let logHead = 0
let logTail = 0

function logarithmBase2(ax: number, nearOne: boolean): void {
  if (nearOne && Math.abs(ax - 1) < 9.5367431640625e-7) {
    const t = ax - 1
    const w = t * t * (0.5 - t * (0.3333333333333333333333 - t * 0.25))
    const u = 1.44269502162933349609e+00 * t
    const v = t * 1.92596299112661746887e-08 - w * INVERSE_LN2
    logHead = leadingBits(u + v)
    logTail = v - (logHead - u)
    return
  }
  let n = 0
  let a = ax
  if (a < 2.2250738585072014e-308) {
    a *= 9007199254740992
    n = -53
  }
  let high = highWord(a)
  n += (high >> 20) - 1023
  const fraction = high & 0xfffff
  high = fraction | 0x3ff00000
  // Whichever of 1 and 1.5 is nearer to the significand.
  let interval = 0
  if (fraction > 0x3988e) {
    if (fraction < 0xbb67a) {
      interval = 1
    } else {
      n += 1
      high -= 0x100000
    }
  }
  a = withHighWord(a, high)
  const base = interval === 0 ? 1 : 1.5
  // s = (a − base)/(a + base) as sHead + sTail.
  const u = a - base
  const v = 1 / (a + base)
  const s = u * v
  const sHead = leadingBits(s)
  const sumHead = fromWords(((high >> 1) | 0x20000000) + 0x80000 + (interval << 18), 0)
  const sumTail = a - (sumHead - base)
  const sTail = v * ((u - sHead * sumHead) - sHead * sumTail)
  // log2(a) from the series in s.
  const s2 = s * s
  const r = s2 * s2 * (5.99999999999994648725e-01 + s2 * (4.28571428578550184252e-01 + s2 * (3.33333329818377432918e-01
    + s2 * (2.72728123808534006489e-01 + s2 * (2.30660745775561754067e-01 + s2 * 2.06975017800338417784e-01)))))
    + sTail * (sHead + s)
  const sHead2 = sHead * sHead
  const tHead = leadingBits(3 + sHead2 + r)
  const tTail = r - ((tHead - 3) - sHead2)
  const pu = sHead * tHead
  const pv = sTail * tHead + tTail * s
  const pHead = leadingBits(pu + pv)
  const pTail = pv - (pHead - pu)
  const zHead = 9.61796700954437255859e-01 * pHead
  const zTail = -7.02846165095275826516e-09 * pHead + pTail * 9.61796693925975554329e-01 + (interval === 0 ? 0 : 1.35003920212974897128e-08)
  const baseHead = interval === 0 ? 0 : 5.84962487220764160156e-01
  logHead = leadingBits(((zHead + zTail) + baseHead) + n)
  logTail = zTail - (((logHead - n) - baseHead) - zHead)
}

/** 2^(y · (logHead + logTail)). */
function exponentialBase2(y: number): number {
  const yHead = leadingBits(y)
  const low = (y - yHead) * logHead + y * logTail
  let high = yHead * logHead
  const z = low + high
  if (z >= 1024) {
    if (z > 1024 || low + 8.0085662595372944372e-17 > z - high) return HUGE * HUGE
  } else if (z <= -1075) {
    if (z < -1075 || low <= z - high) return 0
  }
  let n = 0
  if (Math.abs(z) > 0.5) {
    n = z > 0 ? Math.floor(z + 0.5) : Math.ceil(z - 0.5)
    high -= n
  }
  const t = leadingBits(low + high)
  const u = t * 6.93147182464599609375e-01
  const v = (low - (t - high)) * 6.93147180559945286227e-01 + t * -1.90465429995776804525e-09
  const e = u + v
  const w = v - (e - u)
  const c = exponentialKernel(e, e * e)
  const r = (e * c) / (c - 2) - (w + e * w)
  const value = 1 - (r - e)
  if (highWord(value) + (n << 20) >> 20 > 0) return withHighWord(value, highWord(value) + (n << 20))
  return scaleByPowerOfTwo(value, n)
}

/** Cube root: a guess from the exponent, a polynomial to 23 bits, one Newton step; constants of FreeBSD's msun. */
export function cbrt(x: number): number {
  if (!Number.isFinite(x) || x === 0) return x
  const ax = Math.abs(x)
  const subnormal = ax < 2.2250738585072014e-308
  const scaled = subnormal ? ax * 18014398509481984 : ax
  const guess = fromWords(Math.trunc(highWord(scaled) / 3) + (subnormal ? 696219795 : 715094163), 0)
  const ratio = guess * guess * (guess / ax)
  let t = guess * ((1.87595182427177009643 + ratio * (-1.88497979543377169875 + ratio * 1.621429720105354466140))
    + ratio * ratio * ratio * (-0.758397934778766047437 + ratio * 0.145996192886612446982))
  // Round to 23 bits, so that t² is exact.
  const low = lowWord(t)
  t = fromWords(highWord(t) + (low >= 0x80000000 ? 1 : 0), ((low + 0x80000000) & 0xc0000000) >>> 0)
  const s = t * t
  const r = ax / s
  t += t * ((r - t) / (t + t + r))
  return x < 0 ? -t : t
}

/** √(x² + y² + z²) without intermediate overflow or underflow; the squares are summed with their rounding errors. */
export function hypot(x: number, y: number, z = 0): number {
  const ax = Math.abs(x)
  const ay = Math.abs(y)
  const az = Math.abs(z)
  if (ax === Infinity || ay === Infinity || az === Infinity) return Infinity
  const largest = Math.max(ax, ay, az)
  if (!(largest > 0)) return largest
  const exponent = ((highWord(largest) >>> 20) & 0x7ff) - 1023
  const scale = exponent > 400 || exponent < -400 ? -exponent : 0
  const a = scaleByPowerOfTwo(ax, scale)
  const b = scaleByPowerOfTwo(ay, scale)
  const c = scaleByPowerOfTwo(az, scale)
  const ab = a * a + b * b
  const big = Math.max(a, b)
  const small = Math.min(a, b)
  let error = (big * big - ab) + small * small + squareError(a) + squareError(b) + squareError(c)
  const cc = c * c
  const sum = ab + cc
  error += ab > cc ? (ab - sum) + cc : (cc - sum) + ab
  const root = Math.sqrt(sum)
  const rootSquare = root * root
  const correction = ((sum - rootSquare) - squareError(root) + error) / (2 * root)
  return scaleByPowerOfTwo(root + correction, -scale)
}

/** x² minus its rounded value [Dekker 1971]. */
function squareError(x: number): number {
  const split = 134217729 * x
  const high = split - (split - x)
  const low = x - high
  return ((high * high - x * x) + 2 * high * low) + low * low
}
