/** Corrects the time of an event by the error of the step to it. */

/** Number of steps to the time of an event, each corrected by the error of the last. */
export const POLISHINGS = 4
/**
 * Fraction of a step by which its dense output is extrapolated, or evaluated before its end, instead of another step: the error is the square of
 * this.
 */
export const BESIDE = 1e-6
/** Largest fraction of a step by which a correction may move a zero. */
export const FARTHEST = 0.01
/** Fraction of a step over which slopes are taken at its end. */
const SLOPE_STEP = 1e-3

/** Zero of a decreasing value near `time`, by Newton's method with the slope there; `time` itself if it does not decrease. */
export function polished(value: (at: number) => number, start: number, time: number): number {
  let now = value(time)
  const d = SLOPE_STEP * (time - start)
  const slope = (now - value(time - d)) / d
  if (!(slope < 0)) return time
  let at = time
  for (let k = 0; k < POLISHINGS; k++) {
    const next = at - now / slope
    if (!(Math.abs(next - at) > 2 * Number.EPSILON * time) || Math.abs(next - time) > FARTHEST * (time - start)) break
    at = next
    if (Math.abs(at - time) > BESIDE * (time - start)) break
    now = value(at)
  }
  return at
}
