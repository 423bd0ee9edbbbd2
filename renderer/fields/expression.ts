/**
 * Expressions in number fields: arithmetic with units, `2*pi/3`, `30deg`, `5cm + 1/4 in`, `3 km/h`. A result without a unit is in the
 * field's SI unit; a result with one must have the field's dimension.
 *
 *   sum      = product { (+ | −) product }
 *   product  = signed { (* | /) signed }
 *   signed   = (− | +) signed | joined
 *   joined   = power { power }            juxtaposition, as in `5 cm` or `N m`
 *   power    = atom [ ^ signed | superscript ]
 *   atom     = number | unit | constant | function ( sum ) | ( sum )
 *
 * Juxtaposition binds tighter than / in `10 m / 2 s` and looser in `1/4 in`: the first reading with a fitting dimension is taken, the tighter
 * one first.
 */

import { divide, isPure, multiply, power, PURE, sameDimension, UNITS, type Quantity } from './units'

export type ExpressionResult =
  | { readonly ok: true; readonly value: number }
  | { readonly ok: false; readonly message: string }

class ExpressionError extends Error {}

const CONSTANTS: ReadonlyMap<string, number> = new Map([['pi', Math.PI], ['π', Math.PI], ['tau', 2 * Math.PI], ['e', Math.E], ['inf', Infinity]])

const pure = (value: number): Quantity => ({ value, dimension: PURE })
const ANGLE = [0, 0, 0, 1] as const
/** Constants that indicate an argument in radians. */
const OF_CIRCLE: ReadonlySet<string> = new Set(['pi', 'π', 'tau'])

type Calculation = (q: Quantity, inRadians: boolean) => Quantity

/** A number without a unit is in degrees, as in the fields for angles: `sin(20)`. With π in it, it is in radians: `sin(pi/6)`. */
const ofAngle = (f: (x: number) => number): Calculation => (q, inRadians) => {
  if (!isPure(q.dimension) && !sameDimension(q.dimension, ANGLE)) throw new ExpressionError('The function needs an angle')
  return pure(f(isPure(q.dimension) && !inRadians ? q.value * Math.PI / 180 : q.value))
}
const toAngle = (f: (x: number) => number): Calculation => q => {
  if (!isPure(q.dimension)) throw new ExpressionError('The function needs a pure number')
  return { value: f(q.value), dimension: ANGLE }
}
const ofNumber = (f: (x: number) => number): Calculation => q => {
  if (!isPure(q.dimension)) throw new ExpressionError('The function needs a pure number')
  return pure(f(q.value))
}

const FUNCTIONS: ReadonlyMap<string, Calculation> = new Map<string, Calculation>([
  ['sin', ofAngle(Math.sin)], ['cos', ofAngle(Math.cos)], ['tan', ofAngle(Math.tan)],
  ['asin', toAngle(Math.asin)], ['acos', toAngle(Math.acos)], ['atan', toAngle(Math.atan)],
  ['exp', ofNumber(Math.exp)], ['log', ofNumber(Math.log)],
  ['sqrt', q => power(q, 0.5)], ['abs', q => ({ ...q, value: Math.abs(q.value) })],
])

const SUPERSCRIPTS: Readonly<Record<string, string>> = {
  '⁰': '0', '¹': '1', '²': '2', '³': '3', '⁴': '4', '⁵': '5', '⁶': '6', '⁷': '7', '⁸': '8', '⁹': '9', '⁻': '-',
}

type Token =
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'name'; readonly text: string }
  | { readonly type: 'sign'; readonly text: string }
  | { readonly type: 'superscript'; readonly value: number }

const TOKEN = /\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-zµπ°]+)|([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)|(\*\*|[-+*/^()−×·÷]))/y

function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  const end = text.trimEnd().length
  while (TOKEN.lastIndex < end) {
    const at = TOKEN.lastIndex
    const match = TOKEN.exec(text)
    if (!match) {
      const rest = text.slice(at).trimStart()
      throw new ExpressionError(rest.startsWith(',') ? 'Use a point for decimals' : `“${rest[0]}” is not understood`)
    }
    if (match[1] !== undefined) tokens.push({ type: 'number', value: Number(match[1]) })
    else if (match[2] !== undefined) tokens.push({ type: 'name', text: match[2] })
    else if (match[3] !== undefined) tokens.push({ type: 'superscript', value: Number([...match[3]].map(c => SUPERSCRIPTS[c]).join('')) })
    else tokens.push({ type: 'sign', text: PLAIN_SIGNS[match[4]!] ?? match[4]! })
  }
  return tokens
}

const PLAIN_SIGNS: Readonly<Record<string, string>> = { '−': '-', '×': '*', '·': '*', '÷': '/', '**': '^' }

class Parser {
  private at = 0

  constructor(private readonly tokens: readonly Token[], private readonly tight: boolean) {}

  whole(): Quantity {
    if (this.tokens.length === 0) throw new ExpressionError('A number is needed')
    const result = this.sum()
    const rest = this.tokens[this.at]
    if (rest) throw new ExpressionError(rest.type === 'sign' ? `“${rest.text}” is not expected here` : 'There is text after the end of the expression')
    return result
  }

  private sign(...texts: string[]): string | null {
    const token = this.tokens[this.at]
    if (token?.type !== 'sign' || !texts.includes(token.text)) return null
    this.at++
    return token.text
  }

  private sum(): Quantity {
    let left = this.product()
    for (let sign = this.sign('+', '-'); sign; sign = this.sign('+', '-')) {
      const right = this.product()
      if (!sameDimension(left.dimension, right.dimension)) throw new ExpressionError('The units of the two sides do not match')
      left = { value: sign === '+' ? left.value + right.value : left.value - right.value, dimension: left.dimension }
    }
    return left
  }

  private product(): Quantity {
    let left = this.signed()
    for (;;) {
      const sign = this.sign('*', '/')
      if (sign) left = sign === '*' ? multiply(left, this.signed()) : divide(left, this.signed())
      else if (!this.tight && this.tokens[this.at]?.type === 'name') left = multiply(left, this.power())
      else return left
    }
  }

  private signed(): Quantity {
    const sign = this.sign('+', '-')
    if (!sign) return this.joined()
    const inner = this.signed()
    return sign === '-' ? { ...inner, value: -inner.value } : inner
  }

  private joined(): Quantity {
    let left = this.power()
    while (this.tight && this.tokens[this.at]?.type === 'name') left = multiply(left, this.power())
    return left
  }

  private power(): Quantity {
    const base = this.atom()
    const next = this.tokens[this.at]
    if (next?.type === 'superscript') {
      this.at++
      return power(base, next.value)
    }
    if (!this.sign('^')) return base
    const exponent = this.signed()
    if (!isPure(exponent.dimension)) throw new ExpressionError('An exponent cannot have a unit')
    return power(base, exponent.value)
  }

  private atom(): Quantity {
    const token = this.tokens[this.at++]
    if (!token) throw new ExpressionError('The expression is not complete')
    if (token.type === 'number') return pure(token.value)
    if (token.type === 'superscript') throw new ExpressionError('A superscript needs something before it')
    if (token.type === 'name') return this.named(token.text)
    if (token.text !== '(') throw new ExpressionError(`“${token.text}” is not expected here`)
    return this.closing(this.sum())
  }

  private closing(inner: Quantity): Quantity {
    if (!this.sign(')')) throw new ExpressionError('A bracket is not closed')
    return inner
  }

  private named(name: string): Quantity {
    const call = FUNCTIONS.get(name)
    if (call) {
      if (!this.sign('(')) throw new ExpressionError(`${name} needs brackets`)
      const from = this.at
      const argument = this.closing(this.sum())
      return call(argument, this.tokens.slice(from, this.at).some(token => token.type === 'name' && OF_CIRCLE.has(token.text)))
    }
    const unit = UNITS.get(name)
    if (unit) return unit
    const constant = CONSTANTS.get(name)
    if (constant !== undefined) return pure(constant)
    throw new ExpressionError(`“${name}” is not a unit, a constant or a function`)
  }
}

/** @throws ExpressionError */
function parse(text: string, tight = true): Quantity {
  return new Parser(tokenize(text), tight).whole()
}

const dimensions = new Map<string, Quantity | null>()

/** The dimension of a field's unit, e.g. `kg m²`; null if it is not a product of units. */
function unitOf(text: string): Quantity | null {
  const known = dimensions.get(text)
  if (known !== undefined) return known
  let result: Quantity | null = null
  try {
    result = text === '' ? pure(1) : parse(text)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
  }
  dimensions.set(text, result)
  return result
}

/** Value of the expression in SI units, for a field with this unit. */
export function evaluateExpression(text: string, fieldUnit: string): ExpressionResult {
  const tight = evaluateReading(text, fieldUnit, true)
  if (tight.ok) return tight
  const loose = evaluateReading(text, fieldUnit, false)
  return loose.ok ? loose : tight
}

function evaluateReading(text: string, fieldUnit: string, tight: boolean): ExpressionResult {
  let quantity: Quantity
  try {
    quantity = parse(text, tight)
  } catch (error) {
    if (error instanceof ExpressionError) return { ok: false, message: error.message }
    throw error
  }
  const wanted = unitOf(fieldUnit)
  const fits = isPure(quantity.dimension) || (wanted !== null && sameDimension(quantity.dimension, wanted.dimension))
  if (!fits) return { ok: false, message: fieldUnit === '' ? 'A pure number is needed' : `The unit does not fit: ${fieldUnit} is needed` }
  if (Number.isNaN(quantity.value)) return { ok: false, message: 'The result is not a number' }
  return { ok: true, value: Number.isNaN(Number(text)) ? tidy(quantity.value) : quantity.value }
}

/** Rounds a result to the short decimal that it is close to: `12 in` is 0.3048 m, not 0.30479999999999996. */
function tidy(value: number): number {
  const near = Number(value.toPrecision(15))
  return Math.abs(near - value) <= Number.EPSILON * Math.abs(value) ? near : value
}

/** A relative change, as in `+= 5cm` or `*= 2`. */
export interface RelativeChange {
  readonly sign: '+' | '-' | '*' | '/'
  /** The number added or multiplied by, as typed. */
  readonly operand: string
}

/** Parses `+=`, `-=`, `*=` and `/=`; null if the text is a plain value. */
export function relativeChange(text: string): RelativeChange | null {
  const found = /^\s*(\+|-|−|\*|×|\/|÷)=(.*)$/s.exec(text)
  if (!found) return null
  return { sign: (PLAIN_SIGNS[found[1]!] ?? found[1]!) as RelativeChange['sign'], operand: found[2]! }
}

export function changedBy(sign: RelativeChange['sign'], value: number, operand: number): number {
  const result = sign === '+' ? value + operand : sign === '-' ? value - operand : sign === '*' ? value * operand : value / operand
  return tidy(result)
}
