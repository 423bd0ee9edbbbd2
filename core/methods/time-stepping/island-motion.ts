/** The motion of an island's bodies by its impulses, and its joints and limits at the end of the step. */

import { evaluateJoint } from '../../dynamics/joints/joint'
import { WORLD_MOTION } from '../../dynamics/joints/frame'
import { readMotion } from '../../dynamics/state-layout'
import type { BodyMotion } from '../../geometry/motion'
import type { StepContext } from './context'
import type { StepArrays } from './step-arrays'
import type { StepIsland } from './step-island'

/** Velocities and end poses of the island's bodies from its impulses. */
export function move(context: StepContext, island: StepIsland, { motions, h, end }: StepArrays): void {
  for (const body of island.bodies) motions.push.fill(0, 6 * body, 6 * body + 6)
  const { rows, p } = island.problem!
  rows.addWrench(p, motions.push)
  motions.accelerateAll(island.bodies)
  motions.driftAll(island.bodies, h, context.state, end)
}

/** Limits at the end of the step. @returns whether none is exceeded */
export function evaluateLimits(context: StepContext, island: StepIsland, step: StepArrays): boolean {
  let open = true
  for (const limit of island.limits) {
    const { constraint } = limit.element
    const near = context.equations.jointPositions[limit.joint]![limit.coordinate]!
    const { position, jacobian } = constraint.coordinate(limit.coordinate, endMotion(step, constraint.bodyA), endMotion(step, constraint.bodyB), near)
    limit.gap = limit.side * (position - limit.bound)
    limit.atEnd = jacobian
    if (limit.gap < 0) open = false
  }
  return open
}

/** C of every joint at the end of the step. @returns the largest */
export function jointErrors(island: StepIsland, step: StepArrays): number {
  let worst = 0
  for (const { element: { constraint }, atEnd } of island.joints) {
    evaluateJoint(constraint, body => endMotion(step, body), atEnd)
    for (const value of atEnd.error) worst = Math.max(worst, Math.abs(value))
  }
  return worst
}

/** Motion of a body at the end of the step; −1 is the world. */
export function endMotion({ motions, end }: StepArrays, body: number): BodyMotion {
  return body < 0 ? WORLD_MOTION : readMotion(motions.snapshot.layout, body, end)
}
