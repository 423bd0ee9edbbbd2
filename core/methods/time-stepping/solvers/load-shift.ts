/**
 * Redundant rows may contradict each other slightly: no impulses stop all of them. Each round of `augmented.ts` then shifts load from one to the other by
 * the same amount, until a contact opens or slips and the contradiction ends. That takes as many rounds as the load is larger than the shift. The rounds in
 * between are skipped by taking the shift as often at once as all bounds allow.
 */

import { ROW_BOX, ROW_UNILATERAL } from '../../../lcp/problem'
import type { LawProblem } from './force-law'

/** Share of its bound above which friction counts as at it. */
const AT_BOUND = 1 - 1e-9

/** Repeats the `change` of impulses in place until a bound is reached. @param single rows outside contacts @returns whether it could */
export function shiftLoad(problem: LawProblem, single: Int32Array, p: Float64Array, change: Float64Array): boolean {
  const times = shiftsToBound(problem, single, p, change)
  if (!(times > 1 && times < Infinity)) return false
  for (let i = 0; i < p.length; i++) p[i]! += times * change[i]!
  return true
}

/** How many times impulses `p` can change by `shift` until the first bound is reached; Infinity if none ever is. */
export function shiftsToBound(
  { kind, lower, upper, friction }: Pick<LawProblem, 'kind' | 'lower' | 'upper' | 'friction'>, single: Int32Array, p: Float64Array, shift: Float64Array,
): number {
  let most = Infinity
  const within = (value: number, change: number, bound: number): void => {
    if (change !== 0 && (bound - value) / change > 0) most = Math.min(most, (bound - value) / change)
  }
  for (const i of single) {
    if (kind[i] === ROW_UNILATERAL) within(p[i]!, shift[i]!, 0)
    else if (kind[i] === ROW_BOX) {
      within(p[i]!, shift[i]!, lower[i]!)
      within(p[i]!, shift[i]!, upper[i]!)
    }
  }
  for (const { normal: i, staticFriction } of friction) {
    within(p[i]!, shift[i]!, 0)
    // |p_t + k s_t| = μ (p_N + k s_N)
    const [x, y, radius] = [p[i + 1]!, p[i + 2]!, staticFriction * p[i]!]
    const [dx, dy, growth] = [shift[i + 1]!, shift[i + 2]!, staticFriction * shift[i]!]
    const room = radius * radius - x * x - y * y
    if (!(x * x + y * y < AT_BOUND * radius * radius)) continue
    const square = dx * dx + dy * dy - growth * growth
    const half = x * dx + y * dy - radius * growth
    // square k² + 2 half k − room = 0, of which the least positive root is sought; the form of it without cancellation.
    const discriminant = half * half + square * room
    if (discriminant < 0) continue // the bound grows faster than friction
    const root = Math.sqrt(discriminant)
    const reached = half + root > 0 ? room / (half + root) : square < 0 && half < 0 ? (-half - root) / square : Infinity
    if (reached > 0) most = Math.min(most, reached)
  }
  return most
}
