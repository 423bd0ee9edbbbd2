import * as z from 'zod'
import { described, id, name, orientation, reference, vector } from './field'
import { expressions } from './parameter'
import { memberOf } from './group'

/** A scene file that is placed in others, any number of times. */
export const prefabSchema = z.strictObject({
  id: id(),
  name: name().optional(),
  file: described(z.string().min(1).max(1000), {
    label: 'File', control: 'file', help: 'A scene file in the folder of this scene or below it: a relative path with /. Its materials and meshes get the ids <id of the prefab>.<id there>.',
  }),
})

/** A prefab at a place: everything in its file, with its frame as that file's world. */
export const instanceSchema = z.strictObject({
  id: id(),
  name: name().optional(),
  expressions: expressions(),
  prefab: reference('prefabs', { label: 'Prefab', help: 'Prefab to place. Its bodies, joints, forces and other objects get the ids <id of the instance>.<id there>.' }),
  group: memberOf(),
  position: vector({ label: 'Position', unit: 'm', step: 0.01, help: 'Of the origin of the file\'s world in this one.' }).default([0, 0, 0]),
  orientation: orientation({ label: 'Orientation', help: 'Of the file\'s world in this one: unit quaternion [x, y, z, w].' }).default([0, 0, 0, 1]),
})

/** A prefab's file inside the scene, for where the files are not at hand. */
export const prefabFileSchema = z.strictObject({
  file: described(z.string().min(1).max(1000), { label: 'File', control: 'file' }),
  source: described(z.string(), { label: 'Source', control: 'text', help: 'The text of that file.' }),
})
