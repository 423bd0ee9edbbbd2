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
  return restored(JSON.parse(text) as unknown)
}

/** In place: a reviver would be called for every number, and take many times as long. */
function restored(value: unknown): unknown {
  if (typeof value === 'string') return odd.get(value) ?? value
  if (typeof value !== 'object' || value === null) return value
  const parts = value as Record<string, unknown>
  for (const key of Object.keys(parts)) {
    const part = parts[key]
    if (typeof part === 'number') continue
    const now = restored(part)
    if (now !== part) parts[key] = now
  }
  return value
}

function written(value: number): number | string {
  if (Object.is(value, -0)) return '#-0'
  return Number.isFinite(value) ? value : `#${value}`
}

const odd: ReadonlyMap<unknown, number> = new Map([['#-0', -0], ['#NaN', NaN], ['#Infinity', Infinity], ['#-Infinity', -Infinity]])
