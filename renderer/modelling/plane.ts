/** Scenes in two dimensions: edits restricted to the plane of motion, y = 0, and conversion of a scene to it. */

import type { Quat } from '../../core/math/quaternion'
import { rotate } from '../../core/math/quaternion'
import type { Vec3 } from '../../core/math/vector'
import type { Body, Joint, Scene, Shape } from '../../core/scene'
import type { HandleId } from '../viewport/gizmos/handles'

/** Rotation of the z axis to the y axis. */
const ALONG_Y: Quat = [Math.SQRT1_2, 0, 0, Math.SQRT1_2]

export const isPlanar = (scene: Scene): boolean => scene.simulation?.dimensions === 2

/** A new shape oriented for the plane: a cylinder along y is a disc. */
export function planarShape(shape: Shape): Shape {
  return shape.type === 'cylinder' ? { ...shape, orientation: ALONG_Y } : shape
}

/** Whether a handle moves and turns within the plane. */
export function handleInPlane(id: HandleId): boolean {
  switch (id.kind) {
    case 'axis': return id.axis !== 1
    case 'plane':
    case 'ring': return id.axis === 1
    case 'viewRing': return false
    case 'free':
    case 'size': return true
  }
}

/** The part of a motion within the plane. */
export function motionInPlane<Motion extends { readonly rotation: Quat, readonly shift: Vec3 }>(motion: Motion): Motion {
  return { ...motion, rotation: aboutY(motion.rotation), shift: flat(motion.shift) }
}

/** The rotation about y in an orientation; none if it is upside down. */
function aboutY([, y, , w]: Quat): Quat {
  const size = Math.sqrt(y * y + w * w)
  return size > 0 ? [0, y / size, 0, w / size] : [0, 0, 0, 1]
}

const flat = ([x, , z]: Vec3): Vec3 => [x, 0, z]

/**
 * Converts a scene to two dimensions: positions, rotations and velocities lose their components out of the plane, cylinders and hinge axes are
 * turned along y.
 */
export function layIntoPlane(draft: Scene): void {
  draft.simulation = { ...draft.simulation, dimensions: 2 }
  if (draft.gravity) draft.gravity = flat(draft.gravity)
  for (const key of draft.gravityKeys ?? []) key.gravity = flat(key.gravity)
  for (const body of draft.bodies ?? []) layBody(body)
  for (const joint of draft.joints ?? []) layJoint(joint)
}

function layBody(body: Body): void {
  if (body.position) body.position = flat(body.position)
  if (body.orientation) body.orientation = aboutY(body.orientation)
  if (body.linearVelocity) body.linearVelocity = flat(body.linearVelocity)
  if (body.angularVelocity) body.angularVelocity = [0, body.angularVelocity[1], 0]
  for (const key of body.path ?? []) {
    if (key.position) key.position = flat(key.position)
    if (key.orientation) key.orientation = aboutY(key.orientation)
  }
  for (const shape of body.shapes ?? []) {
    if (shape.position) shape.position = flat(shape.position)
    if (shape.type === 'cylinder' && Math.abs(rotate(shape.orientation ?? [0, 0, 0, 1], [0, 0, 1])[1]) < 1) shape.orientation = ALONG_Y
  }
}

function layJoint(joint: Joint): void {
  if (joint.type === 'gear') return
  joint.anchor = flat(joint.anchor)
  if (joint.type === 'distance') joint.anchorB = flat(joint.anchorB)
  if (joint.type === 'hinge') joint.axis = [0, joint.axis[1] < 0 ? -1 : 1, 0]
  if (joint.type === 'slider') joint.axis = flat(joint.axis)
}
