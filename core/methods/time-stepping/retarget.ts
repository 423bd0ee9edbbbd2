/** What the rows of an island are solved for next, from where the last solution leads: one pass of re-linearisation to the other. */

import { JACOBIAN_WIDTH } from '../../dynamics/joints/joint'
import type { ActiveConstraint } from './active-constraint'
import type { BodyMotions } from './body-motions'
import type { GapGradients } from './gap-gradients'
import type { StepArrays } from './step-arrays'
import type { StepIsland } from './step-island'

/** × the gap that is left: how far below zero the target of a row is set that is released, because another candidate keeps the features apart. */
const RELEASE = 4
/** Passes from which on rows are no longer trusted that are passed by more than the solids overlap. */
const TRUE_PASS = 2
/** × the way of both bodies in the step. */
const THROWN = 0.05
/** × gap target: up to that much more is asked of a contact that is missed again and again. */
const LITTLE = 100

/**
 * Solves for the true errors at the end next time: velocities as they are, plus what is missing.
 *
 * @param gradients null: rows are solved for as they are at the start of the step
 * @param lowering contacts that stand open are drawn back to the gap target too. In a pile that closes one and opens its neighbours, pass after pass, while
 *   what still stands open by micrometres closes in the next step
 */
export function retarget(
  island: StepIsland, { motions, h }: StepArrays, gradients: GapGradients | null, aim: number, pass: number, lowering: boolean,
): void {
  gradients?.findAll()
  island.seeGaps()
  const problem = island.problem!
  const { rows, gradient, b } = problem
  const correct = (row: number, missing: number): void => {
    b[row] = rows.along(row, motions.velocity) + missing / h - island.free[row]!
  }
  for (const joint of island.joints) joint.atEnd.error.forEach((value, r) => correct(joint.firstRow + r, -value))
  for (const limit of island.limits) correct(limit.row, -limit.gap)
  /** Asks a contact's gap to change by so much, m, but its points to part with `least`, m/s. */
  const ask = (active: ActiveConstraint, change: number, least: number): void => {
    const { row } = active
    const velocity = rows.along(row, motions.velocity)
    if (active.gradient === null || velocity + change / h < least) {
      if (active.gradient !== null) gradient.set(rows.jacobian.subarray(JACOBIAN_WIDTH * row, JACOBIAN_WIDTH * (row + 1)), JACOBIAN_WIDTH * row)
      active.gradient = null
      b[row] = Math.max(velocity + change / h, least) - island.free[row]!
      return
    }
    const { bodyA, bodyB } = active.constraint.pair
    b[row] = change / h + pushed(motions, bodyA, gradient, JACOBIAN_WIDTH * row) + pushed(motions, bodyB, gradient, JACOBIAN_WIDTH * row + 6)
  }
  for (const active of island.constraints) {
    // Features that are flush with an end of the face lie beyond it by rounding only: that lets nothing go.
    const flush = active.gap >= 0 && active.gap <= aim
    const gone = gradients !== null && pass >= TRUE_PASS && active.rowGap < 0
    if (gone && active.spared && !flush && hasLeft(active, motions)
      || active.spared && active.hold !== 'for good' && (active.rowGap < 0 && !flush || active.hold === 'released')) {
      // What keeps the features apart leaves room for as much again; taken back once, the row stays, or passes could go on for ever.
      active.hold = 'released'
      ask(active, -RELEASE * Math.max(Math.abs(active.rowGap), active.gap), -Infinity)
      continue
    }
    if (active.hold === 'released') active.hold = 'for good'
    if (!lowering && active.gap >= 0 && active.rowGap >= 0 && problem.p[active.row]! > 0 && !(gradients !== null && isThrown(active, motions))) {
      ask(active, 0, active.bounce)
      continue
    }
    // What is missed by little is asked for the more the oftener it was missed; what is missed by much has turned away, and a push would throw it.
    const lift = active.gap < 0 && pass > 1 ? Math.min(-active.gap * (pass - 1), Math.max(-active.gap, LITTLE * active.aim)) : 0
    ask(active, aim + lift - (gone && !active.spared ? Math.max(active.rowGap, trueGap(active, motions)) : active.rowGap), active.bounce)
  }
}

/** Whether a contact that pushes, and does not bounce, ends up farther away than its bodies turn about it: it pushes too much. */
export function isThrown({ constraint: { pair: { bodyA, bodyB } }, bounce, gap, rowGap, aim }: ActiveConstraint, { path }: BodyMotions): boolean {
  return bounce === -Infinity && Math.min(gap, rowGap) > aim + THROWN * (path[bodyA]! + path[bodyB]!)
}

/** Whether the features in force have left each other by the end of the step: lines of edges then cross anywhere, planes are passed beyond their faces. */
function hasLeft({ constraint: { pair: { bodyA, bodyB }, candidates }, choice }: ActiveConstraint, { poses }: BodyMotions): boolean {
  return candidates[choice]!.margin(poses[bodyA]!, poses[bodyB]!) < 0
}

/** m: by how much solids that overlap do so; −Infinity where they do not, but passed through each other. */
function trueGap({ constraint: { pair: { bodyA, bodyB, collider } } }: ActiveConstraint, { poses }: BodyMotions): number {
  const separation = collider.separation(poses[bodyA]!, poses[bodyB]!)
  return separation < 0 ? separation : -Infinity
}

/** What multipliers have added to a row's velocity by one of its bodies, m/s. */
function pushed({ velocity, unpushed }: BodyMotions, body: number, row: Float64Array, at: number): number {
  let sum = 0
  for (let k = 0; k < 6; k++) sum += row[at + k]! * (velocity[6 * body + k]! - unpushed[6 * body + k]!)
  return sum
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
