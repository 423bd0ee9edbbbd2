/** Comparison of the values of several elements edited together. */

const equal = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/** Whether not all values are the same. */
export const differ = (values: readonly unknown[]): boolean => values.some(value => !equal(value, values[0]))

/** For each component, whether it differs among the vectors; `read` returns a value's components, or undefined if it has none. */
export function mixedComponents(values: readonly unknown[], read: (value: unknown) => readonly number[] | undefined): boolean[] {
  if (values.length < 2) return []
  const vectors = values.map(read)
  const length = Math.max(0, ...vectors.map(vector => vector?.length ?? 0))
  return Array.from({ length }, (_, i) => differ(vectors.map(vector => vector?.[i])))
}
