/**
 * The instant of an island's first impact within its step. Such a step is divided at the impact. Otherwise bodies would reach the surface at the end of the
 * step, whatever the instant of their contact, and impacts would be of first order in time.
 */

import { thresholdOf } from './bounce'
import type { StepContext } from './context'
import type { ActiveConstraint } from './active-constraint'
import type { StepIsland } from './step-island'
import type { StepProblem } from './step-problem'
import { TOUCHING } from './tolerances'

/** × the longest step: an impact this close to an end of the step happens there. In shorter parts, the correction of rounding errors would take high speeds. */
const AT_AN_END = 1e-9
/** Largest island, in rows, whose steps are divided: in larger ones, as rows of dominoes, impacts act through many contacts at once. */
export const DIVIDED_ROWS = 24
/** × the longest step: impacts that follow each other within this time are resolved simultaneously. */
export const AT_ONCE = 1e-2

/** Whether some contact has an impact, in a step solved as if all contacts persisted. */
export function meetsInStep({ constraints, problem }: StepIsland): boolean {
  return constraints.some(active => pushes(active, problem!))
}

function pushes({ collides, row }: ActiveConstraint, { p }: StepProblem): boolean {
  return collides && p[row]! > 0
}

/**
 * Whether an approaching contact is resolved together with one that touches now; if it accelerates, its gap may be larger.
 * @param step s, the longest one
 */
export function meetsTogether(active: ActiveConstraint, step: number): boolean {
  return wayOf(active) <= -2 * AT_ONCE * step * active.normalVelocity
}

/**
 * With w⁻ the normal velocity at the start, and w̄ that at the middle of the step without the impact, a gap ψ becomes ψ + w⁻ t + (w̄ − w⁻)/h t² after
 * t seconds. The step up to the instant found is examined again, so that errors by rotation do not remain.
 *
 * The lowest point of a nearly flat disc runs around its rim, and its impacts follow each other without end: steps with impacts of rims are not divided.
 *
 * @returns s after the start of the solved step: 0 if it begins with an impact; Infinity if it is not divided, for example because it ends with its first
 *   impact
 */
export function firstTouch(context: StepContext, { problem, constraints, h }: StepIsland): number {
  // In a very short step resting contacts do not close their gaps, and so do not push.
  const least = constraints.some(({ touches, collides }) => touches && !collides) ? TOUCHING * context.gap : 0
  let first = Infinity
  for (const active of constraints) {
    const { normalVelocity: w, unmet, constraint: { candidates }, choice } = active
    // Slower ones end within the step without a noticeable error in time.
    if (!pushes(active, problem!) || -w <= thresholdOf(context, active)) continue
    const { featureA, featureB } = candidates[choice]!
    if (featureA.kind === 'rim' || featureB.kind === 'rim') return Infinity
    const way = wayOf(active)
    if (way <= Math.max(-AT_AN_END * context.settings.step * w, least)) return 0
    const square = w * w - 4 * (unmet - w) / h * way
    if (square > 0) first = Math.min(first, 2 * way / (Math.sqrt(square) - w))
  }
  return first < h - AT_AN_END * context.settings.step ? first : Infinity
}

/** m: from the start of the step to the gap that the contact keeps. */
function wayOf({ at: { gap }, aim }: ActiveConstraint): number {
  return gap - aim
}
