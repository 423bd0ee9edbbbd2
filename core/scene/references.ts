/** Ids that an element refers to, found by the schema: a new field is included as soon as it declares its reference. */
import type * as z from 'zod'
import { definition, unwrap, variantsOf } from './fields'
import { parsePath, type Path } from './path'
import { elementSchemas } from './schema/elements'
import type { Collection } from './schema/field'
import type { Instance } from './types'

type Schema = z.core.$ZodType

const refer = new WeakMap<Schema, boolean>()

/** Whether anything below the schema is a reference: most fields can be skipped. */
function refers(schema: Schema): boolean {
  const known = refer.get(schema)
  if (known !== undefined) return known
  const { schema: inner, meta } = unwrap(schema)
  const { shape, items, element, options } = definition(inner)
  const below = [...Object.values(shape ?? {}), ...items ?? [], ...element ? [element] : [], ...options ?? []]
  const found = meta.reference !== undefined || below.some(refers)
  refer.set(schema, found)
  return found
}

/** The value with its references renamed; itself if none of them changes. */
export function withReferences<T>(schema: Schema, value: T, renamed: (collection: Collection, id: string) => string): T {
  if (value === undefined || value === null || !refers(schema)) return value
  const { schema: inner, meta } = unwrap(schema)
  if (typeof value === 'string') return (meta.reference === undefined ? value : renamed(meta.reference as Collection, value)) as T
  if (typeof value !== 'object') return value
  const { items, element } = definition(inner)
  if (Array.isArray(value)) {
    const after = value.map((one: unknown, k) => withReferences((items?.[k] ?? element)!, one, renamed))
    return (after.some((one, k) => one !== value[k]) ? after : value) as T
  }
  const record = value as Record<string, unknown>
  const branch = variantsOf(inner)?.get(String(record.type)) ?? inner
  const shape = definition(unwrap(branch).schema).shape ?? {}
  let after = record
  for (const key of Object.keys(record)) {
    const field = shape[key]
    const next = field && withReferences(field, record[key], renamed)
    if (!field || next === record[key]) continue
    if (after === record) after = { ...record }
    after[key] = next
  }
  return after as T
}

/** An element with its references renamed; for an instance also those in its overrides. */
export function withReferencesOf<T>(collection: Collection | 'materialPairs', element: T, renamed: (collection: Collection, id: string) => string): T {
  const after = withReferences(elementSchemas[collection], element, renamed)
  const overrides = collection === 'instances' ? (element as Instance).overrides : undefined
  if (!overrides) return after
  const next = overrides.map(one => {
    const value = withReferencesAt(elementSchemas[one.collection], parsePath(one.field) ?? [], one.value, renamed)
    return value === one.value ? one : { ...one, value }
  })
  return next.some((one, k) => one !== overrides[k]) ? { ...after, overrides: next } : after
}

/** References in a value at a path of an element with this schema. */
function withReferencesAt(schema: Schema, [first, ...rest]: Path, value: unknown, renamed: (collection: Collection, id: string) => string): unknown {
  if (first === undefined) return withReferences(schema, value, renamed)
  const { schema: inner } = unwrap(schema)
  const { shape, items, element } = definition(inner)
  const variants = [...variantsOf(inner)?.values() ?? []].map(one => definition(unwrap(one).schema).shape)
  const below = typeof first === 'number' ? items?.[first] ?? element : [shape, ...variants].find(one => one && first in one)?.[first]
  return below ? withReferencesAt(below, rest, value, renamed) : value
}
