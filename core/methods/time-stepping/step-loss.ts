/** What leaves a step together with bodies that it does not go for. */

import type { JointElement } from '../../contact/world'
import { bodiesOfJoint } from '../../dynamics/joints'
import type { Coupling } from './coupling'
import type { StepJoints } from './gather-joints'
import type { StepIsland } from './step-island'

/** Adds to `gone` their islands, and whatever takes part and has to step with these. */
export function spread(gone: Set<number>, coupling: Coupling, islands: readonly StepIsland[], part: Uint8Array): void {
  for (let before = -1; before < gone.size;) {
    before = gone.size
    for (const body of coupling.closure(gone)) if (part[body] === 1) gone.add(body)
    for (const { bodies } of islands) if (bodies.some(body => gone.has(body))) for (const body of bodies) gone.add(body)
  }
}

/** Those joints, with their limits, drives and friction, all of whose bodies stay. */
export function jointsWithout(gone: ReadonlySet<number>, { joints, limits, drives, jointSpins }: StepJoints): StepJoints {
  const stays = ({ element: { constraint } }: { readonly element: JointElement }): boolean => bodiesOfJoint(constraint).every(body => !gone.has(body))
  return {
    joints: joints.filter(stays), limits: limits.filter(stays), drives: drives.filter(({ drive }) => stays(drive)), jointSpins: jointSpins.filter(stays),
  }
}
