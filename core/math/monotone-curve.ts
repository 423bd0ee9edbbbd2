/**
 * The monotone cubic interpolant of values at times [Fritsch and Butland 1984]: continuously differentiable, never beyond the values at its keys,
 * constant outside its ends and with slope zero at them.
 *
 * With chords d₀, d₁ of the pieces h₀, h₁ before and after a key, its slope is 0 if d₀ d₁ ≤ 0, else 3 (h₀ + h₁) ÷ ((2 h₁ + h₀)/d₀ + (h₁ + 2 h₀)/d₁).
 */

/** Value, first and second derivative. */
export type CurveJet = readonly [value: number, first: number, second: number]

/** @param times increasing @throws RangeError if they are not */
export function monotoneCurve(times: readonly number[], values: readonly number[]): (time: number) => CurveJet {
  const slopes = monotoneSlopes(times, values)
  const last = times.length - 1
  return time => {
    if (time < times[0]!) return [values[0]!, 0, 0]
    if (time >= times[last]!) return [values[last]!, 0, 0]
    const i = pieceOf(times, time)
    const h = times[i + 1]! - times[i]!
    const s = (time - times[i]!) / h
    const rise = values[i + 1]! - values[i]!
    const [a, b] = [h * slopes[i]!, h * slopes[i + 1]!]
    // x = x₀ + a s + c₂ s² + c₃ s³
    const c2 = 3 * rise - 2 * a - b
    const c3 = a + b - 2 * rise
    return [values[i]! + s * (a + s * (c2 + s * c3)), (a + s * (2 * c2 + 3 * s * c3)) / h, (2 * c2 + 6 * s * c3) / (h * h)]
  }
}

/** Slopes at the keys; 0 at both ends. */
export function monotoneSlopes(times: readonly number[], values: readonly number[]): number[] {
  if (times.some((time, i) => i > 0 && !(time > times[i - 1]!))) throw new RangeError(`times of keys have to increase: ${times.join(', ')}`)
  const chord = (i: number): number => (values[i + 1]! - values[i]!) / (times[i + 1]! - times[i]!)
  return times.map((time, i) => {
    if (i === 0 || i === times.length - 1) return 0
    return monotoneSlope(time - times[i - 1]!, times[i + 1]! - time, chord(i - 1), chord(i))
  })
}

/** Slope at a key between pieces of lengths h₀ and h₁ with chords d₀ and d₁. */
export function monotoneSlope(h0: number, h1: number, d0: number, d1: number): number {
  return d0 * d1 <= 0 ? 0 : 3 * (h0 + h1) / ((2 * h1 + h0) / d0 + (h1 + 2 * h0) / d1)
}

/** The piece that contains a time within the keys, by bisection. */
export function pieceOf(times: readonly number[], time: number): number {
  let low = 0
  let high = times.length - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (times[middle]! <= time) low = middle
    else high = middle
  }
  return low
}
