/**
 * First roots of smooth functions of time, for gaps, margins and other monitors on a step's dense output.
 *
 * Inside a bracket the next guess is the quadratic prediction of [Baraff92 eq. 6-31], C + Ċ Δt + ½ C̈ Δt² = 0 (the ½ is missing in print), with C̈ from the
 * rates at both ends. If it leaves the bracket or shrinks it too slowly, bisection is used [Baraff92 §6.2].
 */

export type RootMethod = 'prediction' | 'bisection'

/** A monitor and its rate: C in its own unit, Ċ per second. */
export interface Sample {
  readonly value: number
  readonly rate: number
}

export interface Root {
  /** s: the last time known to lie before the crossing, within a few ulp of it. */
  readonly time: number
  /** Evaluations of the function. */
  readonly iterations: number
}

/** Share to which two iterations must shrink the bracket; otherwise bisection follows. */
const SLOW = 0.5

/** Times closer than this are the same double or its neighbour. */
export function timeResolution(time: number): number {
  return 2 * Number.EPSILON * Math.abs(time) + Number.MIN_VALUE
}

/**
 * The crossing from above zero to zero or below within [low, high], where `atLow.value` > 0 ≥ `atHigh.value`, to a few ulp of time.
 * With several crossings, one of them.
 */
export function rootBetween(
  sample: (time: number) => Sample, low: number, atLow: Sample, high: number, atHigh: Sample, method: RootMethod = 'prediction',
): Root {
  let [a, fa, b, fb] = [low, atLow, high, atHigh]
  let iterations = 0
  let width = b - a
  let slow = 0
  while (b - a > timeResolution(b)) {
    const middle = a + (b - a) / 2
    const guess = method === 'bisection' || slow >= 2 ? middle : predict(a, fa, b, fb)
    const at = guess > a && guess < b ? guess : middle
    if (at <= a || at >= b) {
      break
    }
    const f = sample(at)
    iterations++
    if (f.value > 0) {
      a = at
      fa = f
    } else {
      b = at
      fb = f
    }
    slow = slow >= 2 || b - a < SLOW * width ? 0 : slow + 1
    width = b - a
    if (fb.value === 0 && method === 'prediction' && b === at) {
      // Exactly on the root: step back to the last double before it, if the value there is positive.
      const before = at - timeResolution(at)
      return { time: before > a && sample(before).value > 0 ? before : a > before ? a : at, iterations: iterations + 1 }
    }
  }
  return { time: a, iterations }
}

/** Eq. 6-31 from the end nearer to the root, shifted slightly beyond it so that the bracket closes from both sides. */
function predict(a: number, fa: Sample, b: number, fb: Sample): number {
  const curvature = (fb.rate - fa.rate) / (b - a)
  const fromA = Math.abs(fa.value) <= Math.abs(fb.value)
  const [t, f] = fromA ? [a, fa] : [b, fb]
  const step = quadraticStep(f.value, f.rate, curvature, fromA)
  const nudge = 2 * timeResolution(b)
  return Number.isFinite(step) ? t + step + (fromA ? nudge : -nudge) : NaN
}

/** Smallest step forwards (or backwards) to the zero of `value + rate s + ½ curvature s²`, with the linear step as the limit; NaN if there is none. */
function quadraticStep(value: number, rate: number, curvature: number, forwards: boolean): number {
  const discriminant = rate * rate - 2 * curvature * value
  if (discriminant < 0) {
    return NaN
  }
  // The root at a downward crossing has the rate −√D; the formula avoids cancellation.
  const root = Math.sqrt(discriminant)
  const step = rate <= 0 ? 2 * value / (-rate + root) : -(rate + root) / curvature
  return forwards === (step >= 0) ? step : NaN
}

export interface FirstRootOptions {
  readonly method?: RootMethod
  /** Number of subintervals in which sign changes and minima are sought; 8 by default, enough for a step's fifth-order polynomials. */
  readonly pieces?: number
}

/**
 * The first time in (start, end] at which the monitor is zero or negative, including minima between two samples; `null` if it stays positive. Returns
 * `start` if it is already not positive there; the caller must handle this case.
 */
export function firstRoot(sample: (time: number) => Sample, start: number, end: number, options: FirstRootOptions = {}): Root | null {
  const { method = 'prediction', pieces = 8 } = options
  let iterations = 1
  let before = start
  let fBefore = sample(start)
  if (fBefore.value <= 0) {
    return { time: start, iterations }
  }
  for (let k = 1; k <= pieces; k++) {
    const after = k === pieces ? end : start + (end - start) * k / pieces
    const fAfter = sample(after)
    iterations++
    if (fAfter.value <= 0) {
      const root = rootBetween(sample, before, fBefore, after, fAfter, method)
      return { time: root.time, iterations: iterations + root.iterations }
    }
    if (fBefore.rate < 0 && fAfter.rate > 0) {
      const dip = lowest(sample, before, fBefore, after, fAfter)
      iterations += dip.iterations
      if (dip.at.value <= 0) {
        const root = rootBetween(sample, before, fBefore, dip.time, dip.at, method)
        return { time: root.time, iterations: iterations + root.iterations }
      }
    }
    before = after
    fBefore = fAfter
  }
  return null
}

/** The minimum between two times at a change of the rate from negative to positive; stops early at a value that is not positive. */
function lowest(sample: (time: number) => Sample, low: number, atLow: Sample, high: number, atHigh: Sample): { time: number, at: Sample, iterations: number } {
  let [a, fa, b, fb] = [low, atLow, high, atHigh]
  let best = fa.value < fb.value ? { time: a, at: fa } : { time: b, at: fb }
  let iterations = 0
  // At a minimum the value is exact to rounding long before its time is.
  while (b - a > 1e-9 * (high - low)) {
    const secant = a - fa.rate * (b - a) / (fb.rate - fa.rate)
    const inner = 0.05 * (b - a)
    const at = iterations % 3 === 2 || !(secant > a + inner && secant < b - inner) ? a + (b - a) / 2 : secant
    const f = sample(at)
    iterations++
    if (f.value < best.at.value) {
      best = { time: at, at: f }
    }
    if (f.value <= 0 || f.rate === 0) {
      break
    }
    if (f.rate < 0) {
      a = at
      fa = f
    } else {
      b = at
      fb = f
    }
  }
  return { ...best, iterations }
}
