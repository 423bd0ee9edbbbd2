/** Paths in the document: keys and array indices from the root. */
export type Path = readonly (string | number)[]

const identifier = /^[A-Za-z_$][A-Za-z0-9_$]*$/

/** `bodies[3].shapes[0].radius`; empty for the document itself. Keys that are not identifiers are written as `["odd key"]`. */
export function formatPath(path: Path): string {
  let text = ''
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`
    else if (!identifier.test(part)) text += `[${JSON.stringify(part)}]`
    else text += text === '' ? part : `.${part}`
  }
  return text
}

const step = /(?:^|\.)([A-Za-z_$][A-Za-z0-9_$]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y

/** The reverse of formatPath; null if the text is not a path. */
export function parsePath(text: string): Path | null {
  const path: (string | number)[] = []
  step.lastIndex = 0
  while (step.lastIndex < text.length) {
    const match = step.exec(text)
    if (!match) return null
    if (match[1] !== undefined) path.push(match[1])
    else if (match[2] !== undefined) path.push(Number(match[2]))
    else path.push(String(parseKey(match[3]!)))
  }
  return path
}

function parseKey(quoted: string): unknown {
  try {
    return JSON.parse(quoted)
  } catch {
    return quoted.slice(1, -1)
  }
}

/** The value at a path, own keys only; undefined if there is none. */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string | number, unknown>)[part]
  }
  return value
}
