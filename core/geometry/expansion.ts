/**
 * Exact sums of doubles as expansions: lists of doubles that do not overlap, the least first [Shewchuk 1997]. For signs that rounding must not decide. Exact
 * as long as nothing overflows or underflows: callers scale what they are given to about 1.
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

/** The nearest double, but for a rounding or two. */
export function rounded(e: Expansion): number {
  let sum = 0
  for (const x of e) sum += x
  return sum
}

/** Adds b in place: what is written never overtakes what is read. */
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
  e.length = count
}

function scaled(e: Expansion, b: number): Expansion {
  const sum: number[] = []
  for (const x of e) {
    const product = x * b
    const c = SPLITTER * x
    const high = c - (c - x)
    const low = x - high
    const d = SPLITTER * b
    const highB = d - (d - b)
    const lowB = b - highB
    const rest = low * lowB - (((product - high * highB) - low * highB) - high * lowB)
    if (rest !== 0) grow(sum, rest)
    grow(sum, product)
  }
  return sum
}
