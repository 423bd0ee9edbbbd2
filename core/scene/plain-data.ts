import { problem, type Problem } from './problem'
import { limits } from './schema/scene'

/** Keys with which a hostile file could reach an object's prototype. */
export const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** The first thing in a value that JSON data of a reasonable scene could not hold: cycles and depths, class instances, dangerous keys. */
export function plainDataProblem(value: unknown): Problem | null {
  return look(value, [])
}

function look(value: unknown, path: (string | number)[]): Problem | null {
  if (typeof value !== 'object' || value === null) return null
  if (path.length >= limits.depth) return problem('TooDeep', path, `Nested deeper than ${limits.depth} levels`, { allowed: `${limits.depth} levels` })
  return Array.isArray(value) ? lookAtArray(value, path) : lookAtObject(value as Record<string, unknown>, path)
}

function lookAtArray(value: readonly unknown[], path: (string | number)[]): Problem | null {
  for (let i = 0; i < value.length; i++) {
    const item = value[i]
    if (typeof item !== 'object' || item === null) continue
    path.push(i)
    const found = look(item, path)
    if (found) return found
    path.pop()
  }
  return null
}

function lookAtObject(value: Record<string, unknown>, path: (string | number)[]): Problem | null {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    return problem('WrongType', path, 'Only plain objects and arrays can be part of a scene', { allowed: 'plain data' })
  }
  for (const key of Object.keys(value)) {
    if (forbiddenKeys.has(key)) return problem('ForbiddenKey', [...path, key], `The key "${key}" is not allowed`, { value: key })
    const item = value[key]
    if (typeof item !== 'object' || item === null) continue
    path.push(key)
    const found = look(item, path)
    if (found) return found
    path.pop()
  }
  return null
}
