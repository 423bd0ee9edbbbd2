/** Current poses of a scene's joints. */

import { bodiesOf } from '../../state/scene-access'
import type { Joint } from '../../../core/scene'
import type { Pose } from '../../../core/math/pose'
import type { Vec3 } from '../../../core/math/vector'
import { carryPoint, type Carrier } from '../../joints/carrier'
import type { PosedScene } from '../posed-scene'

export type BodyJoint = Exclude<Joint, { type: 'gear' }>

const WORLD: Pose = { position: [0, 0, 0], orientation: [0, 0, 0, 1] }

/** @param given pose at which the joint is defined; absent: the body's initial pose */
function carrierOf(scene: PosedScene, id: string | null, given: BodyJoint['poseA']): Carrier | null {
  if (id === null) return { body: -1, initial: WORLD, now: WORLD }
  const body = scene.index.get(id)
  if (body === undefined || !scene.exists(body) || !bodiesOf(scene.scene)[body]) return null
  return { body, initial: given === undefined ? scene.initialPose(body) : { orientation: WORLD.orientation, ...given }, now: scene.pose(body) }
}

/** Both sides of a joint; null if one of its bodies does not exist. */
export function sidesOf(scene: PosedScene, joint: BodyJoint): { a: Carrier; b: Carrier } | null {
  const a = carrierOf(scene, joint.bodyA, joint.poseA)
  const b = carrierOf(scene, joint.bodyB, joint.poseB)
  return a && b ? { a, b } : null
}

/** The anchor on A, or on B if A is the world. */
export function anchorNow(scene: PosedScene, joint: BodyJoint): Vec3 | null {
  const sides = sidesOf(scene, joint)
  if (!sides) return null
  return carryPoint(sides.a.body >= 0 ? sides.a : sides.b, joint.anchor)
}
