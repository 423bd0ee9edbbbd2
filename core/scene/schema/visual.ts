import * as z from 'zod'
import { faces, id, name, points, reference } from './field'
import { colorField } from './material'
import { boxSchema, capsuleSchema, coneSchema, cylinderSchema, ellipsoidSchema, placement, sphereSchema } from './shape'

/** A surface for display only; several visuals of several bodies may share it. It need not be closed. */
export const meshAssetSchema = z.strictObject({
  id: id(),
  name: name().optional(),
  vertices: points(3, { label: 'Vertices', help: 'In the axes of its visuals.' }),
  faces: faces(1, { label: 'Faces', help: 'Vertex indices of each face, anticlockwise seen from outside.' }),
})

const seen = { color: colorField() }

/** Appearance of a body, separate from its contact shapes. It has no mass and no contacts. */
export const visualSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('mesh'), mesh: reference('meshes', { label: 'Mesh', help: 'The displayed surface.' }), ...placement, ...seen,
  }).meta({ title: 'Mesh' }),
  boxSchema.omit({ material: true }).extend(seen).meta({ title: 'Box' }),
  sphereSchema.omit({ material: true }).extend(seen).meta({ title: 'Sphere' }),
  ellipsoidSchema.omit({ material: true }).extend(seen).meta({ title: 'Ellipsoid' }),
  capsuleSchema.omit({ material: true }).extend(seen).meta({ title: 'Capsule' }),
  cylinderSchema.omit({ material: true }).extend(seen).meta({ title: 'Cylinder' }),
  coneSchema.omit({ material: true }).extend(seen).meta({ title: 'Cone' }),
])
