import { formatPath } from '../../core/scene'

/** A change that depends on the present value, so that one edit changes several elements, each from its own value. */
export class Update {
  constructor(readonly of: (old: unknown) => unknown) {}
}

/** A number given by a formula. The formula is stored with the element, and the field follows it. */
export class Formula {
  /** @param unit of the result: degrees in fields that show them */
  constructor(readonly text: string, readonly unit?: 'deg') {}
}

/** The three angles of an orientation in degrees, each a formula or a number. */
export class Turns {
  constructor(readonly formulas: readonly string[]) {}
}

/**
 * Sets a value deep in a draft; undefined removes the key. An `Update` is applied to the present value, a `Formula` is stored in the root, and
 * missing objects on the path are created.
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
    // All three angles are written, since an omitted one would depend on the other two.
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
