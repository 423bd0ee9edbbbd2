import * as z from 'zod'
import { bodyOrWorld, described, direction, faces, flag, id, integer, name, nonNegative, points, positive, reference, vector, within, type FieldMeta } from './field'
import { expressions } from './parameter'
import { CLOTH, HAIR, LARGEST_FACTOR, STIFFEST } from './deformable-limits'
import { behaviourSchema, constraintSchema } from './deformable-condition'
import { controlSchema } from './particle-motion'

/** Limit for springs, sheets and bending: above it the rounding of positions alone causes forces comparable to weights. */
const stiffness = (meta: FieldMeta) => within(0, STIFFEST, meta)
/** One number a vertex. */
const factors = (label: string, help: string) => described(z.array(within(0, LARGEST_FACTOR, { label: 'Factor', step: 0.1 })), { label, help }).optional()
const index = (meta: FieldMeta) => integer(0, 2147483647, meta)
const pair = <T extends z.ZodType<number, number>>(one: T) => z.tuple([one, one]) as unknown as z.ZodType<readonly [number, number], readonly [number, number]>

/** Exactly one of `vertex` and `triangle`; checked by rules, which give better messages than a union of objects. */
export const attachmentSchema = z.strictObject({
  vertex: index({ label: 'Vertex', help: 'Number of the held vertex. Either this or a triangle.', absent: 'none' }).optional(),
  triangle: index({ label: 'Triangle', help: 'Number of the triangle with the held point. Either this or a vertex.', absent: 'none' }).optional(),
  weights: vector({ label: 'Weights', step: 0.1, help: 'Of the triangle\'s corners, ≥ 0, sum 1: position of the point. Absent: the centre.' }).optional(),
  body: bodyOrWorld({ label: 'Body', help: 'Body that holds it; null for the world.' }),
  point: vector({ label: 'Point', unit: 'm', step: 0.01, help: 'In the body frame; in the world frame if the body is the world. Absent: the initial position.' }).optional(),
}).meta({ title: 'Attachment' })

const common = {
  id: id(),
  name: name().optional(),
  expressions: expressions(),
  material: reference('materials', { label: 'Material', help: 'Friction and restitution of its surface, density of ropes and hair, colour.' }),
  radius: positive({ label: 'Radius', unit: 'm', step: 0.001, help: 'Half its thickness: distance of the contact surface.' }).default(0.005),
  damping: nonNegative({
    label: 'Damping', unit: 's', step: 0.001, help: 'Time constant of stretching, shearing and bending: damping = this time × stiffness.',
  }).default(0),
  pins: described(z.array(index({ label: 'Vertex' })), { label: 'Pins', help: 'Numbers of vertices fixed to the world at their initial positions.' }).default([]),
  attachments: described(z.array(attachmentSchema), { label: 'Attachments',
    help: 'Vertices, or points of triangles, fixed to a point of a body. The body carries their reaction.' }).default([]),
  controlled: described(z.array(controlSchema), { label: 'Controlled', help: 'Vertices on prescribed paths, which forces do not change.' }).default([]),
  behaviours: described(z.array(behaviourSchema), { label: 'Behaviours',
    help: 'Energies k_s/2 C² with damping, which draw vertices to conditions C = 0.' }).default([]),
  constraints: described(z.array(constraintSchema), { label: 'Constraints',
    help: 'Conditions that hold exactly, by forces that are recorded as reactions. Without feedback they have to hold at the start.' }).default([]),
}
const velocity = vector({ label: 'Velocity', unit: 'm/s', step: 0.1, help: 'Of the whole deformable, at the start.' }).default([0, 0, 0])
const axial = stiffness({ label: 'Axial stiffness', unit: 'N', step: 100, help: 'EA: the tension divided by the strain.' })
const bending = stiffness({ label: 'Bending stiffness', unit: 'N m²', step: 0.001, help: 'EI: the moment divided by the curvature.' }).default(0)
const linearDensity = positive({ label: 'Linear density', unit: 'kg/m', step: 0.01,
  help: 'Absent: from the radius and the density of the material.' }).optional()

export const particlesSchema = z.strictObject({
  ...common, type: z.literal('particles'),
  particles: described(z.array(z.strictObject({
    position: vector({ label: 'Position', unit: 'm', step: 0.01 }),
    velocity: vector({ label: 'Velocity', unit: 'm/s', step: 0.1 }).default([0, 0, 0]),
    mass: positive({ label: 'Mass', unit: 'kg', step: 0.1 }),
  })).min(1), { label: 'Particles' }),
  springs: described(z.array(z.strictObject({
    a: index({ label: 'First' }), b: index({ label: 'Second' }),
    restLength: nonNegative({ label: 'Rest length', unit: 'm', step: 0.01 }),
    stiffness: stiffness({ label: 'Stiffness', unit: 'N/m', step: 1 }),
    damping: stiffness({ label: 'Damping', unit: 'N s/m', step: 0.1 }).default(0),
  })), { label: 'Springs', help: 'Between two particles, by their numbers.' }).default([]),
}).meta({ title: 'Particles', description: 'Masses, and springs with damping between them: lattices and other structures.' })

export const ropeSchema = z.strictObject({
  ...common, type: z.literal('rope'),
  points: points(2, { label: 'Points', help: 'Initial polyline of the rope, at its natural length.' }),
  segments: integer(1, 100_000, { label: 'Segments', help: 'Number of segments, as equal as the points allow. Vertices are numbered from the first end.' }).default(32),
  velocity, linearDensity,
  inextensible: flag({ label: 'Inextensible', help: 'The segments are rods of exact length; the axial stiffness is ignored.' }).default(false),
  axialStiffness: axial.default(10_000), bendingStiffness: bending,
}).meta({ title: 'Rope', description: 'A rope, cable or chain with axial and optional bending stiffness. Straight at rest.' })

export const hairSchema = z.strictObject({
  ...common, type: z.literal('hair'),
  strands: described(z.array(z.strictObject({
    body: bodyOrWorld({ label: 'Root', help: 'Body that holds the first two points; null for the world.' }).default(null),
    points: points(3, { label: 'Points', help: 'Of the strand at the start, from its root, in the world frame; its rest shape.' }),
  }).meta({ title: 'Strand' })).min(1), { label: 'Strands', help: 'Vertices are numbered over all strands in order.' }),
  linearDensity, axialStiffness: axial.default(HAIR.axialStiffness), bendingStiffness: bending,
  stretchFactors: factors('Painted stretch', 'Factors of the axial stiffness, one a vertex, linear in between: a segment has the mean of its ends. Absent: 1.'),
  bendFactors: factors('Painted bending', 'Factors of the bending stiffness, one a vertex. Absent: 1.'),
}).meta({ title: 'Hair', description: 'Strands with fixed roots. Their initial shape is their rest shape.' })

export const clothSchema = z.strictObject({
  ...common, type: z.literal('cloth'),
  vertices: points(3, { label: 'Vertices', help: 'At the start, in the world frame.' }),
  triangles: faces(1, { label: 'Triangles', help: 'Three vertex numbers each.' }),
  velocity,
  restUV: described(z.array(pair(z.number())), {
    label: 'Rest coordinates', unit: 'm', help: 'Of each vertex, along warp and weft, in the flat cut sheet. Absent: the initial shape is the rest shape, flat or not.',
  }).optional(),
  warp: direction({ label: 'Warp', help: 'Direction of the warp at the start, in the world frame, without rest coordinates: its projection onto each triangle. Absent: x; y in triangles '
    + 'perpendicular to x.' }).optional(),
  arealDensity: positive({ label: 'Areal density', unit: 'kg/m²', step: 0.01 }).default(0.2),
  stretchWarp: stiffness({ label: 'Stretch along warp', unit: 'N/m', step: 10, help: 'Tension per width divided by the strain.' }).default(CLOTH.stretchWarp),
  stretchWeft: stiffness({ label: 'Stretch along weft', unit: 'N/m', step: 10 }).default(CLOTH.stretchWeft),
  shear: stiffness({ label: 'Shear', unit: 'N/m', step: 10, help: 'Shear force per width divided by the angle, rad.' }).default(CLOTH.shear),
  bendWarp: stiffness({ label: 'Bending along warp', unit: 'N m', step: 1e-5, help: 'Moment per width divided by the curvature.' }).default(CLOTH.bendWarp),
  bendWeft: stiffness({ label: 'Bending along weft', unit: 'N m', step: 1e-5 }).default(CLOTH.bendWeft),
  stretchFactors: factors('Painted stretch', 'Factors of the stiffness along warp and weft, one a vertex, linear in between: a triangle has the mean of its corners. Absent: 1.'),
  shearFactors: factors('Painted shear', 'Factors of the shear stiffness, one a vertex. Absent: 1.'),
  bendFactors: factors('Painted bending', 'Factors of the bending stiffness along warp and weft, one a vertex. Absent: 1.'),
  seams: described(z.array(pair(index({ label: 'Vertex' }))), { label: 'Seams', help: 'Pairs of vertices that are sewn together. Both have to start at the same position.' }).default([]),
}).meta({ title: 'Cloth', description: 'A sheet of triangles with stretching, shearing and bending stiffness per width, independent of the mesh size.' })

export const deformableSchema = z.discriminatedUnion('type', [particlesSchema, ropeSchema, hairSchema, clothSchema])
