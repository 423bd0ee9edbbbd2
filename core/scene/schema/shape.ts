import * as z from 'zod'
import { described, direction, faces, formula, inertia, lengths, orientation, points, positive, range, real, reference, vector } from './field'

/** A pose in the body frame. */
export const placement = {
  position: vector({ label: 'Position', unit: 'm', step: 0.01, help: 'Of the shape\'s origin, in the body frame.' }).default([0, 0, 0]),
  orientation: orientation({ label: 'Orientation', help: 'Of the shape\'s axes in the body frame: unit quaternion [x, y, z, w].' })
    .default([0, 0, 0, 1]),
}

/** Properties of every shape besides its dimensions. */
const placed = { material: reference('materials', { label: 'Material' }), ...placement }

const radius = positive({ label: 'Radius', unit: 'm', step: 0.01 })
const exponent = z.number().gt(0).max(2)

export const boxSchema = z.strictObject({
  type: z.literal('box'),
  size: lengths({ label: 'Size', unit: 'm', step: 0.01, help: 'Full edges along the local axes; the origin is at the centre.' }),
  ...placed,
}).meta({ title: 'Box' })

export const convexHullSchema = z.strictObject({
  type: z.literal('convexHull'),
  points: points(4, { label: 'Points', help: 'The solid is their convex hull; they must not lie in one plane.' }),
  ...placed,
}).meta({ title: 'Convex hull' })

export const polyhedronSchema = z.strictObject({
  type: z.literal('polyhedron'),
  vertices: points(4, { label: 'Vertices' }),
  faces: faces(4, { label: 'Faces', help: 'Vertex indices of each face, anticlockwise seen from outside; the solid must be convex.' }),
  ...placed,
}).meta({ title: 'Convex polyhedron' })

/** One convex piece of a decomposed mesh: the hull of its points. */
export const pieceSchema = z.strictObject({ points: points(4, { label: 'Points', help: 'The piece is their convex hull.' }) })

/** Mass properties of the surface of a mesh file, stored because a run reads no files. */
export const solidSchema = z.strictObject({
  volume: positive({ label: 'Volume', unit: 'm³' }),
  centroid: vector({ label: 'Centroid', unit: 'm', help: 'In the shape\'s axes.' }),
  inertia: inertia({
    label: 'Inertia', unit: 'm⁵', help: 'xx, yy, zz, xy, xz, yz about the centroid at a density of 1 kg/m³, in the shape\'s axes.',
  }),
})

export const meshSchema = z.strictObject({
  type: z.literal('mesh'),
  vertices: points(4, { label: 'Vertices' }).optional(),
  faces: faces(1, {
    label: 'Faces', help: 'Vertex indices of each face, anticlockwise seen from outside. An open surface, such as terrain, has plates behind it as pieces.',
  }).optional(),
  file: described(z.string().min(1).max(1024), {
    label: 'File', control: 'file',
    help: 'Instead of vertices and faces: path of an OBJ, STL, PLY or glTF file, relative to the scene and below its folder.',
  }).optional(),
  scale: positive({ label: 'Scale', step: 0.001, help: 'Metres per unit of the file or of the embedded vertices.' }).default(1),
  pieces: described(z.array(pieceSchema).min(1), {
    label: 'Convex pieces', help: 'Convex pieces for contact, in metres, in the shape\'s axes; stored so that runs do not depend on the '
      + 'decomposition. Absent: to be computed before a run.',
  }).optional(),
  solid: described(solidSchema, {
    label: 'Solid', help: 'Mass properties of a mesh in a file, computed together with its pieces. Absent: those of the pieces.',
  }).optional(),
  ...placed,
}).meta({ title: 'Mesh' })

export const sphereSchema = z.strictObject({ type: z.literal('sphere'), radius, ...placed }).meta({ title: 'Sphere' })

export const ellipsoidSchema = z.strictObject({
  type: z.literal('ellipsoid'),
  radii: lengths({ label: 'Radii', unit: 'm', step: 0.01, help: 'Semi-axes along local x, y and z.' }),
  ...placed,
}).meta({ title: 'Ellipsoid' })

export const superquadricSchema = z.strictObject({
  type: z.literal('superquadric'),
  radii: lengths({ label: 'Radii', unit: 'm', step: 0.01, help: 'Semi-axes a, b, c along local x, y and z.' }),
  exponents: described(z.tuple([exponent, exponent]), {
    label: 'Exponents', step: 0.05,
    help: '[e1, e2] in (|x/a|^(2/e2) + |y/b|^(2/e2))^(e2/e1) + |z/c|^(2/e1) = 1. 1 is round, near 0 square, 2 an octahedron.',
  }),
  ...placed,
}).meta({ title: 'Superquadric' })

export const implicitSchema = z.strictObject({
  type: z.literal('implicit'),
  formula: formula('Formula F(x, y, z)', 'Less than 0 inside, 0 on the surface, in m of local x, y and z: for example (x/0.3)^2 + (y/0.2)^4 + z^2/0.04 - 1. The origin lies '
    + 'inside; the surface has to be smooth and strictly convex. + - * / ^, sin cos tan atan exp log sqrt abs pow, pi.'),
  ...placed,
}).meta({ title: 'Implicit surface' })

export const parametricSchema = z.strictObject({
  type: z.literal('parametric'),
  x: formula('X of u and v', 'm, in u and v: + - * / ^, sin cos tan atan exp log sqrt abs pow, pi.'),
  y: formula('Y of u and v', 'm'),
  z: formula('Z of u and v', 'm'),
  u: range('Range of u', 'From one pole to the other: at each end all v give one point.'),
  v: range('Range of v', 'Once around: both ends give the same curve.'),
  ...placed,
}).meta({ title: 'Parametric surface' })

export const capsuleSchema = z.strictObject({
  type: z.literal('capsule'),
  radius,
  height: positive({ label: 'Height', unit: 'm', step: 0.01, help: 'Between the centres of the two caps, along local z; the origin is half-way.' }),
  ...placed,
}).meta({ title: 'Capsule' })

export const cylinderSchema = z.strictObject({
  type: z.literal('cylinder'),
  radius,
  height: positive({ label: 'Height', unit: 'm', step: 0.01, help: 'Along local z; the origin is at the centre of mass.' }),
  ...placed,
}).meta({ title: 'Cylinder' })

export const coneSchema = z.strictObject({
  type: z.literal('cone'),
  radius,
  height: positive({ label: 'Height', unit: 'm', step: 0.01, help: 'Along local z; the origin is at the centre of the base, the apex at z = height.' }),
  ...placed,
}).meta({ title: 'Cone' })

export const halfSpaceSchema = z.strictObject({
  type: z.literal('halfSpace'),
  normal: direction({ label: 'Normal', help: 'Outward normal, in the shape\'s axes; need not be a unit vector.' }),
  offset: real({ label: 'Offset', unit: 'm', step: 0.01, help: 'Solid where normal · x ≤ offset, with the normal as written.' }),
  ...placed,
}).meta({ title: 'Half-space' })

export const shapeSchema = z.discriminatedUnion('type', [
  boxSchema, convexHullSchema, polyhedronSchema, meshSchema, sphereSchema, ellipsoidSchema, superquadricSchema, implicitSchema,
  parametricSchema, capsuleSchema, cylinderSchema, coneSchema, halfSpaceSchema,
])
