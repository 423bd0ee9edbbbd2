/** Joint rows of a step: the joints themselves, limits on both sides, and drives and friction. */

import type { JointSpin } from '../../contact/constraints'
import type { JointElement } from '../../contact/world'
import { bodiesOfJoint } from '../../dynamics/joints'
import type { StepContext } from './context'
import { stepDrive, type StepDrive } from './step-drive'
import { stepJoint, type StepJoint, type StepLimit } from './joint-rows'
import { LIMIT_REACHED } from './tolerances'

export interface StepJoints {
  readonly joints: readonly StepJoint[]
  readonly limits: readonly StepLimit[]
  readonly drives: readonly StepDrive[]
  readonly jointSpins: readonly JointSpin[]
}

/** At the snapshot; for existing bodies, at least one of which satisfies `takesPart`. */
export function gatherJoints(
  { world, scales, time, equations: { snapshot, jointPositions }, drives, jointSpins }: StepContext, takesPart: (body: number) => boolean,
): StepJoints {
  const exists = (body: number): boolean => body < 0 || snapshot.exists[body]!
  const there = ({ element: { constraint, broken } }: { readonly element: JointElement }): boolean => {
    if (broken) return false
    const bodies = bodiesOfJoint(constraint)
    return bodies.every(exists) && bodies.some(takesPart)
  }
  const joints: StepJoint[] = []
  const limits: StepLimit[] = []
  world.joints.forEach((element, index) => {
    const { constraint, coordinates } = element
    if (!there({ element })) return
    // Joints of trees are handled by coordinates, without rows.
    if (!(snapshot.trees !== null && snapshot.trees.forest.nodeOfJoint[index]! >= 0)) joints.push(stepJoint(index, element, body => snapshot.motionOf(body)))
    coordinates.forEach(({ limits: range }, coordinate) => {
      if (range === null) return
      const { position, jacobian } = constraint.coordinate(
        coordinate, snapshot.motionOf(constraint.bodyA), snapshot.motionOf(constraint.bodyB), jointPositions[index]![coordinate]!)
      for (const side of [1, -1] as const) {
        const bound = side === 1 ? range.lower : range.upper
        if (!Number.isFinite(bound)) continue
        const gap = side * (position - bound)
        const engaged = gap <= LIMIT_REACHED * scales.size(...bodiesOfJoint(constraint))
        limits.push({ joint: index, element, coordinate, side, bound, row: -1, start: gap, gap, atEnd: jacobian, gradient: null, engaged })
      }
    })
  })
  return {
    joints, limits,
    drives: drives.filter(there).map(drive => stepDrive(drive, time, drive.element.constraint.coordinate(
      drive.coordinate, snapshot.motionOf(drive.element.constraint.bodyA), snapshot.motionOf(drive.element.constraint.bodyB),
      jointPositions[drive.joint]![drive.coordinate]!))),
    jointSpins: jointSpins.filter(there),
  }
}
