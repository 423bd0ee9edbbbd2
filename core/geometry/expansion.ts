/**
 * Exact sums of doubles as expansions: lists of non-overlapping doubles, the smallest first [Shewchuk 1997]. They give signs that rounding must not decide.
 * They are exact without overflow and underflow, so callers scale their input to about 1.
 */

export type Expansion = readonly number[]

/** 2²⁷ + 1: splits a double into two halves. */
const SPLITTER = 134217729

/** a − b. */
export function difference(a: number, b: number): Expansion {
  const x = a - b
  const virtual = a - x
  const rest = (a - (x + virtual)) + (virtual - b)
  return rest === 0 ? [x] : [rest, x]
}

export function plus(e: Expansion, f: Expansion): Expansion {
  const sum = [...e]
  for (const b of f) grow(sum, b)
  return sum
}

export function times(e: Expansion, f: Expansion): Expansion {
  const sum: number[] = []
  for (const b of f) for (const x of scaled(e, b)) grow(sum, x)
  return sum
}

export function negated(e: Expansion): Expansion {
  return e.map(x => -x)
}

/** The nearest double, to within one or two roundings. */
export function rounded(e: Expansion): number {
  let sum = 0
  for (const x of e) sum += x
  return sum
}

/** Adds b in place: writes never overtake reads. */
function grow(e: number[], b: number): void {
  let count = 0
  let q = b
  for (let i = 0; i < e.length; i++) {
    const x = e[i]!
    const sum = q + x
    const virtual = sum - q
    const rest = (q - (sum - virtual)) + (x - virtual)
    if (rest !== 0) e[count++] = rest
    q = sum
  }
  if (q !== 0) e[count++] = q
  if (count < e.length) e.length = count // even without effect, setting it takes as long as the sums
}

function scaled(e: Expansion, b: number): Expansion {
  const sum: number[] = []
  const d = SPLITTER * b
  const highB = d - (d - b)
  const lowB = b - highB
  for (const x of e) {
    const product = x * b
    const c = SPLITTER * x
    const high = c - (c - x)
    const low = x - high
    const rest = low * lowB - (((product - high * highB) - low * highB) - high * lowB)
    if (rest !== 0) grow(sum, rest)
    grow(sum, product)
  }
  return sum
}

/* The same for products of differences of doubles, which have at most four terms: in fixed arrays, for loops that must not allocate. */

const OF_FIRST = new Float64Array(16)
const OF_SECOND = new Float64Array(8)
const SCALED = new Float64Array(4)
const FACTORS = [new Float64Array(2), new Float64Array(2), new Float64Array(2), new Float64Array(2)] as const

/** (a − b)(c − d) − (e − f)(g − h) to rounding: bit for bit the result of `rounded`, `plus` and `times` for these differences. */
export function productDifference(a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number): number {
  const [p, q, r, s] = FACTORS
  let count = timesInto(OF_FIRST, p, differenceInto(p, a, b), q, differenceInto(q, c, d))
  const second = timesInto(OF_SECOND, r, differenceInto(r, e, f), s, differenceInto(s, g, h))
  for (let i = 0; i < second; i++) count = growInto(OF_FIRST, count, -OF_SECOND[i]!)
  let sum = 0
  for (let i = 0; i < count; i++) sum += OF_FIRST[i]!
  return sum
}

/** @returns the number of terms, as do the functions below */
function differenceInto(out: Float64Array, a: number, b: number): number {
  const x = a - b
  const virtual = a - x
  const rest = (a - (x + virtual)) + (virtual - b)
  if (rest === 0) {
    out[0] = x
    return 1
  }
  out[0] = rest
  out[1] = x
  return 2
}

function timesInto(out: Float64Array, e: Float64Array, n: number, f: Float64Array, m: number): number {
  let count = 0
  for (let k = 0; k < m; k++) {
    const scaledCount = scaledInto(e, n, f[k]!)
    for (let i = 0; i < scaledCount; i++) count = growInto(out, count, SCALED[i]!)
  }
  return count
}

function scaledInto(e: Float64Array, n: number, b: number): number {
  const d = SPLITTER * b
  const highB = d - (d - b)
  const lowB = b - highB
  let count = 0
  for (let i = 0; i < n; i++) {
    const x = e[i]!
    const product = x * b
    const c = SPLITTER * x
    const high = c - (c - x)
    const low = x - high
    const rest = low * lowB - (((product - high * highB) - low * highB) - high * lowB)
    if (rest !== 0) count = growInto(SCALED, count, rest)
    count = growInto(SCALED, count, product)
  }
  return count
}

function growInto(e: Float64Array, n: number, b: number): number {
  let count = 0
  let q = b
  for (let i = 0; i < n; i++) {
    const x = e[i]!
    const sum = q + x
    const virtual = sum - q
    const rest = (q - (sum - virtual)) + (x - virtual)
    if (rest !== 0) e[count++] = rest
    q = sum
  }
  if (q !== 0) e[count++] = q
  return count
}
