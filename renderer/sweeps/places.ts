/** The fields of a scene that a sweep can vary: all numbers, choices and flags with their present values, as paths by ids. */

import type * as z from 'zod'
import { formatPath, resolveScene, sceneSchema, type Path, type Scene } from '../../core/scene'
import { inWords } from './measures'
import { describeField, elementSchemaOf, shapeOf, variantsOf } from '../fields/schema'

export interface SweepPlace {
  /** As in the plan: `bodies.box.position[2]`. */
  readonly path: string
  /** For users: `Block · Position z`. */
  readonly label: string
  /** Undefined if it is absent and its meaning depends on the rest of the scene. */
  readonly value: number | string | boolean | undefined
  /** SI; empty for pure numbers. */
  readonly unit: string
  /** Values of a choice or a flag; null for numbers. */
  readonly options: readonly (string | boolean)[] | null
}

type Schema = z.core.$ZodType

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A longer list is of no use; other paths can be typed. */
const MAX_PLACES = 50_000
const COMPONENTS = ['x', 'y', 'z', 'w']
/** Sections that concern the whole scene come first. */
const ORDER = ['gravity', 'simulation', 'materials', 'materialPairs', 'bodies', 'joints', 'forces']

export function placesOf(scene: Scene): readonly SweepPlace[] {
  const places: SweepPlace[] = []
  const resolved = resolveScene(scene) as unknown as Record<string, unknown>
  const shape = shapeOf(sceneSchema)!
  const rank = (key: string) => ORDER.includes(key) ? ORDER.indexOf(key) : ORDER.length
  for (const key of Object.keys(shape).sort((a, b) => rank(a) - rank(b))) collect(places, key, shape[key]!, resolved[key], [key], [])
  return places
}

/** @param trail titles of the containing elements */
function collect(places: SweepPlace[], key: string, schema: Schema, value: unknown, path: Path, trail: readonly string[]): void {
  const { kind, label, unit, options, length } = describeField(key, schema)
  const add = (at: Path, name: string, of: unknown, values: SweepPlace['options'] = null) => {
    if (places.length < MAX_PLACES) places.push({ path: formatPath(at), label: [...trail, name].join(' · '), value: (of ?? undefined) as SweepPlace['value'], unit, options: values })
  }
  switch (kind) {
    case 'number':
    case 'integer': return add(path, label, value)
    case 'boolean': return add(path, label, value, [true, false])
    case 'choice': return add(path, label, value, options)
    case 'vector':
    case 'quaternion':
    case 'numbers':
      // A single component of an absent vector cannot be set without the others.
      if (Array.isArray(value)) for (let k = 0; k < length; k++) add([...path, k], `${label} ${COMPONENTS[k] ?? k}`, value[k])
      return
    case 'object':
    case 'variant':
      if (typeof value === 'object' && value !== null) collectFields(places, schema, value as Record<string, unknown>, path, [...trail, label])
      return
    case 'list': return collectElements(places, schema, value, path, trail.length === 0 ? [] : [...trail, label])
    case 'string':
    case 'points':
    case 'faces':
    case 'values':
    case 'constant': return
  }
}

function collectFields(places: SweepPlace[], schema: Schema, value: Readonly<Record<string, unknown>>, path: Path, trail: readonly string[]): void {
  if (places.length >= MAX_PLACES) return
  const shape = shapeOf((typeof value.type === 'string' && variantsOf(schema)?.get(value.type)) || schema)
  for (const [key, field] of Object.entries(shape ?? {})) collect(places, key, field, value[key], [...path, key], trail)
}

/** Elements are addressed by id if they have one, since ids do not change when others are added. */
function collectElements(places: SweepPlace[], schema: Schema, value: unknown, path: Path, trail: readonly string[]): void {
  const element = elementSchemaOf(schema)
  if (!element || !Array.isArray(value)) return
  value.forEach((one: { id?: string; name?: string; type?: string } | null, k) => {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return
    collectFields(places, element, one as Record<string, unknown>, [...path, one.id ?? k], [...trail, one.name ?? one.id ?? `${typeof one.type === 'string' ? capital(inWords(one.type)) : ''} ${k + 1}`.trim()])
  })
}
