import { utf8Length } from '../math/hash'
import { BACKSLASH, BOM, COLON, isSpace, JsonScanner, ScanError, type TextLayout } from './json-scanner'
import { countKeys } from './plain-data'
import { problem, type Problem } from './problem'
import { limits } from './schema/scene'

export type JsonResult =
  | { readonly ok: true, readonly value: unknown }
  | { readonly ok: false, readonly problem: Problem }

/**
 * Reads strict JSON. Refuses texts beyond the size limit before it looks at them; what `JSON.parse` accepts but would lose or misuse
 * (a key given twice, `__proto__`) is refused as well. Problems carry line and column.
 */
export function readJson(text: string): JsonResult {
  if (text.length > limits.fileBytes || (text.length * 3 > limits.fileBytes && utf8Length(text) > limits.fileBytes)) {
    return { ok: false, problem: problem('TooLarge', [], `The scene is larger than ${limits.fileBytes / 1048576} MiB`, { allowed: '64 MiB' }) }
  }
  let value: unknown
  let suspect: string | null = null
  try {
    value = JSON.parse(text.charCodeAt(0) === BOM ? text.slice(1) : text)
    if (countKeys(value) !== countKeysOfText(text)) suspect = ''
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    suspect = error.message
  }
  if (suspect === null) return { ok: true, value }
  // Something is wrong: the slow reader knows where.
  try {
    new JsonScanner(text).scan()
  } catch (error) {
    if (error instanceof ScanError) return { ok: false, problem: error.problem }
    throw error
  }
  return suspect === '' ? { ok: true, value } : { ok: false, problem: problem('MalformedJson', [], suspect) }
}

/** Where the top-level values of a JSON text stand; null where it is malformed. */
export function layoutOf(text: string): TextLayout | null {
  try {
    return new JsonScanner(text).scan()
  } catch (error) {
    if (error instanceof ScanError) return null
    throw error
  }
}

/** Keys of all objects in valid JSON: strings with a colon behind them. */
function countKeysOfText(text: string): number {
  let keys = 0
  for (let start = text.indexOf('"'); start >= 0; start = text.indexOf('"', start)) {
    let end = text.indexOf('"', start + 1)
    while (text.charCodeAt(end - 1) === BACKSLASH && endsWithEscape(text, end)) end = text.indexOf('"', end + 1)
    start = end + 1
    while (isSpace(text.charCodeAt(start))) start++
    if (text.charCodeAt(start) === COLON) keys++
  }
  return keys
}

/** Whether an odd number of backslashes stands before an offset. */
function endsWithEscape(text: string, at: number): boolean {
  let start = at
  while (text.charCodeAt(start - 1) === BACKSLASH) start--
  return (at - start) % 2 === 1
}
