/** Properties of one instance that differ from its prefab: applied in the frame of the prefab's file, before the instance is placed. */
import { withValue } from '../fields-at'
import { parsePath, valueAt, type Path } from '../path'
import { elementSchemas } from '../schema/elements'
import type { Instance, Override } from '../types'
import { PlacementFault } from './placed'

export type Overridable = Override['collection']

/** Keys that define an object's place in the structure, which is that of the prefab. */
const STRUCTURE: ReadonlySet<string | number> = new Set(['id', 'group', 'expressions'])

/** The property that an override changes; null if it cannot be overridden. */
export function overriddenPath({ field }: Pick<Override, 'field'>): Path | null {
  const path = parsePath(field)
  return path === null || path.length === 0 || STRUCTURE.has(path[0]!) || path.includes('__proto__') ? null : path
}

/** Whether the object still has the property: the prefab's file may have changed. */
export const hasPlace = (element: object, path: Path): boolean => {
  const holder = valueAt(element, path.slice(0, -1))
  const last = path.at(-1)!
  if (Array.isArray(holder)) return typeof last === 'number' && last < holder.length
  return typeof holder === 'object' && holder !== null && typeof last === 'string'
}

/**
 * The object with the overrides of its instance; itself if there are none. Overrides of missing properties are omitted.
 *
 * @param of id in the prefab's file
 * @param element in the frame of the file, with ids of the scene
 * @throws PlacementFault if the result violates the schema
 */
export function overridden<T extends object>(instance: Instance, collection: Overridable, of: string, element: T): T {
  let result = element
  for (const one of instance.overrides ?? []) {
    if (one.of !== of || one.collection !== collection) continue
    const path = overriddenPath(one)
    if (path !== null && hasPlace(result, path)) result = withValue(result, path, one.value)
  }
  if (result === element) return element
  const checked = elementSchemas[collection].safeParse(result)
  if (checked.success) return result
  const { path, message } = checked.error.issues[0]!
  throw new PlacementFault('overrides', `What is overridden of "${of}" is not valid: ${path.join('.')}: ${message}`, 'values that the field accepts')
}
