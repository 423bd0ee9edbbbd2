import { utf8Length } from '../math/hash'
import { BACKSLASH, BOM, COLON, isSpace, JsonScanner, ScanError, type TextLayout } from './json-scanner'
import { countKeys } from './plain-data'
import { problem, type Problem } from './problem'
import { limits } from './schema/scene'

export type JsonResult =
  | { readonly ok: true, readonly value: unknown }
  | { readonly ok: false, readonly problem: Problem }

/**
 * Number of keys above which a text is scanned first: `JSON.parse` takes seconds for an object of a million keys, which the scanner refuses at its
 * first thousand.
 */
const manyKeys = 200_000

/**
 * Parses strict JSON. Texts beyond the size limit are refused unread; input that `JSON.parse` accepts but would lose or misuse (duplicate keys, `__proto__`) is
 * refused as well. Problems carry line and column.
 */
export function readJson(text: string): JsonResult {
  if (text.length > limits.fileBytes || (text.length * 3 > limits.fileBytes && utf8Length(text) > limits.fileBytes)) {
    return { ok: false, problem: problem('TooLarge', [], `The scene is larger than ${limits.fileBytes / 1048576} MiB`, { allowed: '64 MiB' }) }
  }
  const keys = countKeysOfText(text)
  if (keys > manyKeys) {
    const found = faultOf(text)
    if (found !== null) return { ok: false, problem: found }
  }
  let value: unknown
  let suspect: string | null = null
  try {
    value = JSON.parse(text.charCodeAt(0) === BOM ? text.slice(1) : text)
    if (countKeys(value) !== keys) suspect = ''
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    suspect = error.message
  }
  if (suspect === null) return { ok: true, value }
  // There is an error: the slower parser finds its place.
  const found = faultOf(text)
  if (found !== null) return { ok: false, problem: found }
  return suspect === '' ? { ok: true, value } : { ok: false, problem: problem('MalformedJson', [], suspect) }
}

/** The error that the slower parser finds; null if it finds none. */
function faultOf(text: string): Problem | null {
  try {
    new JsonScanner(text).scan()
    return null
  } catch (error) {
    if (error instanceof ScanError) return error.problem
    throw error
  }
}

/** Positions of the top-level values of a JSON text; null if malformed. */
export function layoutOf(text: string): TextLayout | null {
  try {
    return new JsonScanner(text).scan()
  } catch (error) {
    if (error instanceof ScanError) return null
    throw error
  }
}

/** Strings with a colon behind them: keys of all objects where the text is valid JSON, and about as many where it is not. */
function countKeysOfText(text: string): number {
  let keys = 0
  for (let start = text.indexOf('"'); start >= 0; start = text.indexOf('"', start)) {
    let end = text.indexOf('"', start + 1)
    while (text.charCodeAt(end - 1) === BACKSLASH && endsWithEscape(text, end)) end = text.indexOf('"', end + 1)
    if (end < 0) break // the string does not end: the text is malformed
    start = end + 1
    while (isSpace(text.charCodeAt(start))) start++
    if (text.charCodeAt(start) === COLON) keys++
  }
  return keys
}

/** Whether an odd number of backslashes precedes an offset. */
function endsWithEscape(text: string, at: number): boolean {
  let start = at
  while (text.charCodeAt(start - 1) === BACKSLASH) start--
  return (at - start) % 2 === 1
}
