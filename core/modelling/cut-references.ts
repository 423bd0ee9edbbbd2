/** Objects attached to a body that was cut in two: they move to the half that contains their point. */

import { deformableShape } from '../analysis/deformable-shape'
import { toOuter, type Pose } from '../math/pose'
import { addScaled, ZERO, type Vec3 } from '../math/vector'
import { resolveDeformable, type Deformable, type Force, type Joint, type Scene, type Sensor } from '../scene'

/** A body that was cut: `from` is the id of the half behind (and of the former whole), `to` that of the half in front. */
export interface Halved {
  readonly from: string
  readonly to: string
  /** Pose of the common frame of the halves. */
  readonly pose: Pose
  /** Centre of mass of the whole, world. */
  readonly center: Vec3
  /** Whether a point of the world is in front of the plane. */
  isFront(point: Vec3): boolean
  /** Position of the shape of this number after the cut; for a divided shape, of the part behind. */
  shapeAfter(index: number): { readonly front: boolean, readonly index: number }
}

/**
 * @param draft that already contains the halves
 * @param before the scene that was cut
 */
export function letReferencesFollow(draft: Scene, before: Scene, halved: Halved): void {
  for (const joint of draft.joints ?? []) followJoint(joint, halved)
  for (const force of draft.forces ?? []) followForce(force, halved)
  for (const sensor of draft.sensors ?? []) followSensor(sensor, halved)
  draft.deformables?.forEach(deformable => followDeformable(deformable, before, halved))
  for (const { collision } of draft.bodies ?? []) if (collision?.except) collision.except = withBoth(collision.except, halved)
}

const withBoth = (ids: readonly string[], { from, to }: Halved): string[] => ids.flatMap(id => id === from ? [from, to] : [id])

/** The half that contains a point of the world, or of the body's frame. */
const idAt = (point: Vec3, { isFront, from, to }: Halved): string => isFront(point) ? to : from
const idAtOwn = (point: Vec3 | undefined, halved: Halved): string => idAt(toOuter(halved.pose, point ?? ZERO), halved)

function followJoint(joint: Joint, halved: Halved): void {
  if (joint.type === 'gear') return
  if (joint.bodyA === halved.from) joint.bodyA = idAt(joint.anchor, halved)
  if (joint.bodyB === halved.from) joint.bodyB = idAt(joint.type === 'distance' ? joint.anchorB : joint.anchor, halved)
}

/** Torques, and forces at the centre of mass, go to the half that contains the centre of mass of the whole. */
function followForce(force: Force, halved: Halved): void {
  const { from } = halved
  const atCenter = () => idAt(halved.center, halved)
  if ('bodies' in force && force.bodies) force.bodies = withBoth(force.bodies, halved)
  switch (force.type) {
    case 'point':
      if (force.body === from) force.body = idAtOwn(force.point, halved)
      return
    case 'torque':
      if (force.body === from) force.body = atCenter()
      return
    case 'keyframed':
      if (force.body === from) force.body = force.point ? idAtOwn(force.point, halved) : atCenter()
      return
    case 'spring':
      if (force.bodyA === from) force.bodyA = idAtOwn(force.pointA, halved)
      if (force.bodyB === from) force.bodyB = idAtOwn(force.pointB, halved)
      return
    case 'attractor':
      if (force.body === from) force.body = idAtOwn(force.center, halved)
      return
    case 'guide':
      for (const key of force.keys) {
        if (key.body === from) key.body = idAtOwn(key.point, halved)
        if (key.on === from) key.on = idAtOwn(key.target, halved)
      }
  }
}

function followSensor(sensor: Sensor, halved: Halved): void {
  if (sensor.type === 'joint' || sensor.body !== halved.from) return
  if (sensor.type !== 'contact') sensor.body = idAtOwn(sensor.position, halved)
  else if (sensor.shape !== undefined) {
    const { front, index } = halved.shapeAfter(sensor.shape)
    sensor.body = front ? halved.to : halved.from
    sensor.shape = index
  }
}

function followDeformable(deformable: Deformable, before: Scene, halved: Halved): void {
  const held = deformable.attachments?.filter(({ body }) => body === halved.from) ?? []
  if (held.length > 0) {
    const { vertices, triangles } = deformableShape(resolveDeformable(before.deformables!.find(({ id }) => id === deformable.id)!))
    for (const one of held) {
      const corners = one.triangle === undefined ? [one.vertex!] : triangles[one.triangle]!
      const weights = one.triangle === undefined ? [1] : one.weights ?? [1 / 3, 1 / 3, 1 / 3]
      one.body = one.point ? idAtOwn(one.point, halved) : idAt(corners.reduce<Vec3>((sum, v, k) => addScaled(sum, vertices[v]!, weights[k]!), ZERO), halved)
    }
  }
  if (deformable.type !== 'hair') return
  for (const strand of deformable.strands) if (strand.body === halved.from) strand.body = idAt(strand.points[0]!, halved)
}
