/** The JSON parser for texts with errors and for edits: it is slower than `JSON.parse`, and records positions. */

import { formatPath } from './path'
import { forbiddenKeys } from './plain-data'
import { problem, type Problem, type ProblemName } from './problem'
import { limits } from './schema/scene'

/** Place of one top-level value in the text, as offsets. */
export interface EntryRange {
  readonly key: string
  /** From the key's opening quote to the end of the value. */
  readonly start: number
  readonly valueStart: number
  readonly end: number
  /** Start and end of each element in turn, if the value is an array. */
  readonly elements: readonly number[] | null
}

/** The top level of a JSON text: its entries in the order of the text. */
export interface TextLayout {
  readonly start: number
  readonly end: number
  readonly entries: readonly EntryRange[]
}

export const isSpace = (code: number) => code === 32 || code === 10 || code === 13 || code === 9

/** 1-based line and column of an offset; a surrogate pair counts as two columns, as in editors. */
export function lineAndColumn(text: string, offset: number): { line: number, column: number } {
  let line = 1
  let start = 0
  for (let i = 0; i < offset && i < text.length; i++) {
    if (text.charCodeAt(i) !== 10) continue
    line++
    start = i + 1
  }
  return { line, column: offset - start + 1 }
}

export class ScanError extends Error {
  readonly problem: Problem
  constructor(found: Problem) {
    super(found.message)
    this.problem = found
  }
}

export const BOM = 0xfeff
const QUOTE = 34
export const BACKSLASH = 92
const COMMA = 44
export const COLON = 58
const OPEN_BRACE = 123
const CLOSE_BRACE = 125
const OPEN_BRACKET = 91
const CLOSE_BRACKET = 93

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const word = /[+-]?[A-Za-z_$][\w$]*/y

/** Scans a text once, checking its grammar and recording the places of the top-level values. */
export class JsonScanner {
  private at = 0
  private readonly path: (string | number)[] = []
  private readonly entries: EntryRange[] = []
  private elements: number[] | null = null

  constructor(private readonly text: string) {}

  scan(): TextLayout {
    if (this.text.charCodeAt(0) === BOM) this.at = 1
    this.space()
    const start = this.at
    this.value()
    const end = this.at
    this.space()
    if (this.at < this.text.length) this.fail(`Unexpected ${this.found()} after the end of the document`)
    return { start, end, entries: this.entries }
  }

  private value(): void {
    const code = this.text.charCodeAt(this.at)
    if (code === OPEN_BRACE) return this.object()
    if (code === OPEN_BRACKET) return this.array()
    if (code === QUOTE) {
      this.string()
      return
    }
    if (code === 45 || (code >= 48 && code <= 57)) {
      number.lastIndex = this.at
      const match = number.exec(this.text)
      if (match) {
        this.at += match[0].length
        const next = this.text.charCodeAt(this.at)
        if ((next >= 48 && next <= 57) || next === 46) this.fail('A number has no leading zero and one decimal point at most')
        return
      }
    }
    for (const literal of ['true', 'false', 'null']) {
      if (this.text.startsWith(literal, this.at)) {
        this.at += literal.length
        return
      }
    }
    this.refuseValue()
  }

  private refuseValue(): never {
    word.lastIndex = this.at
    const name = word.exec(this.text)?.[0]
    if (name && /^[+-]?(NaN|Infinity|Inf|inf|nan)$/.test(name)) this.fail(`${name} is not a JSON number; numbers must be finite`, 'NotFinite', name)
    if (this.text.startsWith('//', this.at) || this.text.startsWith('/*', this.at)) this.fail('JSON has no comments')
    if (this.text[this.at] === '\'') this.fail('Strings are written in double quotes')
    const comma = this.path.length > 0 && /,\s*$/.test(this.text.slice(Math.max(0, this.at - 200), this.at))
    if (comma && /[\]}]/.test(this.text[this.at] ?? '')) this.fail('A comma before a closing bracket is not allowed')
    this.fail(`Expected a value, found ${this.found()}`)
  }

  private object(): void {
    const depth = this.enter()
    const keys = new Set<string>()
    this.at++
    this.space()
    if (this.text.charCodeAt(this.at) === CLOSE_BRACE) {
      this.at++
      return
    }
    for (;;) {
      const start = this.at
      const key = this.key(keys)
      keys.add(key)
      if (keys.size > limits.keys) this.fail(`An object has more than ${limits.keys} keys`, 'TooMany')
      this.path.push(key)
      this.space()
      if (this.text.charCodeAt(this.at) !== COLON) this.fail(`Expected ":" after the key, found ${this.found()}`)
      this.at++
      this.space()
      const valueStart = this.at
      if (depth === 1) this.elements = null
      this.value()
      if (depth === 1) this.entries.push({ key, start, valueStart, end: this.at, elements: this.elements })
      this.path.pop()
      this.space()
      const code = this.text.charCodeAt(this.at)
      if (code === CLOSE_BRACE) break
      if (code !== COMMA) this.fail(`Expected "," or "}", found ${this.found()}`)
      this.at++
      this.space()
    }
    this.at++
  }

  private key(known: ReadonlySet<string>): string {
    if (this.text.charCodeAt(this.at) !== QUOTE) {
      if (this.text.charCodeAt(this.at) === CLOSE_BRACE) this.fail('A comma before a closing bracket is not allowed')
      this.fail(`Expected a key in double quotes, found ${this.found()}`)
    }
    const start = this.at
    const escaped = this.string()
    const raw = this.text.slice(start + 1, this.at - 1)
    const key = escaped ? String(JSON.parse(`"${raw}"`)) : raw
    if (forbiddenKeys.has(key)) {
      this.at = start
      this.fail(`The key "${key}" is not allowed`, 'ForbiddenKey', key)
    }
    if (known.has(key)) {
      this.at = start
      this.path.push(key)
      this.fail(`The key "${key}" is given twice`, 'DuplicateKey', key)
    }
    return key
  }

  private array(): void {
    const depth = this.enter()
    const elements: number[] | null = depth === 2 ? [] : null
    this.at++
    this.space()
    if (this.text.charCodeAt(this.at) === CLOSE_BRACKET) {
      this.at++
      this.elements = elements ?? this.elements
      return
    }
    for (let i = 0; ; i++) {
      this.path.push(i)
      const start = this.at
      this.value()
      if (elements) elements.push(start, this.at)
      this.path.pop()
      this.space()
      const code = this.text.charCodeAt(this.at)
      if (code === CLOSE_BRACKET) break
      if (code !== COMMA) this.fail(`Expected "," or "]", found ${this.found()}`)
      this.at++
      this.space()
    }
    this.at++
    if (elements) this.elements = elements
  }

  private enter(): number {
    const depth = this.path.length + 1
    if (depth > limits.depth) this.fail(`Nested deeper than ${limits.depth} levels`, 'TooDeep')
    return depth
  }

  /** Skips a string. @returns whether it contains an escape */
  private string(): boolean {
    const start = this.at
    let escaped = false
    for (let i = start + 1; ; i++) {
      const code = this.text.charCodeAt(i)
      if (code === QUOTE) {
        this.at = i + 1
        return escaped
      }
      if (code === BACKSLASH) {
        escaped = true
        const next = this.text[i + 1] ?? ''
        const valid = next === 'u' ? /^[0-9A-Fa-f]{4}$/.test(this.text.slice(i + 2, i + 6)) : '"\\/bfnrt'.includes(next) && next !== ''
        if (!valid) {
          this.at = i
          this.fail(`Unknown escape \\${next}`)
        }
        i++
      } else if (code < 32 || Number.isNaN(code)) {
        this.at = Number.isNaN(code) ? start : i
        this.fail(Number.isNaN(code) ? 'The string does not end' : 'A string cannot contain a line end or a control character; write \\n')
      }
    }
  }

  private space(): void {
    while (isSpace(this.text.charCodeAt(this.at))) this.at++
  }

  private found(): string {
    if (this.at >= this.text.length) return 'the end of the text'
    const code = this.text.codePointAt(this.at)!
    return code < 32 ? `a control character (code ${code})` : `"${String.fromCodePoint(code)}"`
  }

  private fail(message: string, name: ProblemName = 'MalformedJson', value?: string): never {
    const { line, column } = lineAndColumn(this.text, this.at)
    const where = formatPath(this.path)
    throw new ScanError(problem(name, this.path, `${message} (line ${line}, column ${column}${where === '' ? '' : `, in ${where}`})`, {
      line, column, ...(value === undefined ? {} : { value }),
    }))
  }
}
