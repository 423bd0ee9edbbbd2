/** Parameters of the document, for the panel and the fields. */

import { freshId, indexOfIds, parsePath, formatPath, sceneSchema, type Parameter, type Scene } from '../../core/scene'
import { elementSchemaOf, shapeOf, titleOfField } from '../fields/schema'

/** Formula of the number at a path of the document, in the unit that its field shows; null if the number was typed. */
export function formulaAt(scene: Scene, path: string, shown: 'si' | 'deg' = 'si'): string | null {
  const [collection, index, ...rest] = parsePath(path) ?? []
  const list = (scene as unknown as Record<string, unknown>)[String(collection)]
  const own = Array.isArray(list) && typeof index === 'number' ? list[index] as { expressions?: Scene['expressions'] } | undefined : scene
  const field = own === scene ? path : formatPath(rest)
  const found = own?.expressions?.find(one => one.field === field)
  if (!found) return null
  const inDegrees = found.unit === 'deg' || /orientation\.[xyz]$/.test(field)
  if (inDegrees === (shown === 'deg')) return found.formula
  // The file has it in the other unit.
  return inDegrees ? `(${found.formula}) * pi / 180` : `(${found.formula}) * 180 / pi`
}

/** A new parameter with a range for its slider. */
export function newParameter(scene: Scene): Parameter {
  return { id: freshId(scene, 'parameter').replaceAll('-', '_'), value: 1, min: 0, max: 2 }
}

/** Range of a parameter's slider: its own, or a range about its value. */
export function sliderOf({ value = 0, min, max }: Parameter): { readonly min: number; readonly max: number; readonly step: number } {
  const room = Math.max(1, 2 * Math.abs(value))
  const [low, high] = [min ?? Math.min(0, value - room), max ?? value + room]
  return { min: low, max: high, step: Number(((high - low) / 200).toPrecision(2)) || 1e-6 }
}

/** Titles of elements with numbers that depend on it, and of scripts that read it. */
export function dependentFields(scene: Scene, id: string): string[] {
  const uses = new RegExp(`(?<![\\w.])${id}(?![\\w.])`)
  const named: [string, Scene['expressions'], (field: string) => string][] = [['Scene', scene.expressions, field => titleOfField(sceneSchema, scene, field)]]
  for (const collection of ['bodies', 'joints', 'forces', 'materials', 'deformables', 'sensors', 'parameters'] as const) {
    const schema = elementSchemaOf(shapeOf(sceneSchema)![collection]!)!
    for (const one of scene[collection] ?? []) named.push([one.name ?? one.id, one.expressions, field => titleOfField(schema, one, field)])
  }
  const reads = new RegExp(`\\bparameters(?:\\.${id}(?!\\w)|\\[['"]${id}['"]\\])`)
  const scripts = (scene.scripts ?? []).filter(({ source }) => reads.test(source)).map(({ id: script }) => `Script ${script}`)
  return [...scripts, ...named.flatMap(([title, list, titled]) => (list ?? []).filter(({ formula }) => uses.test(formula)).map(({ field }) => `${title} · ${titled(field)}`))]
}

export const hasFormula = (parameter: Parameter): boolean => parameter.expressions?.some(({ field }) => field === 'value') ?? false

export const placeOfParameter = (scene: Scene, id: string): number => indexOfIds(scene.parameters ?? []).get(id) ?? -1
