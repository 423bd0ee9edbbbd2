/** Operations on neighbouring frames: the rate of change and the running integral of a recorded series. */

/**
 * The derivative by finite differences of neighbouring frames, of second order also for uneven times. It is the slope of the parabola through a frame
 * and its two neighbours, or at an end or beside a frame without a value, of the line to the only neighbour. Across an impact it is a mean over the
 * adjacent frames.
 */
export function derivative(time: Float64Array, values: Float64Array): Float64Array {
  const n = values.length
  const slope = (i: number, j: number) => i < 0 || j >= n || !(time[j]! > time[i]!) ? NaN : (values[j]! - values[i]!) / (time[j]! - time[i]!)
  return values.map((_, k) => {
    const [before, after] = [slope(k - 1, k), slope(k, k + 1)]
    if (Number.isNaN(before)) return after
    if (Number.isNaN(after)) return before
    const [left, right] = [time[k]! - time[k - 1]!, time[k + 1]! - time[k]!]
    return (before * right + after * left) / (left + right)
  })
}

/** Starts at the first frame with a value; trapezoidal rule; a frame without a value adds nothing. */
export function integral(time: Float64Array, values: Float64Array): Float64Array {
  let sum = 0
  return values.map((value, k) => {
    if (k > 0 && !Number.isNaN(value) && !Number.isNaN(values[k - 1]!)) sum += (time[k]! - time[k - 1]!) * (value + values[k - 1]!) / 2
    return Number.isNaN(value) ? NaN : sum
  })
}
