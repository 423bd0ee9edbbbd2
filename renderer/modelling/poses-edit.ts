/** New poses for some bodies, as an edit: joints wholly among them go with their body A, and ends of rods each with their own body. */

import type { Pose } from '../../core/math/pose'
import { conjugate, multiplyQuaternions, normalizeQuaternion } from '../../core/math/quaternion'
import { sub } from '../../core/math/vector'
import { indexOfIds, type Joint, type Scene } from '../../core/scene'
import { moveJoint, type RigidMotion } from '../viewport/gizmos/rigid-edit'
import { bodiesOf, orientationOf, poseOf, positionOf } from '../state/scene-access'

/** @param poses by body id, as they are to be: they are taken over to the last digit, so that what touches goes on touching */
export function applyPoses(draft: Scene, before: Scene, poses: ReadonlyMap<string, Pose>): void {
  const index = indexOfIds(bodiesOf(before))
  const motions = new Map<string, RigidMotion>()
  for (const [id, pose] of poses) {
    const body = bodiesOf(before)[index.get(id)!]!
    motions.set(id, motionBetween(poseOf(body), pose))
    const target = draft.bodies![index.get(id)!]!
    if (pose.position.some((x, k) => x !== positionOf(body)[k])) target.position = [...pose.position]
    if (pose.orientation.some((x, k) => x !== orientationOf(body)[k])) target.orientation = [...pose.orientation]
  }
  before.joints?.forEach((joint, i) => {
    if (joint.type === 'gear') return
    const [a, b] = [motions.get(joint.bodyA ?? ''), motions.get(joint.bodyB ?? '')]
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

function motionBetween(from: Pose, to: Pose): RigidMotion {
  const rotation = normalizeQuaternion(multiplyQuaternions(to.orientation, conjugate(from.orientation)))
  return { pivot: from.position, rotation, shift: sub(to.position, from.position) }
}
