/** Bodies removed from a step together with bodies whose step failed. */

import type { JointElement } from '../../contact/world'
import { bodiesOfJoint } from '../../dynamics/joints'
import type { Coupling } from './coupling'
import type { StepJoints } from './gather-joints'
import type { StepIsland } from './step-island'

/** Adds their islands to `removed`, and all bodies coupled to these. */
export function spread(removed: Set<number>, coupling: Coupling, islands: readonly StepIsland[], part: Uint8Array): void {
  for (let before = -1; before < removed.size;) {
    before = removed.size
    for (const body of coupling.closure(removed)) if (part[body] === 1) removed.add(body)
    for (const { bodies } of islands) if (bodies.some(body => removed.has(body))) for (const body of bodies) removed.add(body)
  }
}

/** Joints, with their limits, drives and friction, without those of removed bodies. */
export function jointsWithout(removed: ReadonlySet<number>, { joints, limits, drives, jointSpins }: StepJoints): StepJoints {
  const stays = ({ element: { constraint } }: { readonly element: JointElement }): boolean => bodiesOfJoint(constraint).every(body => !removed.has(body))
  return {
    joints: joints.filter(stays), limits: limits.filter(stays), drives: drives.filter(({ drive }) => stays(drive)), jointSpins: jointSpins.filter(stays),
  }
}
