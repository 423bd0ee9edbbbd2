/**
 * Lengths of steps. Times are rounded, so the differences of successive times vary in their last digits. Steps that are equally long but for this rounding
 * get the same length: impulses of bodies at rest then repeat bit for bit, which is how rest is recognised.
 */

import type { StepContext } from './context'

/** × the time: largest difference of two differences of times that is rounding. */
const ROUNDING = 4 * Number.EPSILON

/** `known` if the time from `from` to `to` equals it up to rounding, otherwise that time, s. */
export function lengthLike(known: number, from: number, to: number): number {
  return Math.abs(to - from - known) <= ROUNDING * to ? known : to - from
}

/** s: from the context's time to `to`, which is at most one step; halved steps are known too. */
export function stepLength({ time, step }: StepContext, to: number): number {
  let known = step
  while (known > 1.5 * (to - time)) known /= 2
  return lengthLike(known, time, to)
}
