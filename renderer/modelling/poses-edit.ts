/**
 * An edit that gives bodies, instances and deformables new poses: joints between them move with body A, each end of a rod with its own body, and a
 * deformable with the bodies that hold it alone.
 */

import type { Pose } from '../../core/math/pose'
import { conjugate, IDENTITY_ROTATION, multiplyQuaternions, normalizeQuaternion, rotate } from '../../core/math/quaternion'
import { bodiesOfDeformable, instanceAround, isCarriedBy, type Joint, type Scene } from '../../core/scene'
import { add, sub } from '../../core/math/vector'
import { centerOf } from '../../core/modelling'
import { moveJoint, movedDeformable, type RigidMotion } from '../viewport/gizmos/rigid-edit'
import { orientationOf, poseOf, positionOf } from '../state/scene-access'
import { wholeOf } from './pieces'

/**
 * @param poses new poses by id of a body, an instance or a deformable, whose frame is unturned at its centre. They are written with full precision, so that
 * touching bodies still touch.
 */
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

/** Writes new poses. @returns the motion of each body, instance and deformable */
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
  before.deformables?.forEach((from, i) => {
    const pose = poses.get(from.id)
    const motion = pose ? motionBetween({ position: centerOf(from), orientation: IDENTITY_ROTATION }, pose) : carriedMotion(before, from, motions)
    if (!motion) return
    if (pose) motions.set(from.id, motion)
    draft.deformables![i] = movedDeformable(from, motion)
  })
  return motions
}

/** The common motion of all bodies that hold a deformable; null where they move differently, or something else holds it too. */
function carriedMotion(before: Scene, deformable: NonNullable<Scene['deformables']>[number], motions: ReadonlyMap<string, RigidMotion>): RigidMotion | null {
  if (instanceAround(before, deformable.id) !== null || !isCarriedBy(deformable, id => motions.has(wholeOf(before, id)))) return null
  const [first, ...others] = bodiesOfDeformable(deformable).map(id => motions.get(wholeOf(before, id))!)
  return others.every(one => isSame(one, first!)) ? first! : null
}

/** m, and of a quaternion's components: rounding. */
const ROUNDING = 1e-9

function isSame(a: RigidMotion, b: RigidMotion): boolean {
  const near = (p: readonly number[], q: readonly number[]) => p.every((x, k) => Math.abs(x - q[k]!) < ROUNDING)
  const originOf = ({ pivot, rotation, shift }: RigidMotion) => add(sub(pivot, rotate(rotation, pivot)), shift)
  return near(a.rotation, b.rotation) && near(originOf(a), originOf(b))
}

function motionBetween(from: Pose, to: Pose): RigidMotion {
  const rotation = normalizeQuaternion(multiplyQuaternions(to.orientation, conjugate(from.orientation)))
  return { pivot: from.position, rotation, shift: sub(to.position, from.position) }
}
