/** How far a range sensor sees. */

/** m: of a ray whose file states no end. */
const FARTHEST = 1000

/** @param stated m; what is no length, or has no end, is none */
export function rangeOf(stated: number): number {
  return stated > 0 && stated < Infinity ? stated : FARTHEST
}
