/** JSON with exact numbers: values outside JSON are strings that start with `#`. */

export function encodeExactly(value: unknown): string {
  return JSON.stringify(value, (_, element: unknown) => {
    if (element instanceof Float64Array) return [...element].map(written)
    if (Array.isArray(element)) return element.map(part => typeof part === 'number' ? written(part) : part as unknown)
    return typeof element === 'number' ? written(element) : element
  })
}

/** @throws SyntaxError */
export function decodeExactly(text: string): unknown {
  return JSON.parse(text, (_, element: unknown) => odd.get(element) ?? element)
}

function written(value: number): number | string {
  if (Object.is(value, -0)) return '#-0'
  return Number.isFinite(value) ? value : `#${value}`
}

const odd: ReadonlyMap<unknown, number> = new Map([['#-0', -0], ['#NaN', NaN], ['#Infinity', Infinity], ['#-Infinity', -Infinity]])
