/** The places of a scene that a sweep can vary: every number, choice and flag, with its present value, as a path by ids. */

import type * as z from 'zod'
import { formatPath, resolveScene, sceneSchema, type Path, type Scene } from '../../core/scene'
import { describeField, elementSchemaOf, shapeOf, variantsOf } from '../fields/schema'

export interface SweepPlace {
  /** As the plan has it: `bodies.box.position[2]`. */
  readonly path: string
  /** For people: `Block · Position z`. */
  readonly label: string
  /** Undefined where nothing is written and what that means depends on the rest of the scene. */
  readonly value: number | string | boolean | undefined
  /** SI; empty for pure numbers. */
  readonly unit: string
  /** Values of a choice or a flag; null for numbers. */
  readonly options: readonly (string | boolean)[] | null
}

type Schema = z.core.$ZodType

/** More fill no list that anybody reads: the rest can be typed. */
const MOST_PLACES = 50_000
const COMPONENTS = ['x', 'y', 'z', 'w']
/** What all bodies share comes first. */
const ORDER = ['gravity', 'simulation', 'materials', 'materialPairs', 'bodies', 'joints', 'forces']

export function placesOf(scene: Scene): readonly SweepPlace[] {
  const places: SweepPlace[] = []
  const resolved = resolveScene(scene) as unknown as Record<string, unknown>
  const shape = shapeOf(sceneSchema)!
  const rank = (key: string) => ORDER.includes(key) ? ORDER.indexOf(key) : ORDER.length
  for (const key of Object.keys(shape).sort((a, b) => rank(a) - rank(b))) collect(places, key, shape[key]!, resolved[key], [key], [])
  return places
}

/** @param trail titles of what it is in */
function collect(places: SweepPlace[], key: string, schema: Schema, value: unknown, path: Path, trail: readonly string[]): void {
  const { kind, label, unit, options, length } = describeField(key, schema)
  const add = (at: Path, name: string, of: unknown, values: SweepPlace['options'] = null) => {
    if (places.length < MOST_PLACES) places.push({ path: formatPath(at), label: [...trail, name].join(' · '), value: (of ?? undefined) as SweepPlace['value'], unit, options: values })
  }
  switch (kind) {
    case 'number':
    case 'integer': return add(path, label, value)
    case 'boolean': return add(path, label, value, [true, false])
    case 'choice': return add(path, label, value, options)
    case 'vector':
    case 'quaternion':
    case 'numbers':
      // One number of a vector that is not there has nothing to stand beside.
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
    case 'constant': return
  }
}

function collectFields(places: SweepPlace[], schema: Schema, value: Readonly<Record<string, unknown>>, path: Path, trail: readonly string[]): void {
  if (places.length >= MOST_PLACES) return
  const shape = shapeOf((typeof value.type === 'string' && variantsOf(schema)?.get(value.type)) || schema)
  for (const [key, field] of Object.entries(shape ?? {})) collect(places, key, field, value[key], [...path, key], trail)
}

/** Elements go by their ids, where they have any: an id stays when others are added. */
function collectElements(places: SweepPlace[], schema: Schema, value: unknown, path: Path, trail: readonly string[]): void {
  const element = elementSchemaOf(schema)
  if (!element || !Array.isArray(value)) return
  value.forEach((one: { id?: string; name?: string; type?: string } | null, k) => {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return
    collectFields(places, element, one as Record<string, unknown>, [...path, one.id ?? k], [...trail, one.name ?? one.id ?? `${one.type ?? ''} ${k}`.trim()])
  })
}
