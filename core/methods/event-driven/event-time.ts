/** Corrects the time of an event by the error of the step to it. */

import { MAX_EXTRAPOLATION } from './tolerances'

/** Number of steps to the time of an event, each corrected by the error of the last. */
export const MAX_CORRECTIONS = 4
/** Largest fraction of a step by which a correction may move a zero. */
export const MAX_CORRECTION = 0.01
/** Fraction of a step over which slopes are taken at its end. */
const SLOPE_STEP = 1e-3

/** Zero of a decreasing value near `time`, by Newton's method with the slope there; `time` itself if it does not decrease. */
export function correctedTime(value: (at: number) => number, start: number, time: number): number {
  let now = value(time)
  const d = SLOPE_STEP * (time - start)
  const slope = (now - value(time - d)) / d
  if (!(slope < 0)) return time
  let at = time
  for (let k = 0; k < MAX_CORRECTIONS; k++) {
    const next = at - now / slope
    if (!(Math.abs(next - at) > 2 * Number.EPSILON * time) || Math.abs(next - time) > MAX_CORRECTION * (time - start)) break
    at = next
    if (Math.abs(at - time) > MAX_EXTRAPOLATION * (time - start)) break
    now = value(at)
  }
  return at
}
