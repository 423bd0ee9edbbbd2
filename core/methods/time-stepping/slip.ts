/** Detection of sliding contacts. */

import { cos, PI } from '../../math/elementary'
import { length } from '../../math/vector'
import type { ActiveConstraint } from './active-constraint'
import type { StepProblem } from './step-problem'

/** Share of the friction bound above which friction counts as saturated. */
const SPENT = 1 - 1e-6

/**
 * Whether a contact slides: it has slip, and its friction is on the cone. The velocity of a contact with a force inside its cone is residual, and so
 * is the motion of its points by rotation within the step.
 *
 * @param velocity of the bodies after the step
 * @param still m/s
 * @param directions edges of the polyhedral friction cone; 0 for the exact cone
 */
export function slides({ row, friction }: ActiveConstraint, { rows, p }: StepProblem, velocity: Float64Array, still: number, directions: number): boolean {
  if (!(length([rows.along(row + 1, velocity), rows.along(row + 2, velocity), 0]) > still)) return false
  const most = friction * p[row]! * (directions > 0 ? cos(PI / directions) : 1)
  return length([p[row + 1]!, p[row + 2]!, 0]) >= SPENT * most
}
