import type { Path } from './path'

/** A copy of the value with another one at a path; everything else is shared. Undefined removes the key. The containing object must exist. */
export function withValue<T>(root: T, [first, ...rest]: Path, value: unknown): T {
  const copy = (Array.isArray(root) ? [...root] : { ...root }) as Record<string | number, unknown>
  if (rest.length > 0) copy[first!] = withValue(copy[first!], rest, value)
  else if (value === undefined) delete copy[first!]
  else copy[first!] = value
  return copy as T
}
