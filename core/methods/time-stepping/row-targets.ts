/** The right-hand sides of an island's rows for the next pass, from the gaps of the last solution. */

import { gapOf } from '../../collision/contact'
import { JACOBIAN_WIDTH } from '../../dynamics/joints/joint'
import type { ActiveConstraint } from './active-constraint'
import type { BodyMotions } from './body-motions'
import type { EndGradients } from './end-gradients'
import type { StepArrays } from './step-arrays'
import type { StepIsland } from './step-island'

/** × the remaining gap: offset below zero of the target of a released row. A row is released if another candidate separates the features. */
const RELEASE = 4
/** From this pass on, a row whose violation exceeds the overlap of the solids is not used. */
const TRUE_PASS = 2
/** × the motion of both bodies in the step: a contact with a larger final gap was pushed too hard. */
const OVERSHOOT = 0.05
/** × gap target: largest target increase for a contact that is violated repeatedly. */
const MAX_INCREASE = 100

/**
 * Sets the target of every row to the present velocity plus the correction needed at the end of the step.
 *
 * @param gradients null to use the rows of the start of the step
 * @param lowering whether to close open active contacts too. In a pile, closing one contact would open its neighbours in every pass; the remaining
 *   micrometres close in the next step
 * @param tolerance m: `timeStepping.tolerance`
 */
export function setRowTargets(
  island: StepIsland, { motions, h }: StepArrays, gradients: EndGradients | null, aim: number, pass: number, lowering: boolean, tolerance: number | null,
): void {
  gradients?.findAll()
  island.useGradients()
  const problem = island.problem!
  const { rows, gradient, b } = problem
  const correct = (row: number, missing: number): void => {
    b[row] = rows.along(row, motions.velocity) + missing / h - island.free[row]!
  }
  /** The same for a row on two bodies with its gradient. */
  const turn = (row: number, { bodyA, bodyB }: { readonly bodyA: number, readonly bodyB: number }, missing: number): void => {
    b[row] = missing / h + pushed(motions, bodyA, gradient, JACOBIAN_WIDTH * row) + pushed(motions, bodyB, gradient, JACOBIAN_WIDTH * row + 6)
  }
  for (const { element: { constraint }, atEnd: { error }, firstRow, gradient: own } of island.joints) {
    error.forEach((value, r) => own === null ? correct(firstRow + r, -value) : turn(firstRow + r, constraint, -value))
  }
  for (const { element: { constraint }, row, gap, gradient: own } of island.limits) {
    if (own === null) correct(row, -gap)
    else turn(row, constraint, -gap)
  }
  /** Targets a change of a contact's gap, m, with a least separation velocity `least`, m/s. */
  const ask = (active: ActiveConstraint, change: number, least: number): void => {
    const { row } = active
    const velocity = rows.along(row, motions.velocity)
    if (active.gradient === null || velocity + change / h < least) {
      if (active.gradient !== null) gradient.set(rows.jacobian.subarray(JACOBIAN_WIDTH * row, JACOBIAN_WIDTH * (row + 1)), JACOBIAN_WIDTH * row)
      active.gradient = null
      b[row] = Math.max(velocity + change / h, least) - island.free[row]!
      return
    }
    turn(row, active.constraint.pair, change)
  }
  for (const active of island.constraints) {
    if (active.others.length > 0) {
      const { pair: { bodyA, bodyB } } = active.constraint
      for (const { row, features } of active.others) correct(row, active.aim - gapOf(features, motions.poses[bodyA]!, motions.poses[bodyB]!))
      ask(active, active.aim - active.rowGap, active.bounce)
      continue
    }
    // Features flush with an end of the face are beyond it by rounding only; this must not release them.
    const flush = active.gap >= 0 && active.gap <= aim
    const gone = gradients !== null && pass >= TRUE_PASS && active.rowGap < 0
    if (gone && active.separated && !flush && hasLeft(active, motions)
      || active.separated && active.hold !== 'for good' && (active.rowGap < 0 && !flush || active.hold === 'released')) {
      // The target leaves the separating candidate's own distance as a margin. A restored row is never released again,
      // so that the passes terminate.
      active.hold = 'released'
      ask(active, -RELEASE * Math.max(Math.abs(active.rowGap), active.gap), -Infinity)
      continue
    }
    if (active.hold === 'released') active.hold = 'for good'
    if (!lowering && active.gap >= 0 && active.rowGap >= 0 && problem.p[active.row]! > 0 && !(gradients !== null && overshoots(active, motions))) {
      ask(active, 0, active.bounce)
      continue
    }
    // For small violations the increase grows with their number. Large violations come from rotation, where more impulse
    // would push too hard. A given tolerance allows a contact to end as far above its gap as it was violated, so the
    // next pass is often the last.
    const missed = Math.max(-active.gap, 0)
    const target = tolerance !== null ? active.aim + Math.min(missed, tolerance)
      : aim + (pass > 1 ? Math.min(missed * (pass - 1), Math.max(missed, MAX_INCREASE * active.aim)) : 0)
    ask(active, target - (gone && !active.separated ? Math.max(active.rowGap, trueGap(active, motions)) : active.rowGap), active.bounce)
  }
}

/** Whether a contact with an impulse and without restitution ends farther away than the rotation of its bodies explains: its impulse is too large. */
export function overshoots({ constraint: { pair: { bodyA, bodyB } }, bounce, gap, rowGap, aim }: ActiveConstraint, { path }: BodyMotions): boolean {
  return bounce === -Infinity && Math.min(gap, rowGap) > aim + OVERSHOOT * (path[bodyA]! + path[bodyB]!)
}

/**
 * Whether the active features no longer face each other at the end of the step: the lines of edges then cross anywhere, planes are passed beyond
 * their faces.
 */
function hasLeft({ constraint: { pair: { bodyA, bodyB }, candidates }, choice }: ActiveConstraint, { poses }: BodyMotions): boolean {
  return candidates[choice]!.margin(poses[bodyA]!, poses[bodyB]!) < 0
}

/** m: overlap of the solids, negative; −Infinity if they do not overlap, but passed through each other. */
function trueGap({ constraint: { pair: { bodyA, bodyB, collider } } }: ActiveConstraint, { poses }: BodyMotions): number {
  const separation = collider.separation(poses[bodyA]!, poses[bodyB]!)
  return separation < 0 ? separation : -Infinity
}

/** Change of a row's velocity by the multipliers on one of its bodies, m/s. */
function pushed({ velocity, unpushed }: BodyMotions, body: number, row: Float64Array, at: number): number {
  if (body < 0) return 0
  let sum = 0
  for (let k = 0; k < 6; k++) sum += row[at + k]! * (velocity[6 * body + k]! - unpushed[6 * body + k]!)
  return sum
}

/**
 * Marks the constraints whose bodies are separated although their row is violated: another candidate separates the features, or the solids overlap
 * neither on the way nor at its end (the plane of a face was passed beyond the face's end).
 *
 * @returns whether all are separated
 */
export function markSeparated(island: StepIsland, { passages, h }: StepArrays, least: number): boolean {
  const apart = new Map<string, boolean>()
  let all = true
  for (const active of island.constraints) {
    active.separated = active.gap >= least
    if (active.separated) continue
    const { pair } = active.constraint
    let separate = apart.get(pair.key)
    if (separate === undefined) apart.set(pair.key, separate = passages.staysApart(pair, h, least))
    active.separated = separate
    all &&= separate
  }
  return all
}

/**
 * Whether some contact with an impulse and without restitution has a gap above `most`, m, at the end of the step: then 0 ≤ p ⟂ ψ(q⁺) ≥ 0 does not
 * hold yet.
 */
export function isLeftOpen({ constraints, problem }: StepIsland, most: number): boolean {
  return constraints.some(({ row, bounce, gap, rowGap, aim }) => problem!.p[row]! > 0 && bounce === -Infinity && Math.min(gap, rowGap) > aim + most)
}
