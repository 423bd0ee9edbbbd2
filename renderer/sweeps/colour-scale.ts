/** Colours of numbers: viridis [Smith, van der Walt 2015], which brightens evenly and is told apart by colour-blind eyes, by nine of its colours. */

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

/** Share of a value between two ends; in the middle where they are the same. */
export const shareOf = (value: number, low: number, high: number) => high > low ? (value - low) / (high - low) : 0.5
