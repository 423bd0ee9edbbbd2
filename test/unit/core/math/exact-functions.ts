/** Elementary functions in fixed point with big integers, by slow series: a reference for the fast ones. */

const BITS = 220n
const ONE = 1n << BITS

/** A value times 2^BITS. */
export type Fixed = bigint

const view = new DataView(new ArrayBuffer(8))

/** Exact for |x| ≥ 2⁻¹⁶⁰ or so. */
export function fixed(x: number): Fixed {
  view.setFloat64(0, Math.abs(x))
  const bits = view.getBigUint64(0)
  const biased = bits >> 52n
  const significand = biased === 0n ? bits : (bits & 0xfffffffffffffn) | 0x10000000000000n
  const shift = (biased === 0n ? 1n : biased) - 1075n + BITS
  const size = shift >= 0n ? significand << shift : significand >> -shift
  return x < 0 ? -size : size
}

const mul = (a: Fixed, b: Fixed) => (a * b) >> BITS
const div = (a: Fixed, b: Fixed) => (a << BITS) / b

function sqrtInteger(n: bigint): bigint {
  if (n < 2n) return n
  let x = 1n << BigInt((n.toString(16).length * 4) / 2 + 1 | 0)
  for (;;) {
    const y = (x + n / x) >> 1n
    if (y >= x) return x
    x = y
  }
}
const sqrtFixed = (a: Fixed) => sqrtInteger(a << BITS)

function arctanOfInverse(n: bigint, one: bigint): bigint {
  let term = one / n
  let sum = term
  for (let k = 3n, sign = -1n; term !== 0n; k += 2n, sign = -sign) {
    term /= n * n
    sum += sign * (term / k)
  }
  return sum
}
/** π to the bits that reducing the largest double takes [Machin]. */
const PI_BITS = 1300n
const PI_LONG = 4n * (4n * arctanOfInverse(5n, 1n << PI_BITS) - arctanOfInverse(239n, 1n << PI_BITS))
const PI = PI_LONG >> (PI_BITS - BITS)

/** x mod 2π, for any finite x. */
function reduced(x: number): Fixed {
  view.setFloat64(0, Math.abs(x))
  const bits = view.getBigUint64(0)
  const significand = (bits & 0xfffffffffffffn) | 0x10000000000000n
  const shift = (bits >> 52n) - 1075n + PI_BITS
  if (shift < 0n || bits >> 52n === 0n) return fixed(x)
  const r = ((significand << shift) % (2n * PI_LONG)) >> (PI_BITS - BITS)
  return x < 0 ? -r : r
}

function sineSeries(x: Fixed, first: bigint, from: bigint): Fixed {
  let term = first
  let sum = term
  const square = mul(x, x)
  for (let k = from; term !== 0n && term !== -1n; k += 2n) {
    term = -mul(term, square) / (k * (k + 1n))
    sum += term
  }
  return sum
}
const sinFixed = (x: Fixed) => sineSeries(x, x, 2n)
const cosFixed = (x: Fixed) => sineSeries(x, ONE, 1n)

export const sin = (x: number) => sinFixed(reduced(x))
export const cos = (x: number) => cosFixed(reduced(x))
export const tan = (x: number) => div(sin(x), cos(x))

function expFixed(x: Fixed): Fixed {
  // e^x = (e^(x/2^k))^(2^k)
  let term = ONE
  let sum = ONE
  const small = x >> 10n
  for (let k = 1n; term !== 0n && term !== -1n; k++) {
    term = mul(term, small) / k
    sum += term
  }
  for (let i = 0; i < 10; i++) sum = mul(sum, sum)
  return sum
}
export const exp = (x: number) => expFixed(fixed(x))

function logFixed(x: Fixed): Fixed {
  // Newton on e^y = x, from the double logarithm.
  let y = fixed(Math.log(Number(x >> (BITS - 100n)) / 2 ** 100))
  for (let i = 0; i < 3; i++) y += div(x, expFixed(y)) - ONE
  return y
}
export const log = (x: number) => logFixed(fixed(x))
export const pow = (x: number, y: number) => expFixed(mul(fixed(y), logFixed(fixed(x))))

function atanFixed(x: Fixed): Fixed {
  // Newton on tan y = x.
  let y = fixed(Math.atan(Number(x >> (BITS - 60n)) / 2 ** 60))
  for (let i = 0; i < 4; i++) {
    const s = sinFixed(y)
    const c = cosFixed(y)
    y -= mul(s - mul(x, c), c)
  }
  return y
}
export const atan = (x: number) => atanFixed(fixed(x))
export const asin = (x: number) => atanFixed(div(fixed(x), sqrtFixed(ONE - mul(fixed(x), fixed(x)))))
export const acos = (x: number) => PI / 2n - asin(x)

export function cbrt(x: number): Fixed {
  const a = fixed(x)
  let y = fixed(Math.cbrt(x))
  for (let i = 0; i < 4; i++) y -= (y - div(a, mul(y, y))) / 3n
  return y
}
const square = (x: number) => mul(fixed(x), fixed(x))
export const hypot = (x: number, y: number, z: number) => sqrtFixed(square(x) + square(y) + square(z))

/** |value − exact| in units of the last place of the value. */
export function ulpError(value: number, exact: Fixed): number {
  view.setFloat64(0, Math.abs(value))
  const biased = Math.max(Number(view.getBigUint64(0) >> 52n), 1)
  const ulp = fixed(2 ** (biased - 1075))
  const error = fixed(value) - exact
  return Number(((error < 0n ? -error : error) << 60n) / ulp) / 2 ** 60
}
