/** Values of a parameter as typed on the command line and in the editor. */

/** Values separated by commas outside of brackets and quotes; each is JSON, or else a text. Null if one is empty, or brackets do not match. */
export function parseValueList(text: string): unknown[] | null {
  const parts: string[] = []
  let [depth, quoted, from] = [0, false, 0]
  for (let k = 0; k <= text.length; k++) {
    const c = text[k]
    if (c === '"' && text[k - 1] !== '\\') quoted = !quoted
    if (!quoted && (c === '[' || c === '{')) depth++
    if (!quoted && (c === ']' || c === '}')) depth--
    if (k < text.length && (c !== ',' || depth > 0 || quoted)) continue
    parts.push(text.slice(from, k).trim())
    from = k + 1
  }
  if (depth !== 0 || quoted || parts.some(part => part === '')) return null
  return parts.map(part => {
    try {
      return JSON.parse(part) as unknown
    } catch {
      return part
    }
  })
}
