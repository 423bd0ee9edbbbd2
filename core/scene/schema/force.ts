import * as z from 'zod'
import { bodyOrWorld, choice, described, flag, id, integer, name, nonNegative, positive, real, reference, vector, within } from './field'
import { expressions } from './parameter'

const named = { id: id(), name: name().optional(), expressions: expressions() }

const bodies = described(z.array(reference('bodies', { label: 'Body' })).min(1), {
  label: 'Bodies', reference: 'bodies', help: 'Bodies with this force. Absent: every dynamic body if no deformables are listed, otherwise none.',
}).optional()
const deformables = described(z.array(reference('deformables', { label: 'Deformable' })), {
  label: 'Deformables', reference: 'deformables', help: 'Deformables with this force, distributed by mass. Absent: all if no bodies are listed, otherwise none.',
}).optional()
const body = reference('bodies', { label: 'Body' })
const frame = choice(['world', 'body'], { label: 'Frame', help: 'Frame in which the vector has a constant direction.' }).default('world')
const force = vector({ label: 'Force', unit: 'N', step: 0.1 })

export const uniformForceSchema = z.strictObject({ ...named, type: z.literal('uniform'), bodies, deformables, force }).meta({
  title: 'Uniform force',
  description: 'The same constant force on each body, at its centre of mass, and on each deformable, distributed by mass; in the world frame.',
})

export const pointForceSchema = z.strictObject({
  ...named, type: z.literal('point'), body,
  point: vector({ label: 'Point', unit: 'm', step: 0.01, help: 'Point of application, in the body frame.' }),
  force, frame,
}).meta({
  title: 'Force at a point',
  description: 'A constant force at a point of a body.',
})

export const torqueSchema = z.strictObject({
  ...named, type: z.literal('torque'), body, torque: vector({ label: 'Torque', unit: 'N m', step: 0.1 }), frame,
}).meta({
  title: 'Torque',
  description: 'A constant torque.',
})

export const dragSchema = z.strictObject({
  ...named, type: z.literal('drag'), bodies, deformables,
  linear: nonNegative({ label: 'Linear', unit: 'N s/m', step: 0.01 }).default(0),
  quadratic: nonNegative({ label: 'Quadratic', unit: 'N s²/m²', step: 0.01 }).default(0),
  angular: nonNegative({ label: 'Angular', unit: 'N m s/rad', step: 0.01 }).default(0),
}).meta({
  title: 'Drag',
  description: 'F = −(linear + quadratic |v|) v at the centre of mass, and the torque −angular ω. A deformable distributes it over its particles by mass, each with its own velocity.',
})

export const springSchema = z.strictObject({
  ...named, type: z.literal('spring'),
  bodyA: bodyOrWorld({ label: 'Body A', help: 'Null for the world.' }),
  pointA: vector({ label: 'Point on A', unit: 'm', step: 0.01, help: 'In A\'s body frame; in the world frame if A is the world.' }).default([0, 0, 0]),
  bodyB: bodyOrWorld({ label: 'Body B', help: 'Null for the world.' }),
  pointB: vector({ label: 'Point on B', unit: 'm', step: 0.01, help: 'In B\'s body frame; in the world frame if B is the world.' }).default([0, 0, 0]),
  stiffness: nonNegative({ label: 'Stiffness', unit: 'N/m', step: 1 }),
  damping: nonNegative({ label: 'Damping', unit: 'N s/m', step: 0.1 }).default(0),
  restLength: nonNegative({ label: 'Rest length', unit: 'm', step: 0.01, help: 'Absent: the distance of the points at the initial pose.' }).optional(),
}).meta({
  title: 'Spring',
  description: 'A spring with damping between two body points: with its length l and the unit vector u from B to A, the force on A is '
    + '−(stiffness (l − restLength) + damping l̇) u.',
})

export const attractorSchema = z.strictObject({
  ...named, type: z.literal('attractor'), bodies, deformables,
  center: vector({ label: 'Centre', unit: 'm', step: 0.01, help: 'In the frame of the body that carries it; otherwise in the world frame.' }).default([0, 0, 0]),
  body: bodyOrWorld({ label: 'On body', help: 'The body that carries the centre; null for the world.' }).default(null),
  strength: real({ label: 'Strength', unit: 'm^(exponent + 1)/s²', step: 0.1, help: 'Acceleration at 1 m without softening; negative repels.' }),
  exponent: within(-4, 8, { label: 'Exponent', step: 1, help: 'The attraction falls with this power of the distance.' }).default(2),
  softening: nonNegative({ label: 'Softening', unit: 'm', step: 0.01, help: 'Keeps the force finite at the centre.' }).default(0),
}).meta({
  title: 'Attractor',
  description: 'Attraction to a centre: with d from the centre to the centre of mass and s the softening, the force is '
    + '−m strength d (|d|² + s²)^(−(exponent + 1)/2). Exponent 2 is gravitation with strength GM, −1 a harmonic force. If the centre is on '
    + 'a dynamic body, the opposite force acts on that body there.',
})

const interaction = {
  deformables: described(z.array(reference('deformables', { label: 'Deformable' })).min(1), {
    label: 'Deformables', reference: 'deformables', help: 'Deformables whose particles interact. Absent: all.',
  }).optional(),
  cutOff: positive({ label: 'Cut-off', unit: 'm', step: 0.01, help: 'Distance from which the force is 0.' }),
  within: flag({ label: 'Within a deformable', help: 'Particles of one deformable interact too, not only those of different ones.' }).default(true),
}

export const pairForceSchema = z.strictObject({
  ...named, type: z.literal('pair'), ...interaction,
  energy: real({ label: 'Energy', unit: 'J', step: 0.01, help: 'Of two particles at the same place. Positive repels, negative attracts.' }),
}).meta({
  title: 'Attraction or repulsion',
  description: 'Attraction or repulsion of each two particles of deformables nearer than the cut-off r_c, with the potential energy × (1 − r²/r_c²)³.',
})

export const lennardJonesSchema = z.strictObject({
  ...named, type: z.literal('lennard-jones'), ...interaction,
  depth: positive({ label: 'Depth', unit: 'J', step: 0.01, help: 'ε: depth of the well.' }),
  diameter: positive({ label: 'Diameter', unit: 'm', step: 0.01, help: 'σ: distance at which the potential changes its sign. Its minimum is at 2^(1/6) σ.' }),
}).meta({
  title: 'Lennard-Jones force',
  description: 'U = 4 ε ((σ/r)¹² − (σ/r)⁶) between each two particles of deformables nearer than the cut-off r_c: repulsion when near, attraction farther away. '
    + 'Shifted to U(r) − U(r_c) − U′(r_c) (r − r_c), so that force and energy vanish at the cut-off.',
})

export const windSchema = z.strictObject({
  ...named, type: z.literal('wind'), bodies, deformables,
  velocity: vector({ label: 'Velocity', unit: 'm/s', step: 0.1, help: 'Of the air, in the world frame.' }),
  linear: nonNegative({ label: 'Linear', unit: 'N s/m', step: 0.01 }).default(0),
  quadratic: nonNegative({ label: 'Quadratic', unit: 'N s²/m²', step: 0.01, help: '½ ρ c A: half of density × drag coefficient × area.' }).default(0),
  box: described(z.strictObject({
    min: vector({ label: 'Lower corner', unit: 'm', step: 0.1 }),
    max: vector({ label: 'Upper corner', unit: 'm', step: 0.1 }),
  }), { label: 'Box', help: 'Region of the wind, in the world frame. Absent: everywhere.' }).optional(),
  falloff: nonNegative({ label: 'Falloff', unit: 'm', step: 0.01, help: 'Depth inside each face over which the wind rises to its full strength.' }).default(0),
}).meta({
  title: 'Wind',
  description: 'Moving air, everywhere or in an axis-aligned box: with u = v − velocity, F = −w (linear + quadratic |u|) u at the centre of mass. The '
    + 'weight w is 0 outside, 1 inside, and rises as 3s² − 2s³ over the depth falloff inside each face; it is the product over the axes. '
    + 'Ropes, hair and particles distribute it over their particles by mass. On each triangle of a cloth, by area, F acts along the normal with the normal part of u: a sheet perpendicular to the wind has the force of a body with these coefficients.',
})

const key = z.strictObject({
  time: nonNegative({ label: 'Time', unit: 's', step: 0.01 }),
  force: force.default([0, 0, 0]),
  torque: vector({ label: 'Torque', unit: 'N m', step: 0.1 }).default([0, 0, 0]),
})

export const keyframedForceSchema = z.strictObject({
  ...named, type: z.literal('keyframed'), body,
  point: vector({ label: 'Point', unit: 'm', step: 0.01, help: 'Point of application, in the body frame. Absent: the centre of mass.' }).optional(),
  frame,
  interpolation: choice(['linear', 'cubic'], { label: 'Interpolation' }).default('linear'),
  outside: choice(['hold', 'zero'], { label: 'Outside', help: 'Before the first and after the last key: that key\'s value, or no force.' }).default('hold'),
  keys: described(z.array(key).min(1), { label: 'Keys' }),
}).meta({
  title: 'Keyframed force',
  description: 'Force and torque at non-decreasing key times. Two keys at one time are a jump: the first applies up to that time, the second from '
    + 'it on. Cubic is the Hermite interpolant with slope (p₊ − p₋)/(t₊ − t₋) at inner keys and the slope of the chord at ends and jumps.',
})

const guideKey = z.strictObject({
  time: nonNegative({ label: 'Time', unit: 's', step: 0.01, help: 'Start time of the key.' }),
  body: described(reference('bodies', { label: 'Body' }).nullable(), { label: 'Body', reference: 'bodies', help: 'Null: no body is pulled from this time on.' }),
  deformable: reference('deformables', { label: 'Deformable', help: 'Deformable whose particle is pulled instead of a body.' }).optional(),
  particle: integer(0, 1e9, { label: 'Particle', help: 'Particle of the deformable, from 0. Absent: the first.', absent: 'the first' }).optional(),
  point: vector({ label: 'Point', unit: 'm', step: 0.01, help: 'Pulled point, in the body frame.' }).default([0, 0, 0]),
  target: vector({ label: 'Target', unit: 'm', step: 0.01, help: 'In the frame of the body that carries it; otherwise in the world frame.' }).default([0, 0, 0]),
  on: reference('bodies', { label: 'On body', help: 'Body that carries the target and gets the opposite force there. Absent: the target is a point of the world.' }).optional(),
  length: nonNegative({ label: 'Length', unit: 'm', step: 0.01, help: 'Rest length of a spring between the points. Absent: 0.', absent: '0' }).optional(),
  stiffness: nonNegative({ label: 'Stiffness', unit: 'N/m', step: 1 }).default(0),
  damping: nonNegative({ label: 'Damping', unit: 'N s/m', step: 0.1 }).default(0),
}).meta({ title: 'Key' })

export const guideForceSchema = z.strictObject({
  ...named, type: z.literal('guide'), keys: described(z.array(guideKey), { label: 'Keys', help: 'Each key holds until the next; times must not decrease.' }),
}).meta({
  title: 'Guide',
  description: 'A hand: from each key on a point p of a body, or a particle, is pulled to the key\'s target by F = stiffness (target − p) − damping × (velocity of p relative to '
    + 'the target); with a length, by a spring of that length along the line of the two. Target, stiffness and damping blend '
    + 'to those of a new key within 1/30 s, from those of the last key if it held the same point, otherwise from zero force. Drags, throws and nails of '
    + 'a live session are stored as this force.',
})

export const scriptForceSchema = z.strictObject({
  ...named, type: z.literal('script'), script: reference('scripts', { label: 'Script' }),
}).meta({
  title: 'Script force',
  description: 'Force computed by a script as a pure function of time and state, or commands of a controller at its instants.',
})

export const forceSchema = z.discriminatedUnion('type', [
  uniformForceSchema, pointForceSchema, torqueSchema, dragSchema, springSchema, attractorSchema, windSchema,
  pairForceSchema, lennardJonesSchema, keyframedForceSchema, guideForceSchema,
  scriptForceSchema,
])

/** A script: TypeScript source, at most 256 KiB of UTF-8. */
export const scriptSchema = z.strictObject({
  id: id(),
  name: name().optional(),
  source: described(z.string(), { label: 'Source', control: 'code', help: 'TypeScript with a default export (ctx: ForceContext) => void, or with period and control(ctx: ControlContext), called at instants.' }),
})
