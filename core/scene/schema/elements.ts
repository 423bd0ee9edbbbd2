import type * as z from 'zod'
import { bodySchema } from './body'
import { deformableSchema } from './deformable'
import type { Collection } from './field'
import { forceSchema, scriptSchema } from './force'
import { groupSchema } from './group'
import { jointSchema } from './joint'
import { materialPairSchema, materialSchema } from './material'
import { parameterSchema } from './parameter'
import { instanceSchema, prefabSchema } from './prefab'
import { sensorSchema } from './sensor'
import { meshAssetSchema, textureSchema } from './visual'

/** Schemas of the elements of each collection. */
export const elementSchemas: Readonly<Record<Collection | 'materialPairs', z.ZodType>> = {
  materials: materialSchema, materialPairs: materialPairSchema, bodies: bodySchema, deformables: deformableSchema, joints: jointSchema, forces: forceSchema,
  sensors: sensorSchema, parameters: parameterSchema, scripts: scriptSchema, groups: groupSchema, prefabs: prefabSchema, instances: instanceSchema,
  meshes: meshAssetSchema, textures: textureSchema,
}
