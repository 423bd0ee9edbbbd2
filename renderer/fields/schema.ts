/** Access to the schema for the inspector; the facts come from `core/scene/fields`. */

import type * as z from 'zod'
import { parsePath } from '../../core/scene'
import { describeField, shapeOf, unwrap, variantsOf } from '../../core/scene/fields'

export { describeField, shapeOf, variantsOf } from '../../core/scene/fields'

const COMPONENTS = ['x', 'y', 'z', 'w']

/** A field of an element in the words of the inspector: `Motor · Target velocity`, `Position z`; itself where the schema has no such field. */
export function titleOfField(schema: z.core.$ZodType, element: object, field: string): string {
  let title = ''
  let value: unknown = element
  let present = schema
  for (const key of parsePath(field) ?? []) {
    const holder = value as Record<string, unknown> | undefined
    if (typeof key === 'number') {
      const inner = elementSchemaOf(present)
      if (!inner) return `${title} ${COMPONENTS[key] ?? key + 1}`
      const list = title.slice(title.lastIndexOf('· ') + 1).trimStart()
      const word = describeField(list, inner).label
      // Shapes have no word for one of them in the schema.
      title = `${title.slice(0, title.length - list.length)}${word === list ? word.replace(/s$/, '') : word} ${key + 1}`
      present = inner
    } else {
      const variants = variantsOf(present)
      // Without an element, as in `joints[].name`, any variant with the field.
      const next = shapeOf(variants?.get(String(holder?.type)) ?? present)?.[key]
        ?? [...variants?.values() ?? []].map(variant => shapeOf(variant)?.[key]).find(Boolean)
      if (!next) return title === '' ? field : `${title} ${key}`
      title += `${title === '' ? '' : ' · '}${describeField(key, next).label}`
      present = next
    }
    value = holder?.[key]
  }
  return title
}

/** Schema of an array's elements; null for other schemas. */
export function elementSchemaOf(schema: z.core.$ZodType): z.core.$ZodType | null {
  const definition = unwrap(schema).schema._zod.def as z.core.$ZodTypeDef & { element?: z.core.$ZodType }
  return definition.element ?? null
}
