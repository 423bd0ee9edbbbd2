/** Several elements that are edited together: where their values differ. */

const equal = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/** Whether not all values are the same. */
export const differ = (values: readonly unknown[]): boolean => values.some(value => !equal(value, values[0]))

/** For each component, whether it differs among the vectors; `read` gives a value's components, undefined where it has none. */
export function mixedComponents(values: readonly unknown[], read: (value: unknown) => readonly number[] | undefined): boolean[] {
  if (values.length < 2) return []
  const vectors = values.map(read)
  const length = Math.max(0, ...vectors.map(vector => vector?.length ?? 0))
  return Array.from({ length }, (_, i) => differ(vectors.map(vector => vector?.[i])))
}
