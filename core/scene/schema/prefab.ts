import * as z from 'zod'
import { described, id, name, orientation, reference, vector } from './field'
import { expressions } from './parameter'
import { memberOf } from './group'

/** A scene file that is placed in other scenes, any number of times. */
export const prefabSchema = z.strictObject({
  id: id(),
  name: name().optional(),
  file: described(z.string().min(1).max(1000), {
    label: 'File', control: 'file', help: 'A scene file in the folder of this scene or below it: a relative path with /. Its materials and meshes get the ids <id of the prefab>.<id there>.',
  }),
})

/** A property of one object of an instance that differs from the prefab's file. */
export const overrideSchema = z.strictObject({
  collection: described(z.enum(['bodies', 'deformables', 'joints', 'forces', 'sensors']), { label: 'Collection', help: 'Collection of the object in the prefab\'s file.' }),
  of: described(z.string().min(1).max(200), { label: 'Object', control: 'text', help: 'Id of the object in the prefab\'s file.' }),
  field: described(z.string().min(1).max(200), { label: 'Field', control: 'text', help: 'Path of the property in the object, such as shapes[0].radius; not id or group.' }),
  value: described(z.unknown(), {
    label: 'Value', help: 'Lengths and directions in the frame of the prefab\'s file, ids as in this scene (first.wheel, steel). Without a value the property is removed.',
  }).optional(),
})

/** A prefab at a pose: all contents of its file, with the instance's frame as the world of that file. */
export const instanceSchema = z.strictObject({
  id: id(),
  name: name().optional(),
  expressions: expressions(),
  prefab: reference('prefabs', { label: 'Prefab', help: 'Prefab to place. Its bodies, joints, forces and other objects get the ids <id of the instance>.<id there>.' }),
  group: memberOf(),
  position: vector({ label: 'Position', unit: 'm', step: 0.01, help: 'Of the origin of the file\'s world in this one.' }).default([0, 0, 0]),
  orientation: orientation({ label: 'Orientation', help: 'Of the file\'s world in this one: unit quaternion [x, y, z, w].' }).default([0, 0, 0, 1]),
  overrides: described(z.array(overrideSchema), { label: 'Overrides', help: 'Properties of this instance that differ from the prefab.' }).optional(),
})

/** A prefab's file embedded in the scene, for when the files are not available. */
export const prefabFileSchema = z.strictObject({
  file: described(z.string().min(1).max(1000), { label: 'File', control: 'file' }),
  source: described(z.string(), { label: 'Source', control: 'text', help: 'The text of that file.' }),
})
