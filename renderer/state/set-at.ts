import { formatPath } from '../../core/scene'

/** A change of a value that depends on what is there: one edit of several elements, each from its own. */
export class Update {
  constructor(readonly of: (old: unknown) => unknown) {}
}

/** A number that comes from parameters: kept with the element, whose field follows it. */
export class Formula {
  /** @param unit of what it gives: degrees in fields that show them */
  constructor(readonly text: string, readonly unit?: 'deg') {}
}

/** The three angles of an orientation in degrees, as formulas or as numbers. */
export class Turns {
  constructor(readonly formulas: readonly string[]) {}
}

/**
 * Sets a value deep in a draft; undefined removes the key, an `Update` is applied to what is there, a `Formula` is noted in the root, and missing
 * objects on the way are made.
 */
export function setAt(root: object, path: readonly (string | number)[], value: unknown): void {
  const [last] = path.slice(-1)
  if (last === undefined) throw new Error('An empty path names no key.')
  if (value instanceof Formula) {
    const field = formatPath(path)
    const element = root as { expressions?: { field: string; formula: string; unit?: 'deg' }[] }
    const made = { field, formula: value.text, ...value.unit ? { unit: value.unit } : {} }
    element.expressions = [...(element.expressions ?? []).filter(one => one.field !== field), made]
    return
  }
  if (value instanceof Turns) {
    // All three: an angle that is not written down would follow from the two others.
    value.formulas.forEach((text, axis) => setAt(root, [...path, 'xyz'[axis]!], new Formula(text, 'deg')))
    return
  }
  let inner = root as Record<string | number, unknown>
  for (const key of path.slice(0, -1)) {
    inner[key] ??= {}
    inner = inner[key] as Record<string | number, unknown>
  }
  const next = value instanceof Update ? value.of(inner[last]) : value
  if (next === undefined) delete inner[last]
  else inner[last] = next
}
