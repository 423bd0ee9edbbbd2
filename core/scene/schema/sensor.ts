import * as z from 'zod'
import { bodyOrWorld, direction, id, integer, name, nonNegative, orientation, positive, reference, vector } from './field'
import { expressions } from './parameter'

const named = { id: id(), name: name().optional(), expressions: expressions() }
const body = reference('bodies', { label: 'Body', help: 'Body that carries it.' })
const position = vector({ label: 'Position', unit: 'm', step: 0.01, help: 'In the body frame.' }).default([0, 0, 0])
const axes = orientation({ label: 'Orientation', help: 'Orientation of the sensor\'s axes in the body frame: unit quaternion [x, y, z, w].' }).default([0, 0, 0, 1])
const noise = (unit: string, label = 'Noise') => nonNegative({ label, unit, step: 0.001, help: 'Standard deviation of each component: normal distribution, repeatable by the seed.' }).default(0)

export const imuSensorSchema = z.strictObject({
  ...named, type: z.literal('imu'), body, position, orientation: axes, noise: noise('m/s²'), rateNoise: noise('rad/s', 'Noise of the rate'),
}).meta({
  title: 'Inertial sensor', description: 'Specific force (acceleration less gravity, m/s²) and angular rate (rad/s) at a point of a body, in the sensor\'s axes.',
})

export const jointSensorSchema = z.strictObject({
  ...named, type: z.literal('joint'), joint: reference('joints', { label: 'Joint' }), noise: noise('N'), torqueNoise: noise('N m', 'Noise of the torque'),
}).meta({ title: 'Joint sensor', description: 'Reaction of a joint on its body A: force (N) and torque about the anchor (N m), in the world frame.' })

export const contactSensorSchema = z.strictObject({
  ...named, type: z.literal('contact'), body,
  shape: integer(0, 100_000, { label: 'Shape', help: 'Number of the shape, from 0. Absent: all shapes.', absent: 'all shapes' }).optional(),
  noise: noise('N'),
}).meta({ title: 'Contact sensor', description: 'Sum of the contact forces on a body, or on one of its shapes (N), in the world frame.' })

export const rangeSensorSchema = z.strictObject({
  ...named, type: z.literal('range'),
  body: bodyOrWorld({ label: 'Body', help: 'Body that carries it and does not block it; null for the world.' }),
  position, direction: direction({ label: 'Direction', help: 'Of the ray, in the body frame; need not be a unit vector.' }),
  maximum: positive({ label: 'Maximum', unit: 'm', step: 0.1, help: 'Value if nothing is hit.' }).default(10),
  noise: noise('m'),
}).meta({ title: 'Range sensor', description: 'Distance (m) along a ray to the nearest shape of any other body.' })

export const poseSensorSchema = z.strictObject({
  ...named, type: z.literal('pose'), body, position, orientation: axes, noise: noise('m'),
}).meta({ title: 'Pose sensor', description: 'Position of a point of a body (m) and orientation of the sensor\'s axes (quaternion), in the world frame.' })

export const sensorSchema = z.discriminatedUnion('type', [imuSensorSchema, jointSensorSchema, contactSensorSchema, rangeSensorSchema, poseSensorSchema])
