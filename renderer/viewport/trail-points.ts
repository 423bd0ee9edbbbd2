/** Positions of a body over the frames in memory, thinned for long runs. */

import { BODY_STRIDE, type Frame } from '../../core/trajectory/frame'

const MAX_POINTS = 600

/** 3 numbers a point, in order of time, up to and including frame `last`; NaN if a frame is not in memory. */
export function trailOf(frame: (index: number) => Frame | undefined, last: number, body: number): Float64Array {
  const step = Math.max(1, Math.ceil((last + 1) / MAX_POINTS))
  const count = Math.floor(last / step) + 1
  const points = new Float64Array(3 * (count + 1)).fill(NaN)
  for (let i = 0; i <= count; i++) {
    const found = frame(i < count ? i * step : last)
    if (found) points.set(found.bodies.subarray(body * BODY_STRIDE, body * BODY_STRIDE + 3), 3 * i)
  }
  return points
}
