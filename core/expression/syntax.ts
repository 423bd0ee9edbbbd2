/**
 * The language of expressions: for parameters in a scene's fields, for surfaces given by formulas, and for measures. A sweep evaluates the measures of each
 * run over the channels of its trajectory.
 *
 *   measures   = measure { "," measure }
 *   measure    = [ name "=" ] expression
 *   expression = or;  or = and { "||" and };  and = compare { "&&" compare };  compare = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
 *   sum        = product { ("+" | "-") product };  product = unary { ("*" | "/") unary };  unary = { "-" | "!" } power
 *   power      = instant [ "^" unary ]
 *   instant    = primary [ "@" ("start" | "end" | number) ]
 *   primary    = number | "(" expression ")" | name "(" expression { "," expression } ")" | channel
 *   channel    = name { "." name | "." number | '["' text '"]' | "[" integer "]" }
 */

export type BinaryOperator = '||' | '&&' | '<' | '<=' | '>' | '>=' | '==' | '!=' | '+' | '-' | '*' | '/' | '^'

/** `at` is its start in the text, for messages. */
export type MeasureNode =
  | { readonly kind: 'number'; readonly value: number; readonly at: number }
  | { readonly kind: 'channel'; readonly path: readonly (string | number)[]; readonly at: number }
  | { readonly kind: 'unary'; readonly operator: '-' | '!'; readonly of: MeasureNode; readonly at: number }
  | { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: MeasureNode; readonly right: MeasureNode; readonly at: number }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly MeasureNode[]; readonly at: number }
  | { readonly kind: 'instant'; readonly of: MeasureNode; readonly when: 'start' | 'end' | number; readonly at: number }

export interface ParsedMeasure {
  /** As given by `name = …`, else the expression as it was written. */
  readonly name: string
  readonly text: string
  readonly node: MeasureNode
}

/** A measure with a syntax error, or one that refers to missing data. */
export class MeasureError extends Error {
  override readonly name = 'InvalidMeasure'

  constructor(
    message: string,
    /** Position of the error in `text`, from 0. */
    readonly at: number,
    readonly text: string,
    readonly allowed?: string,
  ) {
    super(message)
  }
}

interface Token {
  readonly kind: 'number' | 'name' | 'text' | 'sign' | 'end'
  readonly text: string
  readonly at: number
}

/** Maximum length of all measures of a sweep, and maximum nesting depth: far above practical use, and far below the limit of the stack. */
const MAX_LENGTH = 10_000
const MAX_DEPTH = 100

/** The characters of a name after its first: ids contain hyphens, so a minus after an id needs a space; variables contain none. */
export type NameCharacters = 'ids' | 'variables'

const NUMBER = String.raw`\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?`
const SIGN = String.raw`\|\||&&|<=|>=|==|!=|[<>+\-*/^!@().,[\]=]`
const tokenPattern = (characters: string): RegExp =>
  new RegExp(String.raw`\s+|(${NUMBER})|([A-Za-z_$]${characters}*)|"((?:[^"\\]|\\.)*)"|(${SIGN})`, 'y')
const TOKENS: Readonly<Record<NameCharacters, RegExp>> = { ids: tokenPattern('[A-Za-z0-9_$-]'), variables: tokenPattern('[A-Za-z0-9_$]') }

/** Tokens of a text. @throws MeasureError */
function tokensOf(text: string, names: NameCharacters): Token[] {
  if (text.length > MAX_LENGTH) throw new MeasureError(`The measures are ${text.length} characters long.`, MAX_LENGTH, text, `at most ${MAX_LENGTH}`)
  const tokens: Token[] = []
  const pattern = TOKENS[names]
  pattern.lastIndex = 0
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex
    const match = pattern.exec(text)
    if (match === null) throw new MeasureError(`"${text[at]!}" has no meaning in a measure.`, at, text)
    const [, number, name, quoted, sign] = match
    if (number !== undefined) tokens.push({ kind: 'number', text: number, at })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name, at })
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted.replace(/\\(.)/g, '$1'), at })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign, at })
  }
  tokens.push({ kind: 'end', text: '', at: text.length })
  return tokens
}

/** Several measures, separated by commas. @throws MeasureError */
export function parseMeasures(text: string, names: NameCharacters = 'ids'): ParsedMeasure[] {
  return new Parser(text, names).measures()
}

/** One expression, as of `--keep where …`. @throws MeasureError */
export function parseMeasure(text: string, names: NameCharacters = 'ids'): ParsedMeasure {
  const [measure, second] = parseMeasures(text, names)
  if (second !== undefined) throw new MeasureError('One expression is expected, not several.', second.node.at, text)
  return measure!
}

class Parser {
  private readonly tokens: readonly Token[]
  private next = 0
  private depth = 0

  constructor(private readonly text: string, names: NameCharacters) {
    this.tokens = tokensOf(text, names)
  }

  measures(): ParsedMeasure[] {
    const found: ParsedMeasure[] = []
    do found.push(this.measure())
    while (this.takes(','))
    if (this.token.kind !== 'end') throw this.unexpected('an operator, "," or the end')
    const names = new Set<string>()
    for (const { name, node } of found) {
      if (names.has(name)) throw new MeasureError(`There are two measures "${name}".`, node.at, this.text)
      names.add(name)
    }
    return found
  }

  private measure(): ParsedMeasure {
    const first = this.token
    const named = first.kind === 'name' && this.tokens[this.next + 1]!.text === '=' && this.tokens[this.next + 1]!.kind === 'sign'
    if (named) this.next += 2
    const from = this.token.at
    const node = this.expression()
    const text = this.text.slice(from, this.token.at).trim()
    return { name: named ? first.text : text, text, node }
  }

  private get token(): Token {
    return this.tokens[this.next]!
  }

  private takes(...signs: readonly string[]): Token | null {
    const { token } = this
    if (token.kind !== 'sign' || !signs.includes(token.text)) return null
    this.next++
    return token
  }

  private expect(sign: string): void {
    if (this.takes(sign) === null) throw this.unexpected(`"${sign}"`)
  }

  private unexpected(allowed: string): MeasureError {
    const { token } = this
    return new MeasureError(token.kind === 'end' ? 'The measure ends too early.' : `"${token.text}" is not expected here.`, token.at, this.text, allowed)
  }

  private expression(): MeasureNode {
    if (++this.depth > MAX_DEPTH) throw new MeasureError('The measure nests too deep.', this.token.at, this.text, `${MAX_DEPTH} levels`)
    const node = this.leftToRight(['||'], () => this.leftToRight(['&&'], () => this.comparison()))
    this.depth--
    return node
  }

  private leftToRight(operators: readonly string[], operand: () => MeasureNode): MeasureNode {
    let left = operand()
    for (let sign = this.takes(...operators); sign !== null; sign = this.takes(...operators)) {
      left = { kind: 'binary', operator: sign.text as BinaryOperator, left, right: operand(), at: sign.at }
    }
    return left
  }

  private comparison(): MeasureNode {
    const left = this.sum()
    const sign = this.takes('<', '<=', '>', '>=', '==', '!=')
    return sign === null ? left : { kind: 'binary', operator: sign.text as BinaryOperator, left, right: this.sum(), at: sign.at }
  }

  private sum(): MeasureNode {
    return this.leftToRight(['+', '-'], () => this.leftToRight(['*', '/'], () => this.unary()))
  }

  private unary(): MeasureNode {
    const signs: Token[] = []
    for (let sign = this.takes('-', '!'); sign !== null; sign = this.takes('-', '!')) signs.push(sign)
    if (signs.length > MAX_DEPTH) throw new MeasureError('The measure nests too deep.', this.token.at, this.text, `${MAX_DEPTH} levels`)
    return signs.reduceRight<MeasureNode>((of, { text, at }) => ({ kind: 'unary', operator: text as '-' | '!', of, at }), this.power())
  }

  private power(): MeasureNode {
    const base = this.instant()
    const sign = this.takes('^')
    if (sign === null) return base
    if (++this.depth > MAX_DEPTH) throw new MeasureError('The measure nests too deep.', sign.at, this.text, `${MAX_DEPTH} levels`)
    const exponent = this.unary()
    this.depth--
    return { kind: 'binary', operator: '^', left: base, right: exponent, at: sign.at }
  }

  private instant(): MeasureNode {
    const of = this.primary()
    const sign = this.takes('@')
    if (sign === null) return of
    const { token } = this
    const when = token.kind === 'number' ? Number(token.text) : token.text === 'start' || token.text === 'end' ? token.text : null
    if (when === null) throw this.unexpected('start, end or a time in seconds')
    this.next++
    return { kind: 'instant', of, when, at: sign.at }
  }

  private primary(): MeasureNode {
    const { token } = this
    if (token.kind === 'number') {
      this.next++
      return { kind: 'number', value: Number(token.text), at: token.at }
    }
    if (this.takes('(') !== null) {
      const inner = this.expression()
      this.expect(')')
      return inner
    }
    if (token.kind !== 'name') throw this.unexpected('a number, a channel such as bodies.box.position[2], a function or "("')
    this.next++
    return this.takes('(') === null ? { kind: 'channel', path: this.path(token.text), at: token.at } : this.call(token)
  }

  private call({ text: name, at }: Token): MeasureNode {
    const args: MeasureNode[] = []
    do args.push(this.expression())
    while (this.takes(','))
    this.expect(')')
    return { kind: 'call', name, args, at }
  }

  private path(first: string): (string | number)[] {
    const path: (string | number)[] = [first]
    for (;;) {
      const { token } = this
      if (token.kind === 'number' && /^\.\d+$/.test(token.text)) {
        path.push(token.text.slice(1)) // `bodies.1`: an id of digits
        this.next++
      } else if (this.takes('.') !== null) {
        if (this.token.kind !== 'name' && this.token.kind !== 'number') throw this.unexpected('a name')
        path.push(this.token.text)
        this.next++
      } else if (this.takes('[') !== null) {
        const { kind, text } = this.token
        if (kind !== 'text' && !(kind === 'number' && /^\d+$/.test(text))) throw this.unexpected('an index, or an id in double quotes')
        path.push(kind === 'text' ? text : Number(text))
        this.next++
        this.expect(']')
      } else {
        return path
      }
    }
  }
}
