/** What the rows of an island are solved for next, from where the last solution leads: one pass of re-linearisation to the other. */

import type { StepArrays } from './step-arrays'
import type { StepIsland } from './step-island'

/** A row that need not hold may go this many times as far as it has. */
const RELEASE = 4
/** × gap target: up to that much more is asked of a contact that is missed again and again. */
const LITTLE = 100

/**
 * Solves for the true errors at the end next time: velocities as they are, plus what is missing.
 *
 * @param lowering contacts that stand open are drawn back to the gap target too. In a pile that closes one and opens its neighbours, pass after pass, while
 *   what still stands open by micrometres closes in the next step
 */
export function retarget(island: StepIsland, { motions, h }: StepArrays, aim: number, pass: number, lowering: boolean): void {
  const problem = island.problem!
  const { rows, b } = problem
  const correct = (row: number, missing: number, least = -Infinity): void => {
    b[row] = Math.max(rows.along(row, motions.velocity) + missing / h, least) - island.free[row]!
  }
  for (const joint of island.joints) joint.atEnd.error.forEach((value, r) => correct(joint.firstRow + r, -value))
  for (const limit of island.limits) correct(limit.row, -limit.gap)
  for (const active of island.constraints) {
    // Features that are flush with an end of the face lie beyond it by rounding only: that lets nothing go.
    const flush = active.gap >= 0 && active.gap <= aim
    if (active.spared && active.hold !== 'for good' && (active.rowGap < 0 && !flush || active.hold === 'released')) {
      // What keeps the features apart leaves room for as much again; taken back once, the row stays, or passes could go on for ever.
      active.hold = 'released'
      correct(active.row, -RELEASE * Math.max(Math.abs(active.rowGap), active.gap))
      continue
    }
    if (active.hold === 'released') active.hold = 'for good'
    if (!lowering && active.gap >= 0 && active.rowGap >= 0 && problem.p[active.row]! > 0) {
      correct(active.row, 0, active.bounce)
      continue
    }
    // What is missed by little is asked for the more the oftener it was missed; what is missed by much has turned away, and a push would throw it.
    const lift = active.gap < 0 && pass > 1 ? Math.min(-active.gap * (pass - 1), Math.max(-active.gap, LITTLE * active.aim)) : 0
    correct(active.row, aim + lift - active.rowGap, active.bounce)
  }
}

/**
 * Marks the constraints that may stay as they are although their row in force is passed: another candidate keeps the features apart, or the solids do not
 * overlap on the way or at its end (the plane of a face was passed beyond the face's end).
 *
 * @returns whether none is left
 */
export function spare(island: StepIsland, { passages, h }: StepArrays, least: number): boolean {
  const apart = new Map<string, boolean>()
  let all = true
  for (const active of island.constraints) {
    active.spared = active.gap >= least
    if (active.spared) continue
    const { pair } = active.constraint
    let separate = apart.get(pair.key)
    if (separate === undefined) apart.set(pair.key, separate = passages.staysApart(pair, h, least))
    active.spared = separate
    all &&= separate
  }
  return all
}

/** Whether some contact that pushes, and does not bounce, is farther apart at the end than `most`, m: then 0 ≤ p ⟂ ψ(q⁺) ≥ 0 does not hold yet. */
export function lifted({ constraints, problem }: StepIsland, most: number): boolean {
  return constraints.some(({ row, bounce, gap, rowGap, aim }) => problem!.p[row]! > 0 && bounce === -Infinity && Math.min(gap, rowGap) > aim + most)
}
