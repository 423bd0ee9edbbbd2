/** Axes of charts over another quantity. */

import type { Series } from '../../main/protocol/runs'
import type { Scale } from '../sweeps/axes'

/** Index of the last frame at or before a time; −1 if there is none. */
export function frameAt(times: ArrayLike<number>, time: number): number {
  let [low, high] = [-1, times.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (times[middle]! <= time + 1e-9) low = middle
    else high = middle - 1
  }
  return low
}

/** `equal`: both axes have the same unit, so that circles must look round. */
export function phaseScales(xs: readonly Series[], ys: readonly Series[]): { readonly x: Scale; readonly y: Scale; readonly equal: boolean } {
  const units = (all: readonly Series[]) => new Set(all.map(one => one.unit))
  const [ofX, ofY] = [units(xs), units(ys)]
  const [unit] = ofX
  return { x: scaleOf(xs), y: scaleOf(ys), equal: ofX.size === 1 && ofY.size === 1 && unit !== '' && ofY.has(unit!) }
}

function scaleOf(all: readonly Series[]): Scale {
  let [low, high] = [Infinity, -Infinity]
  for (const { values } of all) {
    for (const value of values) {
      if (!Number.isFinite(value)) continue
      low = Math.min(low, value)
      high = Math.max(high, value)
    }
  }
  // The curves of one quantity share one title.
  const names = [...new Set(all.map(({ label, unit }) => `${label.split(' · ', 1)[0]!}${unit === '' ? '' : `, ${unit}`}`))]
  const title = names.length > 2 ? `${names.slice(0, 2).join('; ')}; …` : names.join('; ')
  if (!(low <= high)) return { low: 0, high: 1, categories: null, title }
  const room = high > low ? 0.05 * (high - low) : Math.max(Math.abs(high), 1e-9) / 2
  return { low: low - room, high: high + room, categories: null, title }
}
