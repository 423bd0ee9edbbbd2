/** Moves and turns the selection by an edit of the document: bodies and deformables, and what belongs to selected bodies alone: joints and deformables. */

import { instanceAround, isCarriedBy, mappedDeformable, ownerOf, ownersIn, type Deformable, type Joint, type Scene } from '../../../core/scene'
import { IDENTITY_ROTATION, multiplyQuaternions, normalizeQuaternion, rotate, type Quat } from '../../../core/math/quaternion'
import { add, sub, type Vec3 } from '../../../core/math/vector'
import { isPlanar, motionInPlane } from '../../modelling/plane'
import { orientationOf, positionOf } from '../../state/scene-access'
import { tidy } from './snapping'

/** A rotation about the pivot followed by a translation; world frame. */
export interface RigidMotion {
  readonly pivot: Vec3
  readonly rotation: Quat
  readonly shift: Vec3
}

export function rotationAbout(axis: Vec3, angle: number): Quat {
  const s = Math.sin(angle / 2)
  return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)]
}

function movePoint(motion: RigidMotion, point: Vec3): Vec3 {
  const moved = add(add(motion.pivot, rotate(motion.rotation, sub(point, motion.pivot))), motion.shift)
  return [keep(moved[0], point[0]), keep(moved[1], point[1]), keep(moved[2], point[2])]
}

/** Keeps the former number if only rounding changed it. */
function keep(moved: number, former: number): number {
  return Math.abs(moved - former) <= 1e-12 * Math.max(1, Math.abs(former)) ? former : tidy(moved)
}

/** Applies the motion to the elements with these ids, reading from the scene as it was before the gesture. */
export function applyMotion(draft: Scene, before: Scene, ids: ReadonlySet<string>, motion: RigidMotion): void {
  if (isPlanar(before)) motion = motionInPlane(motion)
  const turns = motion.rotation[3] !== 1
  const move = (target: { position?: Vec3; orientation?: Quat }, from: { position?: Vec3; orientation?: Quat }) => {
    const position = movePoint(motion, positionOf(from))
    if (position.some((x, k) => x !== positionOf(from)[k])) target.position = position
    if (turns) target.orientation = normalizeQuaternion(multiplyQuaternions(motion.rotation, orientationOf(from))).map(tidy) as unknown as Quat
  }
  const owners = ownersIn(before)
  before.bodies?.forEach((body, i) => {
    if (ids.has(body.id) && ownerOf(owners, body.id) === null) move(draft.bodies![i]!, body)
  })
  // Parts of an instance move with the whole instance.
  const carried = new Set(before.instances ? [...ids].map(id => instanceAround(before, id) ?? id) : [])
  before.instances?.forEach((instance, i) => { if (carried.has(instance.id)) move(draft.instances![i]!, instance) })
  before.deformables?.forEach((deformable, i) => {
    const isMoved = (id: string) => ids.has(id) || carried.has(ownerOf(owners, id) ?? '')
    if (ownerOf(owners, deformable.id) !== null || (!ids.has(deformable.id) && !isCarriedBy(deformable, isMoved))) return
    draft.deformables![i] = movedDeformable(deformable, motion)
  })
  before.joints?.forEach((joint, i) => {
    if (ownerOf(owners, joint.id) === null && carriesJoint(joint, ids)) moveJoint(draft.joints![i] as Joint, joint, motion)
  })
}

export function movedDeformable(deformable: Deformable, motion: RigidMotion): Deformable {
  const turns = motion.rotation[3] !== 1
  return mappedDeformable(deformable, {
    point: point => movePoint(motion, point), direction: v => turns ? rotate(motion.rotation, v).map(tidy) as unknown as Vec3 : v,
  })
}

/** A joint moves if it is selected itself, or if all bodies that it joins are. */
function carriesJoint(joint: Joint, ids: ReadonlySet<string>): boolean {
  if (ids.has(joint.id)) return true
  if (joint.type === 'gear') return false
  const joined = [joint.bodyA, joint.bodyB].filter(id => id !== null)
  return joined.length === 2 && joined.every(id => ids.has(id))
}

export function moveJoint(target: Joint, from: Joint, motion: RigidMotion): void {
  // A joint given by its own body poses does not depend on the initial poses and stays.
  if (from.type !== 'gear' && (from.poseA || from.poseB)) return
  const to = target as unknown as Record<string, unknown>
  const source = from as unknown as Record<string, unknown>
  for (const key of ['anchor', 'anchorB']) if (Array.isArray(source[key])) to[key] = movePoint(motion, source[key] as unknown as Vec3)
  if (motion.rotation[3] !== 1) {
    for (const key of ['axis', 'axisA', 'axisB', 'normal']) {
      if (Array.isArray(source[key])) to[key] = rotate(motion.rotation, source[key] as unknown as Vec3).map(tidy)
    }
  }
  if (from.type === 'pointOnCurve') moveCurve(to.curve as Record<string, unknown>, from.curve as unknown as Record<string, unknown>, motion)
}

function moveCurve(target: Record<string, unknown>, source: Record<string, unknown>, motion: RigidMotion): void {
  for (const key of ['point', 'center']) if (Array.isArray(source[key])) target[key] = movePoint(motion, source[key] as unknown as Vec3)
  for (const key of ['direction', 'normal', 'axis', 'semiAxisA', 'semiAxisB']) {
    if (Array.isArray(source[key])) target[key] = rotate(motion.rotation, source[key] as unknown as Vec3).map(tidy)
  }
  if (source.type === 'formula') target.orientation = multiplyQuaternions(motion.rotation, (source.orientation ?? IDENTITY_ROTATION) as Quat).map(tidy)
  if (Array.isArray(source.points)) target.points = (source.points as Vec3[]).map(point => movePoint(motion, point))
}
