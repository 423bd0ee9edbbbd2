/** Evaluates curves along a run; the number of passes over its frames is the depth of the deepest derivative. */

import type { Curve } from './curve'
import type { CurveFrame } from './quantity'

/**
 * @param frames of the run in order; each call starts again
 * @returns the values of each curve, one per frame; NaN if undefined
 */
export async function evaluateCurves(
  curves: readonly Curve[], time: Float64Array, frames: () => AsyncIterable<CurveFrame> | Iterable<CurveFrame>,
): Promise<Float64Array[]> {
  const results = curves.map(() => new Float64Array(time.length).fill(NaN))
  const passes = Math.max(0, ...curves.map(curve => curve.passes))
  for (let pass = 0; pass < passes; pass++) {
    const kept = curves.flatMap(curve => curve.kept.filter(one => one.pass === pass).map(one => ({ ...one, values: new Float64Array(time.length).fill(NaN) })))
    for await (const frame of frames()) {
      for (const { value, values } of kept) values[frame.index] = value(frame)
      curves.forEach((curve, k) => { if (curve.passes === pass + 1) results[k]![frame.index] = curve.value(frame) })
    }
    for (const { finish, values } of kept) finish(time, values)
  }
  return results
}
