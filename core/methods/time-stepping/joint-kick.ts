/**
 * RATTLE's first half: half a kick of an island without contacts, such that joints are satisfied, limits are not exceeded, and drives and joint
 * friction have their prescribed effect at the end of the step. Together with the second half (`rattle.ts`) each force acts by the trapezoidal rule,
 * so that the motion is of second order unless a state of limits or friction changes.
 */

import { conjugate, IDENTITY_ROTATION, multiplyQuaternions, type Quat } from '../../math/quaternion'
import { sizeOf } from '../../lcp/spin'
import type { IslandSpin } from '../../contact/island-spin'
import type { StepContext } from './context'
import { HalfKick } from './half-kick'
import { endMotion, evaluateLimits, move } from './island-motion'
import { settleJoints } from './settle-joints'
import { JOINT_ALLOWED, JOINT_ERROR } from './tolerances'
import type { StepArrays } from './step-arrays'
import { drivenOver, type StepDrive } from './step-drive'
import type { StepIsland } from './step-island'

/** Most passes: solutions with the drives, limits and friction of the end of the step. */
const MAX_PASSES = 48
/** Passes without a halved error after which a step has failed. */
const PATIENCE = 8
/** m and rad, × the size of the island: an error that no pass reduces. */
const ROUNDING = 1e-15
/** Share of its bound by which an impulse may miss it by rounding. */
const AT_BOUND = 1e-9

/** Solves for an end of step that satisfies the island's joints. @returns the reason of a failure, or null */
export function solveJoints(context: StepContext, island: StepIsland, step: StepArrays): string | null {
  const size = context.scales.size(...island.bodies)
  let kick = begin(context, island, step)
  let [least, stale] = [Infinity, 0]
  for (let pass = 0; pass < MAX_PASSES && stale < PATIENCE; pass++) {
    let joints = settleJoints(context, island, step, kick.elimination.joints, size)
    if (engage(context, island, step)) {
      kick = begin(context, island, step)
      joints = settleJoints(context, island, step, kick.elimination.joints, size)
      evaluateLimits(context, island, step)
      least = Infinity
    }
    const { p, rows } = island.problem!
    const missing = new Float64Array(rows.count)
    const error = Math.max(joints, boundedErrors(context, island, step, missing))
    const improves = error < 0.5 * least
    // With drives or limits, passes continue until none reduces the error: their impulses were solved for the errors of the pass before.
    if (error <= (kick.bounded ? ROUNDING : JOINT_ERROR) * size || (error <= JOINT_ALLOWED * size && !improves)) {
      if (!stopReversed(island, step)) return null
      least = Infinity
      continue
    }
    // Without other rows, passes change nothing.
    if (!(error < Infinity) || !kick.bounded) break
    stale = improves ? 0 : stale + 1
    least = Math.min(least, error)
    for (const joint of island.joints) joint.atEnd.error.forEach((value, r) => { missing[joint.firstRow + r] = -value / step.h })
    const reason = kick.solve(missing, p)
    if (reason !== null) return reason
    island.residual = kick.residual
    context.counts.solverCalls++
    move(context, island, step)
  }
  return 'joints could not be met at the end of the step'
}

/** Builds the rows, and the motion without impulses. */
function begin(context: StepContext, island: StepIsland, step: StepArrays): HalfKick {
  const size = context.scales.size(...island.bodies)
  const { motions: { snapshot }, h } = step
  const time = step.leapfrog.missingOf(island.bodies, snapshot) + h / 2
  const problem = island.assemble(snapshot, context.equations.jointPositions, step, time)
  for (const entry of island.drives) drivenOver(entry, problem.rows, 'to the middle', h, time)
  // Rotating directions use their value at the start; the second half of the kick uses that of the end.
  for (const { rows, velocity } of island.spins) {
    const speed = sizeOf(velocity)
    if (speed <= island.stickSpeed / size) continue
    rows.state = 'sliding'
    rows.slip = velocity.map(value => value / speed)
    rows.rows.forEach((row, k) => { problem.p[row] = -rows.limit * rows.slip[k]! })
  }
  move(context, island, step)
  return new HalfKick(problem)
}

/** Activates limits passed by the step. @returns whether there are new ones */
function engage(context: StepContext, island: StepIsland, step: StepArrays): boolean {
  evaluateLimits(context, island, step)
  let any = false
  for (const limit of island.limits) {
    if (limit.engaged || limit.gap >= 0) continue
    limit.engaged = any = true
  }
  return any
}

/**
 * Residuals of drives, limits and joint friction at the end of the step, m and rad.
 *
 * @param missing filled with the corresponding rates, one a row
 */
function boundedErrors(context: StepContext, island: StepIsland, step: StepArrays, missing: Float64Array): number {
  const { h } = step
  const { p, lower, upper } = island.problem!
  const full = 1 - AT_BOUND
  let worst = 0
  for (const entry of island.drives) {
    const { row, compliance, yielding } = entry
    missing[row] = entry.rate - compliance * p[row]! - driven(context, entry, step) / h
    const ahead = -missing[row] * h * yielding
    worst = Math.max(worst, p[row]! <= full * lower[row]! ? -ahead : p[row]! >= full * upper[row]! ? ahead : Math.abs(ahead))
  }
  for (const limit of island.limits) {
    if (limit.row < 0) continue
    missing[limit.row] = -limit.gap / h
    worst = Math.max(worst, p[limit.row]! > 0 ? Math.abs(limit.gap) : -limit.gap)
  }
  for (const spin of island.spins) worst = Math.max(worst, spinError(spin, island, step, missing))
  return worst
}

/** Displacement of a drive's coordinate in the step, m or rad. */
function driven({ equations: { jointPositions } }: StepContext, entry: StepDrive, step: StepArrays): number {
  const { joint, coordinate, element: { constraint } } = entry.drive
  const near = jointPositions[joint]![coordinate]!
  const { position } = constraint.coordinate(coordinate, endMotion(step, constraint.bodyA), endMotion(step, constraint.bodyB), near)
  return position - entry.start
}

/** Friction of a ball joint: a joint at rest stays at rest unless the torque reaches its bound; otherwise friction opposes the rotation. */
function spinError({ rows: { rows, state, limit }, of }: IslandSpin, island: StepIsland, step: StepArrays, missing: Float64Array): number {
  if (state === 'sliding') return 0
  const p = rows.map(row => island.problem!.p[row]!)
  const size = sizeOf(p)
  const { bodyA, bodyB } = of.joint!.element.constraint
  const [a, b] = [turned(step, bodyA), conjugate(turned(step, bodyB))]
  const q = multiplyQuaternions(a, b)
  const turn = [0, 1, 2].map(k => (q[3] < 0 ? -2 : 2) * q[k]!)
  rows.forEach((row, k) => { missing[row] = -turn[k]! / step.h })
  const angle = sizeOf(turn)
  if (size < (1 - AT_BOUND) * limit) return angle
  return sizeOf(turn.map((value, k) => value + angle * p[k]! / size))
}

/** Whether some joint friction would reverse its joint within the step; it then holds the joint. */
function stopReversed(island: StepIsland, { motions: { velocity } }: StepArrays): boolean {
  let any = false
  for (const { rows: own } of island.spins) {
    if (own.state !== 'sliding') continue
    const along = own.rows.reduce((sum, row, k) => sum + own.slip[k]! * island.problem!.rows.along(row, velocity), 0)
    if (along >= 0) continue
    own.state = 'static'
    any = true
  }
  return any
}

/** Rotation of a body in the step, world frame. */
function turned({ motions: { snapshot, poses } }: StepArrays, body: number): Quat {
  return body < 0 ? IDENTITY_ROTATION : multiplyQuaternions(poses[body]!.orientation, conjugate(snapshot.motions[body]!.pose.orientation))
}
