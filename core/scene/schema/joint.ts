import * as z from 'zod'
import { bodyOrWorld, choice, described, direction, flag, formula, id, name, nonNegative, orientation, points, positive, range, real, reference, vector } from './field'
import { expressions } from './parameter'

const named = { id: id(), name: name().optional(), expressions: expressions() }

const pose = (side: 'A' | 'B') => described(z.strictObject({
  position: vector({ label: 'Position', unit: 'm', step: 0.01 }), orientation: orientation({ label: 'Orientation' }).default([0, 0, 0, 1]),
}), { label: `Pose of body ${side}`, help: 'Pose for which anchor and axes are given. Absent: the initial pose.' })

const joined = {
  ...named,
  bodyA: bodyOrWorld({ label: 'Body A', help: 'Null for the world. Joint positions are those of A relative to B.' }),
  bodyB: bodyOrWorld({ label: 'Body B', help: 'Null for the world.' }),
  collide: flag({ label: 'Collide', help: 'Whether the two joined bodies may touch each other, also after the joint has broken.' }).default(false),
  breakForce: positive({
    label: 'Breaks at force', unit: 'N', step: 1, help: 'Magnitude of the reaction force at which the joint breaks permanently. Absent: unbreakable. The impulse of an event-driven '
      + 'impact is not a force and breaks nothing; in time-stepping it counts as a force over the step.', absent: 'never',
  }).optional(),
  breakTorque: positive({
    label: 'Breaks at torque', unit: 'N m', step: 0.1, help: 'Magnitude of the reaction torque about the anchor at which the joint breaks permanently. Absent: unbreakable.', absent: 'never',
  }).optional(),
  spawnTime: nonNegative({
    label: 'Spawn time', unit: 's', step: 0.1, help: 'The joint is inactive before this time. It then has to fit the poses of its bodies; incompatible velocities are removed by an impact. '
      + 'Bodies of such a joint may touch each other while it is inactive.', absent: 'from the start',
  }).optional(),
  removeTime: positive({ label: 'Removal time', unit: 's', step: 0.1, help: 'The joint is inactive from this time on.', absent: 'never' }).optional(),
  poseA: pose('A').optional(),
  poseB: pose('B').optional(),
}

const anchor = vector({
  label: 'Anchor', unit: 'm', step: 0.01, help: 'In the world frame, at the initial pose. The reaction reported acts on A here.',
})
const axis = direction({
  label: 'Axis', help: 'In the world frame, at the initial pose; need not be a unit vector. Positions are right-handed about it.',
})

const keyTime = nonNegative({ label: 'Time', unit: 's', step: 0.1 })
const HELD = 'Each key holds until the next.'

/** Loads along one free coordinate of a joint; u is the coordinate's unit (rad or m), N its force (N m or N). */
function freedom(u: 'rad' | 'm') {
  const force = u === 'rad' ? 'N m' : 'N'
  return {
    limits: described(z.strictObject({
      lower: real({ label: 'Lower limit', unit: u, step: 0.01, help: 'Absent: none on this side.', absent: 'none' }).optional(),
      upper: real({ label: 'Upper limit', unit: u, step: 0.01, help: 'Absent: none on this side.', absent: 'none' }).optional(),
    }), { label: 'Limits', help: 'Stops of the joint\'s position, which is 0 at the initial pose.' }).optional(),
    motor: described(z.strictObject({
      targetVelocity: real({ label: 'Target velocity', unit: `${u}/s`, step: 0.1 }).default(0),
      maxForce: nonNegative({ label: u === 'rad' ? 'Largest torque' : 'Largest force', unit: force, step: 0.1, help: 'Of the motor; 0 switches it off.' }),
      keys: described(z.array(z.strictObject({ time: keyTime, targetVelocity: real({ label: 'Target velocity', unit: `${u}/s`, step: 0.1 }) })).min(1), {
        label: 'Keys', help: `Target velocities at times. ${HELD}`,
      }).optional(),
    }), { label: 'Motor', help: 'Drives the joint at the target velocity, limited by the largest force; target 0 is a brake.' }).optional(),
    servo: described(z.strictObject({
      target: real({ label: 'Target', unit: u, step: 0.01, help: 'Target position, before the first key.' }).default(0),
      stiffness: nonNegative({ label: 'Stiffness', unit: `${force}/${u}`, step: 10 }),
      damping: nonNegative({ label: 'Damping', unit: `${force} s/${u}`, step: 1 }).default(0),
      maxForce: nonNegative({ label: u === 'rad' ? 'Largest torque' : 'Largest force', unit: force, step: 0.1, help: 'Absent: unlimited.', absent: 'unlimited' }).optional(),
      keys: described(z.array(z.strictObject({
        time: keyTime, target: real({ label: 'Target', unit: u, step: 0.01 }),
      })).min(1), { label: 'Keys', help: 'Targets at later times, interpolated smoothly without overshoot; the last one stays.' })
        .optional(),
      interpolation: choice({ smooth: 'smooth motion from one target to the next', hold: 'constant until the next target' }, {
        label: 'Between keys', help: 'Absent: smooth.', absent: 'smooth',
      }).optional(),
    }), { label: 'Servo', help: 'Holds a position: force = stiffness × (target − position) + damping × (target\'s velocity − velocity).' }).optional(),
    drive: described(z.strictObject({
      force: real({ label: u === 'rad' ? 'Torque' : 'Force', unit: force, step: 0.1, help: 'Before the first key.' }).default(0),
      keys: described(z.array(z.strictObject({ time: keyTime, force: real({ label: u === 'rad' ? 'Torque' : 'Force', unit: force, step: 0.1 }) })).min(1), {
        label: 'Keys', help: `${u === 'rad' ? 'Torques' : 'Forces'} at times. ${HELD}`,
      }).optional(),
    }), { label: 'Drive', help: `Applies a given ${u === 'rad' ? 'torque' : 'force'}, regardless of the motion.` }).optional(),
    damping: nonNegative({ label: 'Damping', unit: `${force} s/${u}`, step: 0.1, help: 'Viscous: force = −damping × velocity.' }).default(0),
    friction: nonNegative({ label: 'Friction', unit: force, step: 0.1, help: 'Coulomb: at most this, against the motion.' }).default(0),
    spring: described(z.strictObject({
      stiffness: nonNegative({ label: 'Stiffness', unit: `${force}/${u}`, step: 1 }).default(0),
      rest: real({ label: 'Rest position', unit: u, step: 0.01 }).default(0),
    }), { label: 'Spring', help: 'force = −stiffness × (position − rest).' }).prefault({}),
  }
}

const freedomOf = (u: 'rad' | 'm', label: string) => described(z.strictObject(freedom(u)), { label }).prefault({})

export const ballJointSchema = z.strictObject({
  ...joined, type: z.literal('ball'), anchor,
  damping: nonNegative({ label: 'Damping', unit: 'N m s/rad', step: 0.1, help: 'Viscous: torque = −damping × relative angular velocity.' }).default(0),
  friction: nonNegative({ label: 'Friction', unit: 'N m', step: 0.1, help: 'Coulomb: a torque of at most this, against the rotation.' }).default(0),
}).meta({ title: 'Ball joint' })

export const hingeJointSchema = z.strictObject({ ...joined, type: z.literal('hinge'), anchor, axis, ...freedom('rad') }).meta({ title: 'Hinge' })
export const sliderJointSchema = z.strictObject({ ...joined, type: z.literal('slider'), anchor, axis, ...freedom('m') }).meta({ title: 'Slider' })
export const fixedJointSchema = z.strictObject({ ...joined, type: z.literal('fixed'), anchor }).meta({ title: 'Fixed joint' })

export const universalJointSchema = z.strictObject({
  ...joined, type: z.literal('universal'), anchor,
  axisA: direction({ label: 'Axis on A', help: 'Fixed in A; in the world frame, at the initial pose. The two axes stay perpendicular.' }),
  axisB: direction({ label: 'Axis on B', help: 'Fixed in B; in the world frame, at the initial pose. Perpendicular to the axis on A.' }),
  rotationA: freedomOf('rad', 'Rotation about the axis on A'),
  rotationB: freedomOf('rad', 'Rotation about the axis on B'),
}).meta({ title: 'Universal joint' })

export const cylindricalJointSchema = z.strictObject({
  ...joined, type: z.literal('cylindrical'), anchor, axis,
  rotation: freedomOf('rad', 'Rotation about the axis'),
  translation: freedomOf('m', 'Translation along the axis'),
}).meta({ title: 'Cylindrical joint' })

export const planarJointSchema = z.strictObject({
  ...joined, type: z.literal('planar'), anchor,
  normal: direction({ label: 'Normal', help: 'Of the plane in which A moves relative to B; in the world frame, at the initial pose.' }),
}).meta({ title: 'Planar joint' })

export const distanceJointSchema = z.strictObject({
  ...joined, type: z.literal('distance'),
  anchor: vector({ label: 'Anchor on A', unit: 'm', step: 0.01, help: 'In the world frame, at the initial pose.' }),
  anchorB: vector({ label: 'Anchor on B', unit: 'm', step: 0.01, help: 'In the world frame, at the initial pose.' }),
  length: positive({ label: 'Length', unit: 'm', step: 0.01, help: 'Of the rigid rod. Absent: the distance of the anchors at the initial pose.' })
    .optional(),
}).meta({ title: 'Distance' })

const curveHelp = 'In the world frame, at the initial pose; it moves with body B.'
const center = vector({ label: 'Centre', unit: 'm', step: 0.01, help: curveHelp })

/** Curves of a bead on a wire, all in the world frame at the initial pose and attached to body B; u is the curve's parameter. */
export const curveSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('line'),
    point: vector({ label: 'Point', unit: 'm', step: 0.01, help: curveHelp }),
    direction: direction({ label: 'Direction' }),
  }).meta({ title: 'Line', description: 'point + u direction/|direction|.' }),
  z.strictObject({
    type: z.literal('circle'), center, normal: direction({ label: 'Normal' }), radius: positive({ label: 'Radius', unit: 'm', step: 0.01 }),
  }).meta({ title: 'Circle', description: 'A circle in the plane through the centre with this normal.' }),
  z.strictObject({
    type: z.literal('ellipse'), center,
    semiAxisA: vector({ label: 'First semi-axis', unit: 'm', step: 0.01 }),
    semiAxisB: vector({ label: 'Second semi-axis', unit: 'm', step: 0.01, help: 'Perpendicular to the first.' }),
  }).meta({ title: 'Ellipse', description: 'center + cos u semiAxisA + sin u semiAxisB.' }),
  z.strictObject({
    type: z.literal('helix'), center, axis: direction({ label: 'Axis' }), radius: positive({ label: 'Radius', unit: 'm', step: 0.01 }),
    pitch: real({ label: 'Pitch', unit: 'm', step: 0.01, help: 'Rise in one turn; negative is left-handed.' }),
  }).meta({ title: 'Helix', description: 'A helix about the axis through the centre, right-handed for positive pitch.' }),
  z.strictObject({
    type: z.literal('spline'),
    points: points(2, { label: 'Points', help: 'The curve passes through each, with continuous curvature. A closed one needs at least 3.' }),
    closed: flag({ label: 'Closed' }).default(false),
  }).meta({
    title: 'Spline',
    description: 'The interpolating cubic spline through the points, with chord-length parameter: natural at its ends, or periodic if closed.',
  }),
  z.strictObject({
    type: z.literal('formula'), center,
    orientation: orientation({ label: 'Orientation', help: 'Of the axes of x, y and z in the world.' }).default([0, 0, 0, 1]),
    x: formula('X of u', 'm, in u: + - * / ^, sin cos tan atan exp log sqrt abs pow, pi.'),
    y: formula('Y of u', 'm'),
    z: formula('Z of u', 'm'),
    u: range('Range of u', 'Range for the search of the point of A and for drawing; the curve continues beyond it by its formulas.'),
  }).meta({ title: 'Formula', description: 'center + (x(u), y(u), z(u)): smooth, with a nonzero derivative in its range.' }),
])

export const pointOnCurveJointSchema = z.strictObject({
  ...joined, type: z.literal('pointOnCurve'),
  anchor: vector({ label: 'Anchor on A', unit: 'm', step: 0.01, help: 'The point of A that stays on the curve; in the world frame, at the initial pose.' }),
  curve: described(curveSchema, { label: 'Curve' }),
  damping: nonNegative({ label: 'Damping', unit: 'N s/m', step: 0.1, help: 'Viscous, along the curve.' }).default(0),
  friction: nonNegative({ label: 'Friction', unit: 'N', step: 0.1, help: 'Coulomb, along the curve: at most this force.' }).default(0),
}).meta({ title: 'Point on curve' })

export const gearJointSchema = z.strictObject({
  ...named, type: z.literal('gear'),
  jointA: reference('joints', { label: 'Joint A', help: 'A hinge or a slider.' }),
  jointB: reference('joints', { label: 'Joint B', help: 'A hinge or a slider.' }),
  ratio: real({ label: 'Ratio', step: 0.1, help: 'position of A = ratio × position of B; not 0. Negative for two wheels that mesh from outside.' }),
}).meta({ title: 'Gear', description: 'Keeps the positions of two hinges or sliders in a fixed ratio: position of A = ratio × position of B, each of its bodyA relative to its bodyB, which may move.' })

export const jointSchema = z.discriminatedUnion('type', [
  ballJointSchema, hingeJointSchema, sliderJointSchema, fixedJointSchema, universalJointSchema, cylindricalJointSchema, planarJointSchema,
  distanceJointSchema, pointOnCurveJointSchema, gearJointSchema,
])
