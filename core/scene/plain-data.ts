import { problem, type Problem } from './problem'
import { limits } from './schema/scene'

/** Keys with which a hostile file could reach an object's prototype. */
export const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** The first thing in a value that JSON data of a reasonable scene cannot contain: cycles, excessive depth, class instances, dangerous keys. */
export function plainDataProblem(value: unknown): Problem | null {
  const traversal = new Traversal()
  return traversal.at(value) ? null : traversal.found
}

/** Number of keys of all objects in a value, or the first thing that is not plain data. */
export function countKeys(value: unknown): number | Problem {
  const traversal = new Traversal()
  return traversal.at(value) ? traversal.keys : traversal.found!
}

/** One traversal of a value. */
class Traversal {
  keys = 0
  found: Problem | null = null
  private readonly path: (string | number)[] = []

  /** False if something was found. */
  at(value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return true
    if (this.path.length >= limits.depth) {
      return this.stop(problem('TooDeep', this.path, `Nested deeper than ${limits.depth} levels`, { allowed: `${limits.depth} levels` }))
    }
    return Array.isArray(value) ? this.array(value) : this.object(value as Record<string, unknown>)
  }

  private array(value: readonly unknown[]): boolean {
    for (let i = 0; i < value.length; i++) {
      const item = value[i]
      if (typeof item === 'object' && item !== null && !this.inside(i, item)) return false
    }
    return true
  }

  private object(value: Record<string, unknown>): boolean {
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
      return this.stop(problem('WrongType', this.path, 'Only plain objects and arrays can be part of a scene', { allowed: 'plain data' }))
    }
    const keys = Object.keys(value)
    if (keys.length > limits.keys) {
      return this.stop(problem('TooMany', this.path, `An object has ${keys.length} keys`, { value: keys.length, allowed: `at most ${limits.keys}` }))
    }
    this.keys += keys.length
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i]!
      if (forbiddenKeys.has(key)) return this.stop(problem('ForbiddenKey', [...this.path, key], `The key "${key}" is not allowed`, { value: key }))
      const item = value[key]
      if (typeof item === 'object' && item !== null && !this.inside(key, item)) return false
    }
    return true
  }

  private inside(part: string | number, item: object): boolean {
    this.path.push(part)
    const plain = this.at(item)
    this.path.pop()
    return plain
  }

  private stop(found: Problem): false {
    this.found = found
    return false
  }
}
