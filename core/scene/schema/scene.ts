import * as z from 'zod'
import { bodySchema } from './body'
import { deformableSchema } from './deformable'
import { described, name, nonNegative, vector } from './field'
import { forceSchema, scriptSchema } from './force'
import { groupSchema } from './group'
import { jointSchema } from './joint'
import { lessonStepSchema } from './lesson'
import { materialPairSchema, materialSchema } from './material'
import { expressions, parameterSchema } from './parameter'
import { instanceSchema, prefabFileSchema, prefabSchema } from './prefab'
import { sensorSchema } from './sensor'
import { simulationSchema } from './simulation'
import { meshAssetSchema, textureSchema } from './visual'

/** The version of the scene format written by this code; older ones are migrated forward, newer ones refused. */
export const sceneVersion = 1

/** Limits on a scene from outside; each has its own message. */
export const limits = {
  /** Bytes of the file, refused before parsing. */
  fileBytes: 64 * 1024 * 1024,
  /** Bytes of UTF-8 of one script. */
  scriptBytes: 256 * 1024,
  bodies: 10_000,
  /** Vertices and points of all shapes and meshes together. */
  vertices: 1_000_000,
  /** Vertices of all deformables together. */
  particles: 200_000,
  /** Nesting of arrays and objects. */
  depth: 16,
  /** Keys of one object: real ones have at most a few dozen, and checking further ones costs time. */
  keys: 1000,
  /**
   * Elements of each of materials, deformables, joints, forces, sensors, parameters, scripts, groups, prefabs, instances, meshes, textures; all
   * shapes, all visuals.
   */
  elements: 100_000,
  /** px: along a side of a texture, and of all textures together (256 MiB on the graphics card). */
  textureSide: 8192,
  texturePixels: 64 * 1024 * 1024,
} as const

export const sceneSchema = z.strictObject({
  format: z.literal('cairn-scene').meta({ title: 'Format' }),
  version: z.literal(sceneVersion).meta({ title: 'Version' }),
  name: name().optional(),
  description: described(z.string().max(100_000), { label: 'Description', help: 'Plain text about the scene.', control: 'text' }).optional(),
  lesson: described(z.array(lessonStepSchema).max(1000), { label: 'Lesson', help: 'The scene explained step by step, with time, selection and camera of each step.' }).optional(),
  gravity: vector({ label: 'Gravity', unit: 'm/s²', step: 0.1 }).default([0, 0, -9.81]),
  gravityKeys: described(z.array(z.strictObject({
    time: nonNegative({ label: 'Time', unit: 's', step: 0.1 }), gravity: vector({ label: 'Gravity', unit: 'm/s²', step: 0.1 }),
  })), { label: 'Gravity keys', help: 'Gravity at times, each until the next. Absent: constant. Potential energy uses the gravity '
    + 'at the start; the effect of a change counts as external work.' }).optional(),
  parameters: described(z.array(parameterSchema), { label: 'Parameters', help: 'Numbers for formulas in fields.' }).default([]),
  expressions: expressions(),
  materials: described(z.array(materialSchema), { label: 'Materials' }).default([]),
  materialPairs: described(z.array(materialPairSchema), { label: 'Material pairs' }).default([]),
  bodies: described(z.array(bodySchema), { label: 'Bodies' }).default([]),
  deformables: described(z.array(deformableSchema), { label: 'Deformables',
    help: 'Particles with springs, ropes, hair and cloth, simulated together with the bodies.' }).default([]),
  joints: described(z.array(jointSchema), { label: 'Joints' }).default([]),
  forces: described(z.array(forceSchema), { label: 'Forces' }).default([]),
  sensors: described(z.array(sensorSchema), { label: 'Sensors', help: 'Measurements for every frame and for controllers.' }).default([]),
  scripts: described(z.array(scriptSchema), { label: 'Scripts' }).default([]),
  groups: described(z.array(groupSchema), { label: 'Groups', help: 'Groups of bodies and of groups.' }).default([]),
  prefabs: described(z.array(prefabSchema), { label: 'Prefabs', help: 'Scene files used by this one.' }).optional(),
  instances: described(z.array(instanceSchema), { label: 'Instances', help: 'Placed prefabs.' }).optional(),
  prefabFiles: described(z.array(prefabFileSchema), {
    label: 'Files of prefabs', help: 'Texts of the prefabs, for a scene stored without its files.',
  }).optional(),
  meshes: described(z.array(meshAssetSchema), { label: 'Meshes', help: 'Surfaces for the visuals of bodies, without contact.' }).default([]),
  textures: described(z.array(textureSchema), { label: 'Textures', help: 'Pictures for the surfaces of visuals.' }).optional(),
  simulation: described(simulationSchema, { label: 'Simulation' }).prefault({}),
}).meta({ title: 'Cairn scene', description: 'Rigid bodies, deformables, materials, joints and forces to be simulated. SI units, z up, right-handed, radians.' })
