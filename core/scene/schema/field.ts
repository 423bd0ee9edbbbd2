import * as z from 'zod'
import type { Vec3 } from '../../math/vector'
import type { Quat } from '../../math/quaternion'

// The content policy forbids eval, with which zod would compile its parsers.
z.config({ jitless: true })

/**
 * Text of a field for users: shown by the inspector, the published JSON Schema and the JSON editor's completion. Ranges and defaults are not repeated
 * here, because they are read from the schema.
 */
export interface FieldMeta {
  /** Sentence-case name of the field. */
  readonly label: string
  /** SI unit as shown behind the number; absent for pure numbers. */
  readonly unit?: string
  /** One or two sentences: meaning, frame, convention. */
  readonly help?: string
  /** For a choice: the meaning of each value, in their order. JSON editors use this name of the key. */
  readonly enumDescriptions?: readonly string[]
  /** Meaning of an absent key without a default. */
  readonly absent?: string
  /** Increment of the field's arrows and drag, in SI units. */
  readonly step?: number
  /** Bounds of a slider if the useful range is narrower than the allowed one. */
  readonly useful?: readonly [number, number]
  /** The field holds ids of this collection. */
  readonly reference?: Collection
  /** Number of elements of a new list, if not 1. */
  readonly usual?: number
  /** Kind of input, if the type alone does not determine it. */
  readonly control?: 'color' | 'text' | 'code' | 'orientation' | 'points' | 'faces' | 'file' | 'formula' | 'picture' | 'colors' | 'coordinates'
}

/** The collections of the document whose elements have an id. */
export type Collection = 'materials' | 'bodies' | 'deformables' | 'joints' | 'forces' | 'sensors' | 'parameters' | 'scripts' | 'groups' | 'prefabs' | 'instances' | 'meshes' | 'textures'

export function described<S extends z.ZodType>(schema: S, meta: FieldMeta): S {
  const { label, help, ...rest } = meta
  return schema.meta({ title: label, ...(help === undefined ? {} : { description: help }), ...rest }) as S
}

export const real = (meta: FieldMeta) => described(z.number(), meta)
export const positive = (meta: FieldMeta) => described(z.number().gt(0), meta)
export const nonNegative = (meta: FieldMeta) => described(z.number().min(0), meta)
export const within = (low: number, high: number, meta: FieldMeta) => described(z.number().min(low).max(high), meta)
export const integer = (low: number, high: number, meta: FieldMeta) => described(z.number().int().min(low).max(high), meta)
export const flag = (meta: FieldMeta) => described(z.boolean(), meta)
/** One of several values: a list of them, or each with its meaning. */
export const choice = <const T extends string>(values: readonly T[] | Readonly<Record<T, string>>, meta: FieldMeta) => {
  const explained = !Array.isArray(values)
  return described(z.enum((explained ? Object.keys(values) : values) as T[]), explained ? { ...meta, enumDescriptions: Object.values(values) } : meta)
}

const triple = (component: z.ZodType<number, number>) => z.tuple([component, component, component]) as unknown as z.ZodType<Vec3, Vec3>

export const vector = (meta: FieldMeta) => described(triple(z.number()), meta)
/** Three lengths, each > 0. */
export const lengths = (meta: FieldMeta) => described(triple(z.number().gt(0)), meta)
/** A vector of which only the direction matters; the rules of the document check that it is not zero. */
export const direction = (meta: FieldMeta) => vector(meta)

export const orientation = (meta: FieldMeta) => described(
  z.tuple([z.number(), z.number(), z.number(), z.number()]) as unknown as z.ZodType<Quat, Quat>,
  { control: 'orientation', ...meta })

/** Inertia components xx, yy, zz, xy, xz, yz; products as tensor entries, I_xy = −∫xy dm. */
export type InertiaComponents = readonly [number, number, number, number, number, number]

export const inertia = (meta: FieldMeta) => described(
  z.tuple([z.number(), z.number(), z.number(), z.number(), z.number(), z.number()]) as unknown as z.ZodType<InertiaComponents, InertiaComponents>, meta)

export const idPattern = /^[A-Za-z0-9_.-]+$/

export const id = () => described(z.string().min(1).max(128).regex(idPattern), {
  label: 'Id', help: 'Unique across the whole document. Letters, digits, underscore, full stop and hyphen.', control: 'text',
})
export const reference = (to: Collection, meta: FieldMeta) => described(
  z.string().min(1).max(128).regex(idPattern), { reference: to, ...meta })
/** A body's id, or null for the world. */
export const bodyOrWorld = (meta: FieldMeta) => described(
  z.string().min(1).max(128).regex(idPattern).nullable(), { reference: 'bodies', ...meta })
export const name = () => described(z.string().max(1000), { label: 'Name', help: 'Free text, shown instead of the id.', control: 'text' })

/**
 * An array of points, checked by a plain loop: a tuple schema takes a second for a million vertices. Arrays are passed
 * through without a copy.
 */
export const points = (least: number, meta: FieldMeta) => z.custom<Vec3[]>().check(context => {
  const value: unknown = context.value
  const issues = context.issues
  if (!Array.isArray(value)) {
    issues.push({ code: 'invalid_type', expected: 'array', input: value, path: [] })
    return
  }
  if (value.length < least) issues.push({ code: 'too_small', origin: 'array', minimum: least, inclusive: true, input: value, path: [] })
  for (let i = 0; i < value.length; i++) {
    const point: unknown = value[i]
    if (!Array.isArray(point) || point.length !== 3) {
      issues.push({ code: 'custom', message: 'Expected [x, y, z]', params: { allowed: 'an array of 3 numbers' }, input: point, path: [i] })
      if (issues.length > 20) return
      continue
    }
    for (let k = 0; k < 3; k++) {
      if (Number.isFinite(point[k])) continue
      issues.push({ code: 'invalid_type', expected: 'number', input: point[k], path: [i, k] })
      if (issues.length > 20) return
    }
  }
}).meta({
  title: meta.label, description: meta.help, unit: meta.unit ?? 'm', control: 'points',
  type: 'array', minItems: least, items: { type: 'array', items: { type: 'number' }, minItems: 3, maxItems: 3 },
})

/** Faces as lists of vertex indices; the rules of the document check that the vertices exist. */
export const faces = (least: number, meta: FieldMeta) => z.custom<number[][]>().check(context => {
  const value: unknown = context.value
  const issues = context.issues
  if (!Array.isArray(value)) {
    issues.push({ code: 'invalid_type', expected: 'array', input: value, path: [] })
    return
  }
  if (value.length < least) issues.push({ code: 'too_small', origin: 'array', minimum: least, inclusive: true, input: value, path: [] })
  for (let i = 0; i < value.length; i++) {
    const face: unknown = value[i]
    if (Array.isArray(face) && face.length >= 3 && face.every(index => Number.isInteger(index) && (index as number) >= 0)) continue
    issues.push({
      code: 'custom', message: 'Expected a face', params: { allowed: 'an array of at least 3 vertex indices (integers from 0)' }, input: face, path: [i],
    })
    if (issues.length > 20) return
  }
}).meta({
  title: meta.label, description: meta.help, control: 'faces',
  type: 'array', minItems: least, items: { type: 'array', items: { type: 'integer', minimum: 0 }, minItems: 3 },
})

/** A formula in variables, for example x^2 + y^2 - 1. */
export const formula = (label: string, help: string) => described(z.string().min(1).max(4000), { label, help, control: 'formula' })
/** [from, to] */
export const range = (label: string, help: string) => described(z.tuple([z.number(), z.number()]), { label, help, step: 0.01 })

const COLOR = /^#[0-9A-Fa-f]{6}$/

/** Colours of vertices, #rrggbb in sRGB. */
export const colors = (meta: FieldMeta) => z.custom<string[]>().check(context => {
  checkItems(context, item => typeof item === 'string' && COLOR.test(item), 'a colour #rrggbb')
}).meta({ title: meta.label, description: meta.help, control: 'colors', type: 'array', items: { type: 'string', pattern: COLOR.source } })

/** Points [u, v] of a picture. */
export const coordinates = (meta: FieldMeta) => z.custom<[number, number][]>().check(context => {
  checkItems(context, item => Array.isArray(item) && item.length === 2 && Number.isFinite(item[0]) && Number.isFinite(item[1]), 'an array of 2 numbers')
}).meta({
  title: meta.label, description: meta.help, control: 'coordinates', type: 'array', items: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
})

/** A plain loop over a long array; see `points`. */
function checkItems(
  { value, issues }: { readonly value: unknown; readonly issues: z.core.$ZodRawIssue[] }, valid: (item: unknown) => boolean, allowed: string,
): void {
  if (!Array.isArray(value)) {
    issues.push({ code: 'invalid_type', expected: 'array', input: value, path: [] })
    return
  }
  for (let i = 0; i < value.length; i++) {
    if (valid(value[i])) continue
    issues.push({ code: 'custom', message: `Expected ${allowed}`, params: { allowed }, input: value[i], path: [i] })
    if (issues.length > 20) return
  }
}
