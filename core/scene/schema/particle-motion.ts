import * as z from 'zod'
import { described, integer, points, positive, vector } from './field'

const period = positive({ label: 'Period', unit: 's', step: 0.1, help: 'Time of one round.' })

/** How controlled vertices move: displacements from their initial positions, in the world frame. */
export const particleMotionSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('keys'),
    keys: described(z.array(z.strictObject({
      time: positive({ label: 'Time', unit: 's', step: 0.1 }),
      offset: vector({ label: 'Offset', unit: 'm', step: 0.01, help: 'From the initial position, in the world frame.' }),
    }).meta({ title: 'Motion key' })).min(1), {
      label: 'Keys', help: 'They move smoothly from rest at their initial positions, without overshoot, and stay at the last key.',
    }),
  }).meta({ title: 'Keys', description: 'Through offsets at times.' }),
  z.strictObject({
    type: z.literal('ellipse'),
    semiAxisA: vector({ label: 'First semi-axis', unit: 'm', step: 0.01, help: 'With zero, the motion is harmonic along the second.' }).default([0, 0, 0]),
    semiAxisB: vector({ label: 'Second semi-axis', unit: 'm', step: 0.01 }),
    period,
  }).meta({ title: 'Ellipse', description: 'Displacement (cos φ − 1) semiAxisA + sin φ semiAxisB with φ = 2π t/period.' }),
  z.strictObject({
    type: z.literal('loop'),
    points: points(2, { label: 'Offsets', help: 'The closed path passes through the initial position and these offsets from it.' }),
    period,
  }).meta({ title: 'Loop', description: 'Along the closed cubic spline through the initial position and the offsets, with the chord length as parameter.' }),
])

export const controlSchema = z.strictObject({
  vertices: described(z.array(integer(0, 2147483647, { label: 'Vertex' })).min(1), { label: 'Vertices', help: 'Numbers of vertices that move together.' }),
  motion: described(particleMotionSchema, { label: 'Motion', help: 'Their displacement as a function of time. Forces do not change it.' }),
}).meta({ title: 'Controlled vertices' })
