/** Scans a usda file sequentially: skips blanks and comments, recognises names, numbers and strings, and counts lines for messages. */

import { FormatError } from '../shared/error'

const NAME = /[A-Za-z_][A-Za-z0-9_:.-]*/y
const NUMBER = /[+-]?(?:inf\b|nan\b|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/y
const BLANK = /(?:[ \t\r\n;]+|#[^\n]*|\/\/[^\n]*|\/\*[^]*?\*\/)+/y
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', '"': '"', '\'': '\'' }

export class UsdaScanner {
  private at = 0

  constructor(private readonly text: string) {}

  /** The next significant character, without consuming it; empty at the end. */
  peek(): string {
    this.skip()
    return this.text[this.at] ?? ''
  }

  /** Consumes a character or text if it is next. */
  take(token: string): boolean {
    this.skip()
    if (!this.text.startsWith(token, this.at)) return false
    this.at += token.length
    return true
  }

  expect(token: string, what: string): void {
    if (!this.take(token)) this.fail(`expected ${JSON.stringify(token)} ${what}, found ${JSON.stringify(this.text.slice(this.at, this.at + 20))}`)
  }

  /** A name with its namespaces, `xformOp:translate`, or null. */
  name(): string | null {
    this.skip()
    NAME.lastIndex = this.at
    const found = NAME.exec(this.text)
    if (found === null) return null
    this.at += found[0].length
    return found[0]
  }

  requireName(what: string): string {
    return this.name() ?? this.fail(`expected the name of ${what}, found ${JSON.stringify(this.text.slice(this.at, this.at + 20))}`)
  }

  number(): number | null {
    this.skip()
    NUMBER.lastIndex = this.at
    const found = NUMBER.exec(this.text)
    if (found === null) return null
    this.at += found[0].length
    const text = found[0].replace(/^\+/, '')
    return text === 'inf' ? Infinity : text === '-inf' ? -Infinity : text.endsWith('nan') ? NaN : Number(text)
  }

  /** A string in single or triple quotes, with its escapes resolved; null if none begins here. */
  string(): string | null {
    this.skip()
    const quote = this.text[this.at]
    if (quote !== '"' && quote !== '\'') return null
    const fence = this.text.startsWith(quote.repeat(3), this.at) ? quote.repeat(3) : quote
    let end = this.at + fence.length
    for (;;) {
      end = this.text.indexOf(fence, end)
      if (end < 0) this.fail('a string has no end')
      let backslashes = 0
      while (this.text[end - 1 - backslashes] === '\\') backslashes++
      if (backslashes % 2 === 0) break
      end++
    }
    const raw = this.text.slice(this.at + fence.length, end)
    this.at = end + fence.length
    return raw.includes('\\') ? raw.replaceAll(/\\(.)/g, (whole, character: string) => ESCAPES[character] ?? whole) : raw
  }

  /** Text between two delimiters that do not nest: `<path>`, `@asset@`, `@@@asset@@@`. */
  between(open: string, close: string): string | null {
    this.skip()
    if (!this.text.startsWith(open, this.at)) return null
    const end = this.text.indexOf(close, this.at + open.length)
    if (end < 0) this.fail(`${JSON.stringify(open)} has no ${JSON.stringify(close)}`)
    const inside = this.text.slice(this.at + open.length, end)
    this.at = end + close.length
    return inside
  }

  /** Returns to an earlier position. */
  reset(place: number): void {
    this.at = place
  }

  get place(): number {
    return this.at
  }

  fail(message: string): never {
    throw new FormatError('MalformedFile', `line ${this.text.slice(0, this.at).split('\n').length}`, `This is not usda: ${message}.`)
  }

  private skip(): void {
    const code = this.text.charCodeAt(this.at)
    // Fast path: most characters are neither a space, a line end, a tab, a semicolon, "#" nor "/".
    if (code > 32 && code !== 35 && code !== 47 && code !== 59) return
    BLANK.lastIndex = this.at
    const found = BLANK.exec(this.text)
    if (found !== null) this.at += found[0].length
  }
}
