/**
 * Viridis colour map [Smith, van der Walt 2015], interpolated from nine of its colours. Perceptually uniform and suitable for colour-blind
 * people.
 */

const STOPS = [
  [68, 1, 84], [71, 44, 122], [59, 81, 139], [44, 113, 142], [33, 144, 141], [39, 173, 129], [92, 200, 99], [170, 220, 50], [253, 231, 37],
] as const

/** @param share 0 to 1 */
export function scaleColor(share: number): string {
  const at = Math.max(0, Math.min(1, share)) * (STOPS.length - 1)
  const k = Math.min(STOPS.length - 2, Math.floor(at))
  const mixed = STOPS[k]!.map((from, c) => Math.round(from + (STOPS[k + 1]![c]! - from) * (at - k)))
  return `rgb(${mixed.join(' ')})`
}

/** Share of a value between two ends; 0.5 if they are equal. */
export const shareOf = (value: number, low: number, high: number) => high > low ? (value - low) / (high - low) : 0.5
