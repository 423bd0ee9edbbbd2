/** Free motion: the effect of forces and joints alone in a step. */

import type { StepContext } from './context'
import type { StepJoints } from './gather-joints'
import { solveJoints } from './joint-kick'
import { partition } from './partition'
import type { StepArrays } from './step-arrays'
import { STICKING } from './tolerances'

/** Loads on bodies in a step. */
export interface Acting {
  /** Sum of the forces at its start, six doubles a body. */
  readonly external: Float64Array
  /** By body: whether its whole kick acts at the start. */
  readonly loaded: Uint8Array
  readonly joints: StepJoints
}

/** Moves some bodies with half a kick. @returns the islands whose joints failed to converge, with the reason */
export function moveFreely(
  context: StepContext, step: StepArrays, bodies: readonly number[], { external, loaded, joints: { joints, limits, drives, jointSpins } }: Acting,
): { readonly reason: string, readonly island: readonly number[] }[] {
  const { motions, leapfrog, h, end, workspaces } = step
  motions.release(bodies, body => {
    if (loaded[body] === 1) motions.kickBody(body, external, h)
    else leapfrog.kickFree(body, motions, external, h)
  })
  motions.driftAll(bodies, h, context.state, end)
  if (joints.length + limits.length + drives.length + jointSpins.length === 0) return []
  const failed: { readonly reason: string, readonly island: readonly number[] }[] = []
  const moved = new Set(bodies)
  for (const island of partition(context.equations.snapshot, joints, limits, drives, jointSpins, [])) {
    if (!island.bodies.some(body => moved.has(body))) continue
    island.mode = 'joints'
    island.stickSpeed = STICKING * context.scales.speed(...island.bodies)
    const reason = solveJoints(context, island, step)
    if (reason !== null) failed.push({ reason, island: island.bodies })
    island.leave(workspaces)
  }
  return failed
}
