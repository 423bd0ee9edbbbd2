/** Where joints are now: their anchors and axes, given at the initial poses, carried along with the bodies. */

import { bodiesOf } from '../../state/scene-access'
import type { Joint } from '../../../core/scene'
import { toInner, toOuter, type Pose } from '../../../core/math/pose'
import { rotate, rotateInverse } from '../../../core/math/quaternion'
import type { Vec3 } from '../../../core/math/vector'
import type { PosedScene } from '../posed-scene'

export type BodyJoint = Exclude<Joint, { type: 'gear' }>

/** How a frame given at the initial poses has moved: with one of the bodies, or not at all with the world. */
export interface Carrier {
  /** Index of the body; −1 for the world. */
  readonly body: number
  readonly initial: Pose
  readonly now: Pose
}

const WORLD: Pose = { position: [0, 0, 0], orientation: [0, 0, 0, 1] }

/** @param given pose at which the joint is given; absent: the initial one */
function carrierOf(scene: PosedScene, id: string | null, given: BodyJoint['poseA']): Carrier | null {
  if (id === null) return { body: -1, initial: WORLD, now: WORLD }
  const body = scene.index.get(id)
  if (body === undefined || !scene.exists(body) || !bodiesOf(scene.scene)[body]) return null
  return { body, initial: given === undefined ? scene.initialPose(body) : { orientation: WORLD.orientation, ...given }, now: scene.pose(body) }
}

export function carryPoint(carrier: Carrier, point: Vec3): Vec3 {
  return toOuter(carrier.now, toInner(carrier.initial, point))
}

export function carryDirection(carrier: Carrier, direction: Vec3): Vec3 {
  return rotate(carrier.now.orientation, rotateInverse(carrier.initial.orientation, direction))
}

/** Both sides of a joint, or null where a body of it is not there. */
export function sidesOf(scene: PosedScene, joint: BodyJoint): { a: Carrier; b: Carrier } | null {
  const a = carrierOf(scene, joint.bodyA, joint.poseA)
  const b = carrierOf(scene, joint.bodyB, joint.poseB)
  return a && b ? { a, b } : null
}

/** The anchor on A, or on B where A is the world. */
export function anchorNow(scene: PosedScene, joint: BodyJoint): Vec3 | null {
  const sides = sidesOf(scene, joint)
  if (!sides) return null
  return carryPoint(sides.a.body >= 0 ? sides.a : sides.b, joint.anchor)
}
