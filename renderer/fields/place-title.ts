/** Places of a scene in the words of the editor. */

import { collections, parsePath, sceneSchema, type Scene } from '../../core/scene'
import { describeField, elementSchemaOf, shapeOf, titleOfField } from './schema'

/** `Wood · Friction · Dynamic` for `materials[0].friction.dynamic`, `Bodies · Name` for `bodies[].name`; the path itself where the scene has no such place. */
export function titleOfPlace(path: string, scene: Scene): string {
  const [, collection, index, rest = ''] = /^(\w+)\[(\d*)\]\.?(.*)$/.exec(path) ?? []
  const list = collections.find(one => one === collection)
  if (list === undefined) return parsePath(path) === null ? path : titleOfField(sceneSchema, scene, path)
  const schema = shapeOf(sceneSchema)![list]!
  const element: { readonly id?: string; readonly name?: string } | undefined = index === '' ? {} : scene[list]?.[Number(index)]
  if (element === undefined) return path
  const title = element.name || element.id || describeField(list, schema).label
  return rest === '' ? title : `${title} · ${titleOfField(elementSchemaOf(schema)!, element, rest)}`
}
