/** Range of range sensors. */

/** m: range of a ray without a stated one. */
const DEFAULT_RANGE = 1000

/** @param stated m; invalid and infinite values count as absent */
export function rangeOf(stated: number): number {
  return stated > 0 && stated < Infinity ? stated : DEFAULT_RANGE
}
