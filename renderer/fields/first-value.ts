import * as z from 'zod'
import type { Scene } from '../../core/scene'
import { describeField, elementSchemaOf, shapeOf, variantsOf } from './schema'

/** The initial value of another variant, with the parts of the old value that it can have. */
export function otherVariant(schema: z.core.$ZodType, old: unknown, scene: Scene): unknown {
  const fresh = firstValue(schema, scene) as Record<string, unknown>
  for (const [key, inner] of Object.entries(shapeOf(schema) ?? {})) {
    const kept = (old as Record<string, unknown> | undefined)?.[key]
    if (key !== 'type' && kept !== undefined && z.safeParse(inner, kept).success) fresh[key] = kept
  }
  // Vertices and others have a fixed number together: those that were first stay, and vertices are added.
  const { vertices: had = [], others: kept = [] } = (old ?? {}) as { vertices?: number[]; others?: unknown[] }
  const count = 'vertices' in fresh ? describeField('', shapeOf(schema)!.vertices!).usual : 1
  if (count > 1) {
    const others = kept.slice(0, count - 1)
    if (others.length > 0) fresh.others = others
    const numbers = [...new Set([...had, ...Array(count).keys()])]
    fresh.vertices = numbers.slice(0, count - others.length)
  }
  return fresh
}

/** Whether the components are integers, as numbers of vertices, which differ from each other. */
function areIntegers(schema: z.core.$ZodType, length: number): boolean {
  const numbers = [...Array(length).keys()]
  return z.safeParse(schema, numbers).success && !z.safeParse(schema, numbers.map(x => x + 0.5)).success
}

/** A valid initial value for a part that is switched on: optional keys stay absent, the others get initial values. */
export function firstValue(schema: z.core.$ZodType, scene: Scene): unknown {
  const field = describeField('', schema)
  switch (field.kind) {
    case 'number': return field.min === null ? 0 : field.minInclusive ? field.min : Math.max(1, field.min + 1)
    case 'integer': return field.min ?? 0
    case 'boolean': return false
    case 'string': return field.reference ? scene[field.reference]?.[0]?.id ?? null : ''
    case 'choice': return field.options[0]
    case 'vector': return areIntegers(schema, 3) ? [0, 1, 2] : field.min === 0 && !field.minInclusive ? [1, 1, 1] : [0, 0, 1]
    case 'quaternion': return [0, 0, 0, 1]
    case 'numbers': return areIntegers(schema, field.length) ? [...Array(field.length).keys()] : Array.from({ length: field.length }, (_, i) => field.length === 6 && i > 2 ? 0 : 1)
    case 'points': return [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    case 'values': return []
    case 'faces': return [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
    case 'constant': return (schema._zod.def as unknown as { values: unknown[] }).values[0]
    case 'variant': return firstValue([...variantsOf(schema)!.values()][0]!, scene)
    case 'list': {
      const element = elementSchemaOf(schema)
      if (!element) return []
      return field.usual > 1 ? [...Array(field.usual).keys()] : [firstValue(element, scene)]
    }
    case 'object': {
      const shape = shapeOf(schema) ?? {}
      // Limits need at least one end.
      if ('lower' in shape && 'upper' in shape) return { lower: -1, upper: 1 }
      // A motor without force has no effect.
      if ('maxForce' in shape && 'targetVelocity' in shape) return { targetVelocity: 1, maxForce: 10 }
      // A servo without stiffness has no effect.
      if ('stiffness' in shape && 'keys' in shape) return { stiffness: 100, damping: 10 }
      const entries = Object.entries(shape).filter(([, inner]) => !describeField('', inner).optional)
      return Object.fromEntries(entries.map(([key, inner]) => [key, firstValue(inner, scene)]))
    }
  }
}
