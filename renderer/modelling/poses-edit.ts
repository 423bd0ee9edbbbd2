/** An edit that gives bodies and instances new poses: joints between them move with body A, and each end of a rod with its own body. */

import type { Pose } from '../../core/math/pose'
import { conjugate, multiplyQuaternions, normalizeQuaternion } from '../../core/math/quaternion'
import { sub } from '../../core/math/vector'
import { instanceAround, type Joint, type Scene } from '../../core/scene'
import { moveJoint, type RigidMotion } from '../viewport/gizmos/rigid-edit'
import { orientationOf, poseOf, positionOf } from '../state/scene-access'
import { wholeOf } from './pieces'

/** @param poses new poses by id of a body or instance. They are written with full precision, so that touching bodies still touch. */
export function applyPoses(draft: Scene, before: Scene, poses: ReadonlyMap<string, Pose>): void {
  const motions = writePoses(draft, before, poses)
  before.joints?.forEach((joint, i) => {
    if (joint.type === 'gear' || instanceAround(before, joint.id) !== null) return
    const [a, b] = [joint.bodyA, joint.bodyB].map(id => id === null ? undefined : motions.get(wholeOf(before, id)))
    if (joint.type === 'distance') {
      const target = draft.joints![i] as typeof joint
      const moved = (motion: RigidMotion): typeof joint => {
        const copy = { ...joint }
        moveJoint(copy, joint, motion)
        return copy
      }
      if (a) target.anchor = moved(a).anchor
      if (b) target.anchorB = moved(b).anchorB
    } else if (a && b) {
      moveJoint(draft.joints![i] as Joint, joint, a)
    }
  })
}

/** Writes new poses. @returns the motion of each body and instance */
export function writePoses(draft: Scene, before: Scene, poses: ReadonlyMap<string, Pose>): Map<string, RigidMotion> {
  const motions = new Map<string, RigidMotion>()
  for (const collection of ['bodies', 'instances'] as const) {
    before[collection]?.forEach((from, i) => {
      const pose = poses.get(from.id)
      if (!pose) return
      motions.set(from.id, motionBetween(poseOf(from), pose))
      const target = draft[collection]![i]!
      if (pose.position.some((x, k) => x !== positionOf(from)[k])) target.position = [...pose.position]
      if (pose.orientation.some((x, k) => x !== orientationOf(from)[k])) target.orientation = [...pose.orientation]
    })
  }
  return motions
}

function motionBetween(from: Pose, to: Pose): RigidMotion {
  const rotation = normalizeQuaternion(multiplyQuaternions(to.orientation, conjugate(from.orientation)))
  return { pivot: from.position, rotation, shift: sub(to.position, from.position) }
}
