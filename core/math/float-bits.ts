/** The 64 bits of a double as two 32-bit words, on machines of either byte order. */

const double = new Float64Array(1)
const words = new Uint32Array(double.buffer)
double[0] = 1
const HIGH = words[1] === 0 ? 0 : 1
const LOW = 1 - HIGH

/** Sign, exponent and the upper 20 fraction bits, as a signed integer. */
export function highWord(x: number): number {
  double[0] = x
  return words[HIGH]! | 0
}

/** The lower 32 fraction bits, unsigned. */
export function lowWord(x: number): number {
  double[0] = x
  return words[LOW]!
}

export function fromWords(high: number, low: number): number {
  words[HIGH] = high
  words[LOW] = low
  return double[0]!
}

/** x with its upper word replaced. */
export function withHighWord(x: number, high: number): number {
  double[0] = x
  words[HIGH] = high
  return double[0]!
}

/** x with its lower word cleared: its leading 21 bits, so that a product of two such is exact. */
export function leadingBits(x: number): number {
  double[0] = x
  words[LOW] = 0
  return double[0]!
}

const TWO_1023 = fromWords(0x7fe00000, 0)
const TWO_M969 = fromWords((1023 - 969) << 20, 0)

/** x · 2ⁿ, rounded once: the steps of an underflow are chosen such that only the last is inexact. */
export function scaleByPowerOfTwo(x: number, n: number): number {
  let y = x
  let k = n
  if (k > 1023) {
    y *= TWO_1023
    k -= 1023
    if (k > 1023) {
      y *= TWO_1023
      k = Math.min(k - 1023, 1023)
    }
  } else if (k < -1022) {
    y *= TWO_M969
    k += 969
    if (k < -1022) {
      y *= TWO_M969
      k = Math.max(k + 969, -1022)
    }
  }
  return y * fromWords((1023 + k) << 20, 0)
}
