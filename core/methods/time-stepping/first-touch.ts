/**
 * The instant at which an island's first impact happens within its step. Such a step is taken in two: up to the impact, and from it. Otherwise bodies would
 * reach the surface at the end of the step, whenever they reach it, and impacts would be of first order in time.
 */

import { thresholdOf } from './bounce'
import type { StepContext } from './context'
import type { ActiveConstraint } from './active-constraint'
import type { StepIsland } from './step-island'
import type { StepProblem } from './step-problem'
import { TOUCHING } from './tolerances'

/** × the step: an impact this close to an end of the step happens there. */
const AT_AN_END = 1e-9
/** Largest island, in rows, whose steps are divided: in larger ones, as rows of dominoes, impacts act through many contacts at once. */
export const DIVIDED_ROWS = 24
/** × the longest step: impacts that follow each other faster happen at once. */
export const AT_ONCE = 1e-2

/** Whether some contact has an impact, in a step solved as if all contacts persisted. */
export function meetsInStep({ constraints, problem }: StepIsland): boolean {
  return constraints.some(active => pushes(active, problem!))
}

function pushes({ collides, row }: ActiveConstraint, { p }: StepProblem): boolean {
  return collides && p[row]! > 0
}

/** Whether an approaching contact is met together with one that is met now; accelerating ones come farther. @param step s, the longest one */
export function meetsTogether(active: ActiveConstraint, step: number): boolean {
  return wayOf(active) <= -2 * AT_ONCE * step * active.normalVelocity
}

/**
 * With the normal velocity w⁻ at the start, and w̄ at the middle of the step without the impact, a way ψ is ψ + w⁻ t + (w̄ − w⁻)/h t² after t seconds.
 * Steps up to the instant found are examined in turn, so that errors by rotation do not stay.
 *
 * The lowest point of a nearly flat disc runs around its rim, and its impacts follow each other without end: steps with impacts of rims are not divided.
 *
 * @returns s after the start of the solved step: 0 if it begins with an impact; Infinity if it is not to be divided, as one that ends with its first impact
 */
export function firstTouch(context: StepContext, { problem, constraints, h }: StepIsland): number {
  // Contacts that touch may not push in a step that is shorter than their gaps.
  const least = constraints.some(({ touches, collides }) => touches && !collides) ? TOUCHING * context.gap : 0
  let first = Infinity
  for (const active of constraints) {
    const { normalVelocity: w, unmet, constraint: { candidates }, choice } = active
    // Slower ones end within the step without a noticeable error in time.
    if (!pushes(active, problem!) || -w <= thresholdOf(context, active)) continue
    const { featureA, featureB } = candidates[choice]!
    if (featureA.kind === 'rim' || featureB.kind === 'rim') return Infinity
    const way = wayOf(active)
    if (way <= Math.max(-AT_AN_END * h * w, least)) return 0
    const square = w * w - 4 * (unmet - w) / h * way
    if (square > 0) first = Math.min(first, 2 * way / (Math.sqrt(square) - w))
  }
  return first < (1 - AT_AN_END) * h ? first : Infinity
}

/** m: from the start of the step to the gap that the contact keeps. */
function wayOf({ at: { gap }, aim }: ActiveConstraint): number {
  return gap - aim
}
