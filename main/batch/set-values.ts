/** Changes to a scene by paths: `bodies[0].position[2]`, or by ids `bodies.box.position[2]`. */
import { parsePath, parseScene, valueAt, type Path } from '../../core/scene'
import { sweepFault } from './fault'

export interface SceneValue {
  readonly path: string
  readonly value: unknown
}

const forbiddenKeys: ReadonlySet<string | number> = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * The scene's text after the changes; the text itself if there are none. Missing objects on the path are created, and the result is checked like any other
 * scene.
 *
 * @throws HostError `Usage` for an invalid path
 */
export function withValues(text: string, values: readonly SceneValue[]): string {
  if (values.length === 0) return text
  try {
    JSON.parse(text)
  } catch {
    return text // the check says where it is malformed
  }
  return `${JSON.stringify(changed(text, values), null, 2)}\n`
}

/** Sections whose values determine the parts of instances. */
const PLACING: ReadonlySet<string | number> = new Set(['prefabs', 'instances', 'prefabFiles', 'parameters'])

/**
 * The parsed scene with the changes. Changes that affect instances are made first; the others can then refer to parts of instances.
 *
 * @throws HostError `Usage`
 */
export function changed(text: string, values: readonly SceneValue[]): unknown {
  const scene = JSON.parse(text) as unknown
  const isPlacing = ({ path }: SceneValue) => PLACING.has(parsePath(path)?.[0] ?? '')
  const others = values.filter(value => !isPlacing(value))
  for (const value of values) if (isPlacing(value)) setValue(scene, value, text)
  const placed = others.length > 0 && text.includes('"instances"') ? parseScene(scene as object) : null
  const plain = placed?.ok ? structuredClone(placed.scene) : scene
  for (const value of others) setValue(plain, value, text)
  return plain
}

/**
 * Sets a value in a parsed scene, in place. If a vector is absent, its other components get their defaults.
 *
 * @param text of the scene, for its defaults
 * @throws HostError `Usage`
 */
export function setValue(scene: unknown, { path, value }: SceneValue, text: string): void {
  const keys = keysOf(path)
  let place: unknown = scene
  /** The path with indices instead of ids. */
  const names: (string | number)[] = []
  keys.forEach((key, depth) => {
    const here = keys.slice(0, depth).join('.')
    const name = Array.isArray(place) ? elementIndex(place, key, path) : key
    if (typeof place !== 'object' || place === null) throw fault(`"${here}" has no fields in the scene.`, path)
    const holder = place as Record<string | number, unknown>
    names.push(name)
    if (depth === keys.length - 1) holder[name] = value
    else place = holder[name] ??= (typeof keys[depth + 1] === 'number' ? defaultAt(text, names) : undefined) ?? {}
  })
}

function keysOf(path: string): Path {
  const keys = parsePath(path)
  if (!keys || keys.length === 0) throw fault(`"${path}" is not a path in a scene.`, path, 'e.g. bodies[0].position[2]')
  for (const key of keys) if (forbiddenKeys.has(key)) throw fault(`"${key}" is not allowed in a path.`, path)
  return keys
}

/** A copy of the default for a missing value; undefined if there is none. */
function defaultAt(text: string, path: Path): unknown {
  const parsed = parseScene(text)
  if (!parsed.ok) return undefined
  const found = valueAt(parsed.resolved, path)
  return Array.isArray(found) ? found.slice() : undefined
}

/** Index of an array's element, given by index or id. */
function elementIndex(array: readonly unknown[], key: string | number, path: string): number {
  const index = typeof key === 'number' ? key : array.findIndex(element => (element as { id?: unknown } | null)?.id === key)
  if (index >= 0 && index < array.length) return index
  throw fault(`"${path}": there is no element ${typeof key === 'number' ? key : `"${key}"`}.`, path, `0 to ${array.length - 1}, or an id`)
}

function fault(message: string, value: string, allowed?: string) {
  return sweepFault(message, { value, ...(allowed === undefined ? {} : { allowed }) }, 'Usage')
}
