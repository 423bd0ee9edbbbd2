/** Range of range sensors. */

/** m: range of a ray without a stated one. */
const FARTHEST = 1000

/** @param stated m; invalid and infinite values count as absent */
export function rangeOf(stated: number): number {
  return stated > 0 && stated < Infinity ? stated : FARTHEST
}
