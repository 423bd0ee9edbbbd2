import * as z from 'zod'
import { choice, described, id, inertia, integer, name, nonNegative, orientation, positive, reference, vector, type FieldMeta } from './field'
import { expressions } from './parameter'
import { memberOf } from './group'
import { shapeSchema } from './shape'
import { visualSchema } from './visual'

/**
 * Mass properties that replace those from shapes and densities. Each key overrides independently: mass without inertia scales the shapes' inertia
 * with the mass; an absent centre of mass is that of the shapes. Without shapes, mass and inertia are both needed.
 */
export const massSchema = z.strictObject({
  mass: positive({ label: 'Mass', unit: 'kg', step: 0.1 }).optional(),
  centerOfMass: vector({ label: 'Centre of mass', unit: 'm', step: 0.01, help: 'In the body frame.' }).optional(),
  inertia: inertia({ label: 'Inertia', unit: 'kg m²', step: 0.01, help: 'xx, yy, zz, xy, xz, yz of the tensor about the centre of mass, in body axes.' })
    .optional(),
})

/** The mask of a body that touches all groups. */
export const ALL_GROUPS = 0xffffffff

const bits = (meta: FieldMeta) => integer(0, ALL_GROUPS, meta)

/** Two bodies may touch if one of them is in a group of the other's mask, (groups A & mask B) | (groups B & mask A) ≠ 0, and neither excepts the other. */
export const collisionSchema = z.strictObject({
  groups: bits({ label: 'Groups', help: 'Groups of the body: the sum of 1, 2, 4, 8, … for the first, second, third, fourth group.' }).default(1),
  mask: bits({ label: 'Touches', help: 'Groups whose bodies it touches, summed as above. Two bodies touch if either touches a group of the other.' })
    .default(ALL_GROUPS),
  except: described(z.array(reference('bodies', { label: 'Body' })), {
    label: 'Passes through', reference: 'bodies', help: 'Bodies that it does not touch, regardless of groups. One of the two bodies has to list the other.',
  }).default([]),
})

const pathKey = z.strictObject({
  time: nonNegative({ label: 'Time', unit: 's', step: 0.1 }),
  position: vector({ label: 'Position', unit: 'm', step: 0.01, help: 'Of the body frame\'s origin in the world.' }).optional(),
  orientation: orientation({ label: 'Orientation', help: 'Of the body frame in the world: unit quaternion [x, y, z, w].' }).optional(),
}).meta({ title: 'Path key' })

export const bodySchema = z.strictObject({
  id: id(),
  name: name().optional(),
  expressions: expressions(),
  group: memberOf(),
  type: choice(['dynamic', 'fixed', 'kinematic'], {
    label: 'Type', help: 'Dynamic bodies obey forces, fixed ones never move, kinematic ones keep their velocity regardless of contacts.',
  }).default('dynamic'),
  position: vector({ label: 'Position', unit: 'm', step: 0.01, help: 'Of the body frame\'s origin in the world.' }).default([0, 0, 0]),
  orientation: orientation({ label: 'Orientation', help: 'Of the body frame in the world: unit quaternion [x, y, z, w].' }).default([0, 0, 0, 1]),
  linearVelocity: vector({ label: 'Linear velocity', unit: 'm/s', step: 0.1, help: 'Of the centre of mass, in the world frame.' }).default([0, 0, 0]),
  angularVelocity: vector({ label: 'Angular velocity', unit: 'rad/s', step: 0.1, help: 'In the world frame.' }).default([0, 0, 0]),
  path: described(z.array(pathKey).min(1), {
    label: 'Path', help: 'Poses of a kinematic body at later times. It moves smoothly from its initial pose without overshoot and stays at the last key; '
      + 'a key without position or orientation keeps the previous one. Between two keys it takes the shorter rotation.',
  }).optional(),
  spawnTime: nonNegative({ label: 'Spawn time', unit: 's', step: 0.1, help: 'The body does not exist before this time.' }).default(0),
  removeTime: positive({ label: 'Removal time', unit: 's', step: 0.1, help: 'The body does not exist from this time on. Absent: it is not removed.', absent: 'never' }).optional(),
  shapes: described(z.array(shapeSchema), { label: 'Shapes', help: 'Solids rigidly attached to the body frame.' }).default([]),
  collision: described(collisionSchema, { label: 'Collision groups', help: 'Bodies that it touches. Absent: in the first group, touching all.' }).optional(),
  visuals: described(z.array(visualSchema), {
    label: 'Visuals', help: 'Appearance of the body instead of its shapes. Mass and contact come from the shapes only. Absent: the shapes are drawn.',
  }).optional(),
  mass: described(massSchema, { label: 'Mass properties', help: 'Absent: from the shapes and their densities.' }).optional(),
})
