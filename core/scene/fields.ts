import type * as z from 'zod'
import type { Collection, FieldMeta } from './schema/field'
import type { Path } from './path'

type Schema = z.core.$ZodType
export type Definition = z.core.$ZodTypeDef & {
  innerType?: Schema, shape?: Record<string, Schema>, element?: Schema, items?: Schema[], options?: Schema[], discriminator?: string
  defaultValue?: unknown, entries?: Record<string, string>, values?: unknown[]
}

/** Description of one field for the inspector. Numbers are in SI units. */
export interface Field {
  readonly key: string
  readonly kind:
    | 'number' | 'integer' | 'boolean' | 'string' | 'choice' | 'vector' | 'quaternion' | 'numbers' | 'points' | 'faces' | 'values'
    | 'object' | 'list' | 'variant' | 'constant'
  readonly label: string
  readonly help: string
  readonly unit: string
  readonly step: number | null
  /** Bounds of the number, or of each component; null if there are none. */
  readonly min: number | null
  readonly max: number | null
  /** Whether the bound itself is allowed. */
  readonly minInclusive: boolean
  readonly maxInclusive: boolean
  /** Range of a slider, where the useful range is narrower than the allowed one. */
  readonly useful: readonly [number, number] | null
  /** Values of a choice; types of a variant. */
  readonly options: readonly string[]
  /** Meaning of each value of a choice, in their order; empty if the help explains it. */
  readonly meanings: readonly string[]
  /** Whether the key may be absent. */
  readonly optional: boolean
  /** Meaning of an absent key; undefined if it depends on the rest of the scene (explained in the help). */
  readonly default: unknown
  /** Meaning of an absent key without a default, if it is unique. */
  readonly absent: string | null
  readonly nullable: boolean
  /** The collection whose ids the field holds. */
  readonly reference: Collection | null
  readonly control: FieldMeta['control'] | null
  /** Number of components of vectors and the like; 0 otherwise. */
  readonly length: number
  /** Number of elements of a new list. */
  readonly usual: number
}

export const definition = (schema: Schema) => schema._zod.def as Definition

interface Unwrapped {
  readonly schema: Schema
  readonly meta: Record<string, unknown>
  readonly optional: boolean
  readonly nullable: boolean
  readonly default: unknown
}

/** Unwraps optional, default, nullable and similar wrappers to the schema of the value. */
export function unwrap(schema: Schema): Unwrapped {
  let inner = schema
  let optional = false
  let nullable = false
  let fallback: unknown
  let meta: Record<string, unknown> = {}
  for (;;) {
    meta = { ...(inner as z.ZodType).meta?.(), ...meta }
    const def = definition(inner)
    if (!def.innerType) return { schema: inner, meta, optional, nullable, default: fallback }
    if (def.type === 'nullable') nullable = true
    else optional = true
    if (def.type === 'default' || def.type === 'prefault') fallback = def.defaultValue
    inner = def.innerType
  }
}

/** The keys of an object schema in their order, or null for anything else. */
export function shapeOf(schema: Schema): Readonly<Record<string, Schema>> | null {
  return definition(unwrap(schema).schema).shape ?? null
}

/** The branches of a union by their `type`, or null for anything else. */
export function variantsOf(schema: Schema): ReadonlyMap<string, Schema> | null {
  const def = definition(unwrap(schema).schema)
  if (!def.options || !def.discriminator) return null
  const variants = new Map<string, Schema>()
  for (const option of def.options) {
    const tag = shapeOf(option)?.[def.discriminator]
    if (tag) variants.set(String(definition(tag).values?.[0]), option)
  }
  return variants
}

/** The schema at a path; unions are resolved by the `type` in the document. Null if the format has no such path. */
export function schemaAt(root: Schema, path: Path, document: unknown): Schema | null {
  let schema = root
  let value = document
  for (const part of [...path, null]) {
    const variants = variantsOf(schema)
    if (variants) {
      const type = typeof value === 'object' && value !== null ? (value as { type?: unknown }).type : undefined
      const branch = typeof type === 'string' ? variants.get(type) : undefined
      if (!branch) return part === null ? schema : null
      schema = branch
    }
    if (part === null) return schema
    const def = definition(unwrap(schema).schema)
    const next = typeof part === 'number' ? def.items?.[part] ?? def.element : ownKey(def.shape, part)
    if (!next) return null
    schema = next
    value = typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[part] : undefined
  }
  return schema
}

const ownKey = (shape: Record<string, Schema> | undefined, key: string) => (shape && Object.hasOwn(shape, key) ? shape[key] : undefined)

interface Bounds {
  min: number | null
  max: number | null
  minInclusive: boolean
  maxInclusive: boolean
  integer: boolean
  multipleOf: number | null
}

interface Check { check: string, value?: number, inclusive?: boolean, format?: string, minimum?: number, maximum?: number }

/** The definition of a schema's check of this kind, e.g. `greater_than`. */
function checkOf(schema: Schema, kind: string): Check | undefined {
  const checks = (definition(schema) as { checks?: { _zod: { def: unknown } }[] }).checks
  return checks?.map(check => check._zod.def as Check).find(check => check.check === kind)
}

function boundsOf(schema: Schema): Bounds {
  const low = checkOf(schema, 'greater_than')
  const high = checkOf(schema, 'less_than')
  return {
    min: low?.value ?? null,
    max: high?.value ?? null,
    minInclusive: low?.inclusive ?? true,
    maxInclusive: high?.inclusive ?? true,
    integer: checkOf(schema, 'number_format')?.format === 'safeint',
    multipleOf: checkOf(schema, 'multiple_of')?.value ?? null,
  }
}

function kindOf(schema: Schema, meta: Record<string, unknown>): Field['kind'] {
  const def = definition(schema)
  switch (def.type) {
    case 'number': return boundsOf(schema).integer ? 'integer' : 'number'
    case 'boolean': return 'boolean'
    case 'string': return 'string'
    case 'enum': return 'choice'
    case 'literal': return 'constant'
    case 'object': return 'object'
    case 'union': return 'variant'
    case 'array': return 'list'
    case 'custom': return meta.control === 'faces' || meta.control === 'points' ? meta.control : 'values'
    case 'tuple': {
      if (definition(unwrap(def.items![0]!).schema).type !== 'number') return 'list'
      if (meta.control === 'orientation') return 'quaternion'
      return def.items!.length === 3 ? 'vector' : 'numbers'
    }
    default: throw new Error(`No field for a schema of type ${def.type}`)
  }
}

/** Describes one field. */
export function describeField(key: string, schema: Schema): Field {
  const { schema: inner, meta, optional, nullable, default: fallback } = unwrap(schema)
  const def = definition(inner)
  const first = def.type === 'tuple' ? unwrap(def.items![0]!).schema : inner
  const { min, max, minInclusive, maxInclusive } = boundsOf(first)
  return {
    key, kind: kindOf(inner, meta),
    label: String(meta.title ?? key), help: String(meta.description ?? ''), unit: String(meta.unit ?? ''),
    step: (meta.step as number | undefined) ?? null, min, max, minInclusive, maxInclusive,
    useful: (meta.useful as [number, number] | undefined) ?? null,
    options: def.entries ? Object.values(def.entries) : [...(variantsOf(inner)?.keys() ?? [])],
    meanings: (meta.enumDescriptions as readonly string[] | undefined) ?? [], absent: (meta.absent as string | undefined) ?? null,
    optional, default: fallback, nullable,
    reference: (meta.reference as Collection | undefined) ?? null,
    control: (meta.control as FieldMeta['control'] | undefined) ?? null,
    length: def.type === 'tuple' ? def.items!.length : 0, usual: (meta.usual as number | undefined) ?? 1,
  }
}

/** The fields of an object schema in their order; of a union, those of the branch of this type. */
export function fieldsOf(schema: Schema, type?: string): Field[] {
  const variants = variantsOf(schema)
  const shape = shapeOf((variants && type !== undefined && variants.get(type)) || schema)
  return shape ? Object.entries(shape).map(([key, field]) => describeField(key, field)) : []
}

const plural = (n: number, thing: string) => `${n} ${thing}${n === 1 ? '' : 's'}`

/** What a schema accepts, for messages: `a number > 0`, `one of box, sphere`. */
export function allowedText(schema: Schema): string {
  const { schema: inner, meta, nullable } = unwrap(schema)
  return allowedInner(inner, meta) + (nullable ? ', or null' : '')
}

function allowedInner(schema: Schema, meta: Record<string, unknown>): string {
  const def = definition(schema)
  const unit = typeof meta.unit === 'string' && !meta.unit.includes('^') ? ` (${meta.unit})` : ''
  switch (def.type) {
    case 'number': return numberText(boundsOf(schema)) + unit
    case 'boolean': return 'true or false'
    case 'enum': return `one of ${Object.values(def.entries!).join(', ')}`
    case 'literal': return JSON.stringify(def.values![0])
    case 'union': return `an object whose "type" is one of ${[...variantsOf(schema)!.keys()].join(', ')}`
    case 'object': return `an object with ${Object.keys(def.shape!).join(', ')}`
    case 'array': return `an array${lengthText(schema)}`
    case 'tuple': {
      const items = def.items!
      const item = allowedInner(unwrap(items[0]!).schema, {})
      return `an array of ${items.length}, each ${item}${unit}`
    }
    case 'custom': return meta.control === 'colors' ? 'an array of colours #rrggbb' : meta.control === 'coordinates' ? 'an array of points [u, v]' : meta.control === 'faces'
      ? `an array of at least ${plural(Number(meta.minItems), 'face')}, each at least 3 vertex indices`
      : `an array of at least ${plural(Number(meta.minItems), 'point')} [x, y, z]`
    case 'string': {
      if (meta.reference) return `the id of one of the ${String(meta.reference)}`
      if (meta.control === 'color') return '#rgb or #rrggbb'
      if (meta.control === 'picture') return 'a PNG or JPEG file of at most 16 MiB in base64'
      const most = checkOf(schema, 'max_length')?.maximum
      if (checkOf(schema, 'string_format')) return `1 to ${most} of the characters A-Z a-z 0-9 _ . -`
      return `text${most === undefined ? '' : ` of ${checkOf(schema, 'min_length')?.minimum ?? 0} to ${most} characters`}`
    }
    default: return def.type
  }
}

function lengthText(schema: Schema): string {
  const minimum = checkOf(schema, 'min_length')?.minimum
  return minimum ? ` of at least ${minimum}` : ''
}

function numberText({ min: low, max: high, minInclusive, maxInclusive, integer, multipleOf }: Bounds): string {
  const what = integer ? (multipleOf === 2 ? 'an even integer' : 'an integer') : 'a finite number'
  if (low !== null && high !== null && minInclusive && maxInclusive) return `${what} from ${low} to ${high}`
  const parts = []
  if (low !== null) parts.push(`${minInclusive ? '≥' : '>'} ${low}`)
  if (high !== null) parts.push(`${maxInclusive ? '≤' : '<'} ${high}`)
  return parts.length === 0 ? what : `${what} ${parts.join(' and ')}`
}
