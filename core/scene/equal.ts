/** Whether two JSON values are equal, regardless of key order; a key with value undefined counts as absent, −0 as 0. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    for (let i = 0; i < a.length; i++) if (!equalJson(a[i], b[i])) return false
    return true
  }
  const first = a as Record<string, unknown>
  const second = b as Record<string, unknown>
  for (const key of Object.keys(first)) if (!equalJson(first[key], second[key])) return false
  for (const key of Object.keys(second)) if (first[key] === undefined && second[key] !== undefined) return false
  return true
}
