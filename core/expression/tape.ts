/**
 * Formulas as tapes: each operation is one entry, after its operands. The code that runs a tape defines the meaning of the variables and the number
 * of derivatives. No code is generated from the text.
 */

import { atan, cos, exp, log, PI, pow, sin, tan } from '../math/elementary'
import { MeasureError, parseMeasure, type MeasureNode } from './syntax'

export type Binary = '+' | '-' | '*' | '/'

/** A function of one variable with its derivatives, given x and f(x). */
export interface Smooth {
  value(x: number): number
  first(x: number, f: number): number
  second(x: number, f: number): number
  third(x: number, f: number): number
}

export type Step =
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'variable'; readonly index: number }
  | { readonly kind: 'binary'; readonly operator: Binary; readonly a: number; readonly b: number }
  | { readonly kind: 'unary'; readonly f: Smooth; readonly a: number }

type Derivative = (x: number, f: number) => number

const smooth = (value: (x: number) => number, first: Derivative, second: Derivative, third: Derivative): Smooth => ({ value, first, second, third })

const FUNCTIONS: Readonly<Record<string, Smooth>> = {
  sin: smooth(sin, cos, (_, f) => -f, x => -cos(x)),
  cos: smooth(cos, x => -sin(x), (_, f) => -f, x => sin(x)),
  tan: smooth(tan, (_, f) => 1 + f * f, (_, f) => 2 * f * (1 + f * f), (_, f) => 2 * (1 + f * f) * (1 + 3 * f * f)),
  atan: smooth(atan, x => 1 / (1 + x * x), x => -2 * x / ((1 + x * x) * (1 + x * x)),
    x => (6 * x * x - 2) / ((1 + x * x) * (1 + x * x) * (1 + x * x))),
  exp: smooth(exp, (_, f) => f, (_, f) => f, (_, f) => f),
  log: smooth(log, x => 1 / x, x => -1 / (x * x), x => 2 / (x * x * x)),
  sqrt: smooth(Math.sqrt, (_, f) => 0.5 / f, (x, f) => -0.25 / (x * f), (x, f) => 0.375 / (x * x * f)),
  // The corner is at 0, where powers above 2 of it are smooth.
  abs: smooth(Math.abs, Math.sign, () => 0, () => 0),
}
const NAMES = [...Object.keys(FUNCTIONS), 'pow'].join(', ')

function power(p: number): Smooth {
  if (p === 2) return smooth(x => x * x, x => 2 * x, () => 2, () => 0)
  // At 0 a negative power is infinite, and a zero factor times it would be NaN.
  const term = (factor: number, exponent: number): Derivative => factor === 0 ? () => 0 : x => factor * pow(x, exponent)
  return smooth(x => pow(x, p), term(p, p - 1), term(p * (p - 1), p - 2), term(p * (p - 1) * (p - 2), p - 3))
}

export function calculated(operator: Binary, a: number, b: number): number {
  switch (operator) {
    case '+': return a + b
    case '-': return a - b
    case '*': return a * b
    case '/': return a / b
  }
}

/** An infinite derivative times zero change is zero: √(x²) has one at 0 by y. */
export function times(rate: number, change: number): number {
  return change === 0 ? 0 : rate * change
}

/** The last entry is the formula's value. @param variables their names @throws MeasureError */
export function stepsOf(text: string, variables: readonly string[]): Step[] {
  const steps: Step[] = []
  const add = (step: Step): number => steps.push(step) - 1
  const visit = (node: MeasureNode): number => {
    const fail = (message: string, allowed?: string): MeasureError => new MeasureError(message, node.at, text, allowed)
    switch (node.kind) {
      case 'number': return add({ kind: 'constant', value: node.value })
      case 'channel': {
        const name = node.path.join('.')
        if (name === 'pi') return add({ kind: 'constant', value: PI })
        const index = variables.indexOf(name)
        if (index < 0) throw fail(`There is no variable "${name}".`, [...variables, 'pi'].join(', '))
        return add({ kind: 'variable', index })
      }
      case 'unary': {
        if (node.operator === '!') throw fail('"!" does not give a smooth function.', '+ - * / ^')
        const a = visit(node.of)
        return add({ kind: 'binary', operator: '-', a: add({ kind: 'constant', value: 0 }), b: a })
      }
      case 'binary': {
        if (node.operator === '^') return raised(node.left, node.right)
        if (!'+-*/'.includes(node.operator)) throw fail(`"${node.operator}" does not give a smooth function.`, '+ - * / ^')
        const a = visit(node.left)
        return add({ kind: 'binary', operator: node.operator as Binary, a, b: visit(node.right) })
      }
      case 'instant': throw fail('A shape does not depend on time.')
      case 'call': {
        const count = node.name === 'pow' ? 2 : 1
        if (node.name !== 'pow' && !Object.hasOwn(FUNCTIONS, node.name)) throw fail(`There is no smooth function "${node.name}".`, NAMES)
        if (node.args.length !== count) throw fail(`${node.name} takes ${count === 1 ? 'one argument' : 'two arguments'}, not ${node.args.length}.`)
        if (node.name === 'pow') return raised(node.args[0]!, node.args[1]!)
        return add({ kind: 'unary', f: FUNCTIONS[node.name]!, a: visit(node.args[0]!) })
      }
    }
  }
  /** aᵇ: by the power rule if b is constant, else exp(b log a). */
  const raised = (base: MeasureNode, exponent: MeasureNode): number => {
    const constant = constantOf(exponent)
    const a = visit(base)
    if (constant !== null) return add({ kind: 'unary', f: power(constant), a })
    const product = add({ kind: 'binary', operator: '*', a: add({ kind: 'unary', f: FUNCTIONS.log!, a }), b: visit(exponent) })
    return add({ kind: 'unary', f: FUNCTIONS.exp!, a: product })
  }
  visit(parseMeasure(text, 'variables').node)
  return steps
}

/** The value of an expression without variables, by the four operations. */
function constantOf(node: MeasureNode): number | null {
  if (node.kind === 'number') return node.value
  if (node.kind === 'unary' && node.operator === '-') {
    const of = constantOf(node.of)
    return of === null ? null : -of
  }
  if (node.kind !== 'binary') return null
  const [a, b] = [constantOf(node.left), constantOf(node.right)]
  if (a === null || b === null) return null
  if (node.operator === '^') return pow(a, b)
  return '+-*/'.includes(node.operator) ? calculated(node.operator as Binary, a, b) : null
}
