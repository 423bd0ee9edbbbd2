/**
 * Formulas with their first and second derivatives, by automatic differentiation in forward mode: each operation is one entry of a tape, and each entry
 * holds a second-order Taylor polynomial (a jet) of its value by the variables. Exact but for rounding; no code is made from the text.
 */

import { atan, cos, exp, log, PI, pow, sin, tan } from '../math/elementary'
import { MeasureError, parseMeasure, type MeasureNode } from './syntax'

type Binary = '+' | '-' | '*' | '/'

/** A function of one variable with its derivatives, given x and f(x). */
interface Smooth {
  value(x: number): number
  first(x: number, f: number): number
  second(x: number, f: number): number
}

type Step =
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'variable'; readonly index: number }
  | { readonly kind: 'binary'; readonly operator: Binary; readonly a: number; readonly b: number }
  | { readonly kind: 'unary'; readonly f: Smooth; readonly a: number }

/** @param value f(x) @param derivatives f′ and f″ from x and f(x) */
const smooth = (value: (x: number) => number, first: (x: number, f: number) => number, second: (x: number, f: number) => number): Smooth =>
  ({ value, first, second })

const FUNCTIONS: Readonly<Record<string, Smooth>> = {
  sin: smooth(sin, cos, (_, f) => -f),
  cos: smooth(cos, x => -sin(x), (_, f) => -f),
  tan: smooth(tan, (_, f) => 1 + f * f, (_, f) => 2 * f * (1 + f * f)),
  atan: smooth(atan, x => 1 / (1 + x * x), x => -2 * x / ((1 + x * x) * (1 + x * x))),
  exp: smooth(exp, (_, f) => f, (_, f) => f),
  log: smooth(log, x => 1 / x, x => -1 / (x * x)),
  sqrt: smooth(Math.sqrt, (_, f) => 0.5 / f, (x, f) => -0.25 / (x * f)),
  // Its corner is at 0, where a power above 2 of it is smooth.
  abs: smooth(Math.abs, Math.sign, () => 0),
}
const NAMES = [...Object.keys(FUNCTIONS), 'pow'].join(', ')

const power = (p: number): Smooth => p === 2 ? smooth(x => x * x, x => 2 * x, () => 2)
  : smooth(x => pow(x, p), x => p * pow(x, p - 1), x => p === 1 ? 0 : p * (p - 1) * pow(x, p - 2))

/** A formula in variables; holds what it found last. */
export class Jet {
  /** ∂f/∂xᵢ and ∂²f/∂xᵢ∂xⱼ, row-major. */
  readonly gradient: Float64Array
  readonly hessian: Float64Array
  private readonly steps: readonly Step[]
  /** One entry of the tape after the other: value, gradient, and the upper triangle of the Hessian, row by row. */
  private readonly tape: Float64Array
  private readonly stride: number
  private readonly values: Float64Array

  /** @param variables their names @throws MeasureError */
  constructor(text: string, private readonly variables: readonly string[]) {
    const n = variables.length
    this.steps = stepsOf(parseMeasure(text, 'variables').node, text, variables)
    this.stride = 1 + n + n * (n + 1) / 2
    this.tape = new Float64Array(this.steps.length * this.stride)
    this.values = new Float64Array(this.steps.length)
    this.gradient = new Float64Array(n)
    this.hessian = new Float64Array(n * n)
  }

  /** The value alone. */
  value(x: readonly number[]): number {
    const { steps, values } = this
    for (let k = 0; k < steps.length; k++) {
      const step = steps[k]!
      switch (step.kind) {
        case 'constant':
          values[k] = step.value
          break
        case 'variable':
          values[k] = x[step.index]!
          break
        case 'unary':
          values[k] = step.f.value(values[step.a]!)
          break
        case 'binary':
          values[k] = calculated(step.operator, values[step.a]!, values[step.b]!)
      }
    }
    return values[steps.length - 1]!
  }

  /** The value at `x`, and its derivatives into `gradient` and `hessian`; not finite where a formula has no value. */
  at(x: readonly number[]): number {
    const { steps, tape, stride, gradient, hessian } = this
    const n = this.variables.length
    for (let k = 0; k < steps.length; k++) this.step(steps[k]!, k * stride, x)
    const last = (steps.length - 1) * stride
    for (let i = 0, h = last + 1 + n; i < n; i++) {
      gradient[i] = tape[last + 1 + i]!
      for (let j = i; j < n; j++, h++) hessian[n * i + j] = hessian[n * j + i] = tape[h]!
    }
    return tape[last]!
  }

  private step(step: Step, to: number, x: readonly number[]): void {
    const { tape, stride } = this
    switch (step.kind) {
      case 'constant':
        tape[to] = step.value
        return
      case 'variable':
        tape[to] = x[step.index]!
        tape[to + 1 + step.index] = 1
        return
      case 'unary':
        this.chain(step.f, step.a * stride, to)
        return
      case 'binary':
        this.combine(step.operator, step.a * stride, step.b * stride, to)
    }
  }

  /** f(a): f′ ∇a, and f″ ∇a ∇aᵀ + f′ ∇²a. */
  private chain(f: Smooth, a: number, to: number): void {
    const { tape } = this
    const n = this.variables.length
    const x = tape[a]!
    const value = f.value(x)
    const first = f.first(x, value)
    const second = f.second(x, value)
    tape[to] = value
    for (let i = 0, h = 1 + n; i < n; i++) {
      const slope = tape[a + 1 + i]!
      tape[to + 1 + i] = times(first, slope)
      for (let j = i; j < n; j++, h++) tape[to + h] = times(second, slope * tape[a + 1 + j]!) + times(first, tape[a + h]!)
    }
  }

  private combine(operator: Binary, a: number, b: number, to: number): void {
    const { tape, stride } = this
    const n = this.variables.length
    if (operator === '+' || operator === '-') {
      const sign = operator === '+' ? 1 : -1
      for (let i = 0; i < stride; i++) tape[to + i] = tape[a + i]! + sign * tape[b + i]!
      return
    }
    const u = tape[a]!
    const v = tape[b]!
    // a/b: with q = a/b, ∇q = (∇a − q ∇b)/b and ∇²q = (∇²a − q ∇²b − ∇q ∇bᵀ − ∇b ∇qᵀ)/b.
    const quotient = u / v
    tape[to] = operator === '*' ? u * v : quotient
    for (let i = 0; i < n; i++) {
      const da = tape[a + 1 + i]!
      const db = tape[b + 1 + i]!
      tape[to + 1 + i] = operator === '*' ? u * db + v * da : (da - quotient * db) / v
    }
    for (let i = 0, h = 1 + n; i < n; i++) {
      for (let j = i; j < n; j++, h++) {
        const bi = tape[b + 1 + i]!
        const bj = tape[b + 1 + j]!
        tape[to + h] = operator === '*'
          ? u * tape[b + h]! + v * tape[a + h]! + tape[a + 1 + i]! * bj + tape[a + 1 + j]! * bi
          : (tape[a + h]! - quotient * tape[b + h]! - tape[to + 1 + i]! * bj - bi * tape[to + 1 + j]!) / v
      }
    }
  }
}

function calculated(operator: Binary, a: number, b: number): number {
  switch (operator) {
    case '+': return a + b
    case '-': return a - b
    case '*': return a * b
    case '/': return a / b
  }
}

/** A derivative that is infinite counts for nothing along what does not change: √(x²) has one at 0 by y. */
function times(rate: number, change: number): number {
  return change === 0 ? 0 : rate * change
}

function stepsOf(root: MeasureNode, text: string, variables: readonly string[]): Step[] {
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
        if (node.operator === '!') throw fail('"!" makes no smooth surface.', '+ - * / ^')
        const a = visit(node.of)
        return add({ kind: 'binary', operator: '-', a: add({ kind: 'constant', value: 0 }), b: a })
      }
      case 'binary': {
        if (node.operator === '^') return raised(node.left, node.right)
        if (!'+-*/'.includes(node.operator)) throw fail(`"${node.operator}" makes no smooth surface.`, '+ - * / ^')
        const a = visit(node.left)
        return add({ kind: 'binary', operator: node.operator as Binary, a, b: visit(node.right) })
      }
      case 'instant': throw fail('A surface has no course in time.')
      case 'call': {
        const count = node.name === 'pow' ? 2 : 1
        if (node.name !== 'pow' && !Object.hasOwn(FUNCTIONS, node.name)) throw fail(`There is no smooth function "${node.name}".`, NAMES)
        if (node.args.length !== count) throw fail(`${node.name} takes ${count === 1 ? 'one argument' : 'two arguments'}, not ${node.args.length}.`)
        if (node.name === 'pow') return raised(node.args[0]!, node.args[1]!)
        return add({ kind: 'unary', f: FUNCTIONS[node.name]!, a: visit(node.args[0]!) })
      }
    }
  }
  /** aᵇ: by the rule of powers where b is a constant, else exp(b log a). */
  const raised = (base: MeasureNode, exponent: MeasureNode): number => {
    const constant = constantOf(exponent)
    const a = visit(base)
    if (constant !== null) return add({ kind: 'unary', f: power(constant), a })
    const product = add({ kind: 'binary', operator: '*', a: add({ kind: 'unary', f: FUNCTIONS.log!, a }), b: visit(exponent) })
    return add({ kind: 'unary', f: FUNCTIONS.exp!, a: product })
  }
  visit(root)
  return steps
}

/** The value of what depends on no variable, by the four operations. */
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
