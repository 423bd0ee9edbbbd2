/** Changes to a scene from the command line: `--duration 2`, `--set bodies[0].position[2]=3`. */
import { parsePath } from '../../core/scene'
import { usage } from './output'

export interface Override {
  readonly path: string
  readonly value: unknown
}

const forbiddenKeys: ReadonlySet<string | number> = new Set(['__proto__', 'constructor', 'prototype'])

/** `path=value`; the value is JSON, or else a text. */
export function parseOverride(text: string): Override {
  const at = text.indexOf('=')
  if (at <= 0) throw usage(`--set is "${text}".`, 'path=value, e.g. simulation.duration=2')
  const value = text.slice(at + 1)
  try {
    return { path: text.slice(0, at), value: JSON.parse(value) as unknown }
  } catch {
    return { path: text.slice(0, at), value }
  }
}

/**
 * The scene's text with the changes made; the text itself where there are none. Missing objects on the way are made, and whatever
 * comes out is checked as any other scene.
 */
export function applyOverrides(text: string, overrides: readonly Override[]): string {
  if (overrides.length === 0) return text
  let scene: unknown
  try {
    scene = JSON.parse(text)
  } catch {
    return text // the check says where it is malformed
  }
  for (const override of overrides) set(scene, override)
  return `${JSON.stringify(scene, null, 2)}\n`
}

function set(scene: unknown, { path, value }: Override): void {
  const keys = parsePath(path)
  if (!keys || keys.length === 0) throw usage(`"${path}" is no path in a scene.`, 'e.g. bodies[0].position[2]')
  let place: unknown = scene
  keys.forEach((key, depth) => {
    const here = keys.slice(0, depth).join('.')
    if (forbiddenKeys.has(key)) throw usage(`"${key}" is not allowed in a path.`)
    const name = Array.isArray(place) ? elementIndex(place, key, path) : key
    if (typeof place !== 'object' || place === null) throw usage(`There is nothing below "${here}" in the scene.`)
    const holder = place as Record<string | number, unknown>
    if (depth === keys.length - 1) holder[name] = value
    else place = holder[name] ??= {}
  })
}

/** Elements of arrays by their index, or by their id. */
function elementIndex(array: readonly unknown[], key: string | number, path: string): number {
  const index = typeof key === 'number' ? key : array.findIndex(element => (element as { id?: unknown } | null)?.id === key)
  if (index >= 0 && index < array.length) return index
  throw usage(`"${path}": there is no element ${typeof key === 'number' ? key : `"${key}"`}.`, `0 to ${array.length - 1}, or an id`)
}
