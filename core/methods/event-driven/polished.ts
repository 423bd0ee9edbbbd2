/** An event's instant, corrected by what a step to it has missed. */

/** Steps to an event's instant, each corrected by what the last one missed. */
export const POLISHINGS = 4
/** Share of a step by which its dense output is read beyond its end, or before it, in place of another step: what it misses is this squared. */
export const BESIDE = 1e-6
/** Share of a step by which a correction that belongs to a zero nearby may move it. */
export const FARTHEST = 0.01
/** Share of a step over which slopes are taken at its end. */
const SLOPE_STEP = 1e-3

/** Zero of a value that falls through it near `time`, by Newton's method with the slope there; `time` itself where it does not fall. */
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
