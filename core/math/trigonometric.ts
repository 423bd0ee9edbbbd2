import { highWord, leadingBits } from './float-bits'
import { reduce, remainder } from './half-turns'

// Polynomials and constants of fdlibm (Sun Microsystems, 1993): minimax on [−π/4, π/4] for sine, cosine and tangent,
// on [−7/16, 7/16] for the arctangent, rational on [0, ½] for the arcsine. Errors stay below 1 ulp.

const QUARTER_PI = 7.85398163397448278999e-01
const QUARTER_PI_TAIL = 3.06161699786838301793e-17
const HALF_PI = 1.57079632679489655800e+00
const HALF_PI_TAIL = 6.12323399573676603587e-17
/** π, rounded to the nearest double. */
export const PI = 3.14159265358979311600e+00
const PI_TAIL = 1.22464679914735317720e-16

/** sin(x + tail), |x| ≤ π/4. */
function sineKernel(x: number, tail: number): number {
  const z = x * x
  const v = z * x
  const r = 8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 + z * (2.75573137070700676789e-06
    + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)))
  return x - ((z * (0.5 * tail - v * r) - tail) - v * -1.66666666666666324348e-01)
}

/** cos(x + tail), |x| ≤ π/4. */
function cosineKernel(x: number, tail: number): number {
  const z = x * x
  const w = z * z
  const r = z * (4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * 2.48015872894767294178e-05))
    + w * w * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))
  const half = 0.5 * z
  const one = 1 - half
  return one + (((1 - one) - half) + (z * r - x * tail))
}

/** tan(x + tail) or, where `reciprocal`, −1/tan(x + tail); |x| ≤ π/4. */
function tangentKernel(x: number, tail: number, reciprocal: boolean): number {
  let head = x
  let low = tail
  const large = Math.abs(x) >= 0.6744
  if (large) {
    if (x < 0) {
      head = -head
      low = -low
    }
    head = (QUARTER_PI - head) + (QUARTER_PI_TAIL - low)
    low = 0
  }
  const z = head * head
  const w = z * z
  const odd = 1.33333333333201242699e-01 + w * (2.18694882948595424599e-02 + w * (3.59207910759131235356e-03
    + w * (5.88041240820264096874e-04 + w * (7.81794442939557092300e-05 + w * -1.85586374855275456654e-05))))
  const even = z * (5.39682539762260521377e-02 + w * (8.86323982359930005737e-03 + w * (1.45620945432529025516e-03
    + w * (2.46463134818469906812e-04 + w * (7.14072491382608190305e-05 + w * 2.59073051863633712884e-05)))))
  const s = z * head
  const r = low + z * (s * (odd + even) + low) + s * 3.33333333333334091986e-01
  const t = head + r
  if (large) {
    const v = reciprocal ? -1 : 1
    const value = v - 2 * (head - (t * t / (t + v) - r))
    return x < 0 ? -value : value
  }
  if (!reciprocal) return t
  // −1/t to full precision: t = head0 + tail0 with a short head0.
  const head0 = leadingBits(t)
  const tail0 = r - (head0 - head)
  const a = -1 / t
  const a0 = leadingBits(a)
  return a0 + a * ((1 + a0 * head0) + a0 * tail0)
}

/** Sine; x in rad. NaN for infinite x. */
export function sin(x: number): number {
  if (Math.abs(x) <= QUARTER_PI) return Math.abs(x) < 1e-8 ? x : sineKernel(x, 0)
  if (!Number.isFinite(x)) return NaN
  switch (reduce(x)) {
    case 0: return sineKernel(remainder.head, remainder.tail)
    case 1: return cosineKernel(remainder.head, remainder.tail)
    case 2: return -sineKernel(remainder.head, remainder.tail)
    default: return -cosineKernel(remainder.head, remainder.tail)
  }
}

/** Cosine; x in rad. NaN for infinite x. */
export function cos(x: number): number {
  if (Math.abs(x) <= QUARTER_PI) return cosineKernel(x, 0)
  if (!Number.isFinite(x)) return NaN
  switch (reduce(x)) {
    case 0: return cosineKernel(remainder.head, remainder.tail)
    case 1: return -sineKernel(remainder.head, remainder.tail)
    case 2: return -cosineKernel(remainder.head, remainder.tail)
    default: return sineKernel(remainder.head, remainder.tail)
  }
}

/** Tangent; x in rad. NaN for infinite x. */
export function tan(x: number): number {
  if (Math.abs(x) <= QUARTER_PI) return Math.abs(x) < 1e-8 ? x : tangentKernel(x, 0, false)
  if (!Number.isFinite(x)) return NaN
  return tangentKernel(remainderOf(x), remainder.tail, quadrant % 2 === 1)
}

let quadrant = 0
function remainderOf(x: number): number {
  quadrant = reduce(x)
  return remainder.head
}

/** (asin(√z) − √z)/√z for z in [0, ¼]. */
function arcsineRatio(z: number): number {
  const p = z * (1.66666666666666657415e-01 + z * (-3.25565818622400915405e-01 + z * (2.01212532134862925881e-01
    + z * (-4.00555345006794114027e-02 + z * (7.91534994289814532176e-04 + z * 3.47933107596021167570e-05)))))
  const q = 1 + z * (-2.40339491173441421878e+00 + z * (2.02094576023350569471e+00 + z * (-6.88283971605453293030e-01
    + z * 7.70381505559019352791e-02)))
  return p / q
}

/** Arcsine in [−π/2, π/2] rad; NaN outside [−1, 1]. */
export function asin(x: number): number {
  const ax = Math.abs(x)
  if (!(ax <= 1)) return NaN
  if (ax === 1) return x * HALF_PI + x * HALF_PI_TAIL
  if (ax < 0.5) return ax < 7.450580596923828e-9 ? x : x + x * arcsineRatio(x * x)
  const z = (1 - ax) * 0.5
  const s = Math.sqrt(z)
  const r = arcsineRatio(z)
  let value: number
  if (ax >= 0.975) {
    value = HALF_PI - (2 * (s + s * r) - HALF_PI_TAIL)
  } else {
    const f = leadingBits(s)
    const c = (z - f * f) / (s + f)
    value = 0.5 * HALF_PI - (2 * s * r - (HALF_PI_TAIL - 2 * c) - (0.5 * HALF_PI - 2 * f))
  }
  return x > 0 ? value : -value
}

/** Arccosine in [0, π] rad; NaN outside [−1, 1]. */
export function acos(x: number): number {
  const ax = Math.abs(x)
  if (!(ax <= 1)) return NaN
  if (ax === 1) return x > 0 ? 0 : PI
  if (ax < 0.5) return ax < 6.938893903907228e-18 ? HALF_PI : HALF_PI - (x - (HALF_PI_TAIL - x * arcsineRatio(x * x)))
  if (x < 0) {
    const z = (1 + x) * 0.5
    const s = Math.sqrt(z)
    return 2 * (HALF_PI - (s + (arcsineRatio(z) * s - HALF_PI_TAIL)))
  }
  const z = (1 - x) * 0.5
  const s = Math.sqrt(z)
  const f = leadingBits(s)
  const c = (z - f * f) / (s + f)
  return 2 * (f + (arcsineRatio(z) * s + c))
}

// atan of ½, 1, 1.5 and ∞, each with its tail.
const ARCTANGENTS = [4.63647609000806093515e-01, QUARTER_PI, 9.82793723247329054082e-01, HALF_PI]
const ARCTANGENT_TAILS = [2.26987774529616870924e-17, QUARTER_PI_TAIL, 1.39033110312309984516e-17, HALF_PI_TAIL]

/** Arctangent in [−π/2, π/2] rad. */
export function atan(x: number): number {
  if (Number.isNaN(x)) return NaN
  const ax = Math.abs(x)
  if (ax >= 7.378697629483821e19) return x > 0 ? HALF_PI : -HALF_PI
  let reduced = ax
  let nearest = -1
  if (ax < 0.4375) {
    if (ax < 7.450580596923828e-9) return x
  } else if (ax < 0.6875) {
    nearest = 0
    reduced = (2 * ax - 1) / (2 + ax)
  } else if (ax < 1.1875) {
    nearest = 1
    reduced = (ax - 1) / (ax + 1)
  } else if (ax < 2.4375) {
    nearest = 2
    reduced = (ax - 1.5) / (1 + 1.5 * ax)
  } else {
    nearest = 3
    reduced = -1 / ax
  }
  const z = reduced * reduced
  const w = z * z
  const odd = z * (3.33333333333329318027e-01 + w * (1.42857142725034663711e-01 + w * (9.09088713343650656196e-02
    + w * (6.66107313738753120669e-02 + w * (4.97687799461593236017e-02 + w * 1.62858201153657823623e-02)))))
  const even = w * (-1.99999999998764832476e-01 + w * (-1.11111104054623557880e-01 + w * (-7.69187620504482999495e-02
    + w * (-5.83357013379057348645e-02 + w * -3.65315727442169155270e-02))))
  const value = nearest < 0
    ? reduced - reduced * (odd + even)
    : ARCTANGENTS[nearest]! - ((reduced * (odd + even) - ARCTANGENT_TAILS[nearest]!) - reduced)
  return x < 0 ? -value : value
}

/** Angle of the vector (x, y) in [−π, π] rad; signs of zero count as in `Math.atan2`. */
export function atan2(y: number, x: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return NaN
  const below = y < 0 || Object.is(y, -0)
  const left = x < 0 || Object.is(x, -0)
  const signed = (angle: number) => (below ? -angle : angle)
  if (y === 0) return left ? signed(PI) : y
  if (x === 0) return signed(HALF_PI)
  if (Math.abs(x) === Infinity) {
    if (Math.abs(y) === Infinity) return signed(left ? 3 * QUARTER_PI : QUARTER_PI)
    return signed(left ? PI : 0)
  }
  if (Math.abs(y) === Infinity) return signed(HALF_PI)
  const exponents = (highWord(Math.abs(y)) >> 20) - (highWord(Math.abs(x)) >> 20)
  if (exponents > 60) return signed(HALF_PI)
  const angle = left && exponents < -60 ? 0 : atan(Math.abs(y / x))
  return signed(left ? PI - (angle - PI_TAIL) : angle)
}
