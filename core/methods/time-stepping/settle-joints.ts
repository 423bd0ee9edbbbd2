/** Satisfies the joints of an island at the end of a step by their impulses alone. */

import { Anderson } from '../../math/anderson'
import type { StepContext } from './context'
import type { TiedRows } from './tied-rows'
import { jointErrors, move } from './island-motion'
import type { StepArrays } from './step-arrays'
import type { StepIsland } from './step-island'
import { JOINT_ERROR } from './tolerances'

const MAX_ITERATIONS = 48
/** Iterations without a halved error after which it is at rounding, or not to be reduced. */
const PATIENCE = 8

/**
 * Impulses act along the rows of the step's start, whose matrix is factored once. Each iteration corrects them by the joint errors at the end of the step; as
 * bodies rotate, this alone converges linearly, or not at all for a taut chain that was struck. Accelerated it takes about seven iterations.
 *
 * @param size m, of the island
 * @returns the largest joint error that is left, m and rad
 */
export function settleJoints(context: StepContext, island: StepIsland, step: StepArrays, joints: TiedRows, size: number): number {
  const { rows, p } = island.problem!
  const { tied } = joints
  const anderson = new Anderson()
  const impulses = new Float64Array(tied.length)
  const missing = new Float64Array(rows.count)
  let [error, least, stale] = [jointErrors(island, step), Infinity, 0]
  for (let k = 0; k < MAX_ITERATIONS && error > JOINT_ERROR * size && error < Infinity && stale < PATIENCE; k++) {
    stale = error < least / 2 ? 0 : stale + 1
    least = Math.min(least, error)
    for (const joint of island.joints) joint.atEnd.error.forEach((value, r) => { missing[joint.firstRow + r] = -value / step.h })
    tied.forEach((row, at) => { impulses[at] = p[row]! })
    anderson.advance(impulses, joints.settle(missing))
    tied.forEach((row, at) => { p[row] = impulses[at]! })
    move(context, island, step)
    error = jointErrors(island, step)
  }
  return error
}
