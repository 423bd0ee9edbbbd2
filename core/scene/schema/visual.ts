import * as z from 'zod'
import { colors, coordinates, described, faces, id, name, points, reference } from './field'
import { colorField } from './material'
import { boxSchema, capsuleSchema, coneSchema, cylinderSchema, ellipsoidSchema, placement, sphereSchema } from './shape'

/** A surface for display only; several visuals of several bodies may share it. It need not be closed. */
export const meshAssetSchema = z.strictObject({
  id: id(),
  name: name().optional(),
  vertices: points(3, { label: 'Vertices', help: 'In the axes of its visuals.' }),
  faces: faces(1, { label: 'Faces', help: 'Vertex indices of each face, anticlockwise seen from outside.' }),
  colors: colors({ label: 'Vertex colours', help: '#rrggbb for each vertex, interpolated over the faces.' }).optional(),
  uv: coordinates({
    label: 'Texture coordinates', help: '[u, v] for each vertex: [0, 0] is the lower left corner of the picture, [1, 1] the upper right; beyond, it repeats.',
  }).optional(),
})

/** Base64 digits of the longest picture: 16 MiB. */
const MAX_PICTURE = Math.ceil(16 * 1024 * 1024 / 3) * 4

/** A picture for the surfaces of visuals. */
export const textureSchema = z.strictObject({
  id: id(),
  name: name().optional(),
  picture: described(z.string().max(MAX_PICTURE).regex(/^[A-Za-z0-9+/]+={0,2}$/), { label: 'Picture', help: 'A PNG or JPEG file in base64.', control: 'picture' }),
})

const seen = { color: colorField() }

/** Appearance of a body, separate from its contact shapes. It has no mass and no contacts. */
export const visualSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('mesh'), mesh: reference('meshes', { label: 'Mesh', help: 'The displayed surface.' }), ...placement, ...seen,
    texture: reference('textures', {
      label: 'Texture', help: 'A picture on the surface, by the texture coordinates of the mesh. Picture, vertex colours and colour are multiplied.',
    }).optional(),
  }).meta({ title: 'Mesh' }),
  boxSchema.omit({ material: true }).extend(seen).meta({ title: 'Box' }),
  sphereSchema.omit({ material: true }).extend(seen).meta({ title: 'Sphere' }),
  ellipsoidSchema.omit({ material: true }).extend(seen).meta({ title: 'Ellipsoid' }),
  capsuleSchema.omit({ material: true }).extend(seen).meta({ title: 'Capsule' }),
  cylinderSchema.omit({ material: true }).extend(seen).meta({ title: 'Cylinder' }),
  coneSchema.omit({ material: true }).extend(seen).meta({ title: 'Cone' }),
])
