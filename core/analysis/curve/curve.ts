/**
 * Curves by formulas over the recorded quantities of a run: `norm(bodies.a.position - bodies.b.position)`, `derivative(energy.kinetic)`. The syntax
 * is that of measures. A value is a number at each frame, a vector of numbers, or one number for each contact of the frame. Units are tracked if they
 * are known.
 *
 * `derivative` and `integral` need other frames: their argument is evaluated over the whole run first, in a separate pass.
 */

import { MeasureError, parseMeasure, type BinaryOperator, type MeasureNode } from '../../expression'
import { cos, exp, log, PI, pow, sin, tan, atan } from '../../math/elementary'
import type { ContactChoice } from '../measure/channels'
import { derivative, integral } from './over-time'
import { quantityAt, type CurveFrame, type CurveScene, type Quantity } from './quantity'
import { NUMBER, productUnit, PURE, sameUnit, unitNamed, unitText, UNKNOWN, type Unit } from './unit'

type Part = Quantity['parts'][number]

interface Value extends Quantity {
  /** Number of passes over the run before the value is known. */
  readonly after: number
}

/** One number per frame, stored during a pass over all frames. */
interface Kept {
  readonly pass: number
  readonly value: (frame: CurveFrame) => number
  /** Receives the stored numbers. */
  readonly finish: (time: Float64Array, values: Float64Array) => void
}

/** A formula, bound to a scene. */
export interface Curve {
  readonly unit: string
  /** Passes over the frames; each evaluates all entries of `kept` with its number, and the last pass gives the curve. */
  readonly passes: number
  readonly kept: readonly Kept[]
  readonly value: (frame: CurveFrame) => number
}

const ANGLES: Readonly<Record<string, (x: number) => number>> = { sin, cos, tan }
const PURES: Readonly<Record<string, (x: number) => number>> = { atan, exp, log }
const OVER_TIME = { derivative: [derivative, -1], integral: [integral, 1] } as const
export const CURVE_FUNCTIONS: readonly string[] = ['norm', 'dot', 'cross', 'derivative', 'integral', 'abs', 'sqrt', 'min', 'max', 'sin', 'cos', 'tan', 'atan', 'exp', 'log']

/** @throws MeasureError with the position of invalid parts, or of quantities that the run does not have */
export function curveOf(text: string, scene: CurveScene): Curve {
  return new Binding(text, scene).curve()
}

class Binding {
  private readonly kept: Kept[] = []

  constructor(private readonly text: string, private readonly scene: CurveScene) {}

  curve(): Curve {
    const { node } = parseMeasure(this.text)
    const value = this.value(node)
    if (value.parts.length > 1) throw this.fail(node, 'This is a vector, and a curve is a number at each time.', 'norm(…), or a component such as .x or [0]')
    return { unit: unitText(value.unit), passes: value.after + 1, kept: this.kept, value: total(value) }
  }

  private fail(node: MeasureNode, message: string, allowed?: string): MeasureError {
    return new MeasureError(message, node.at, this.text, allowed)
  }

  private value(node: MeasureNode): Value {
    switch (node.kind) {
      case 'number': return constant(node.value)
      case 'channel':
        if (node.path.length === 1 && node.path[0] === 'pi') return constant(PI)
        return { ...quantityAt(node.path, this.scene, node.at, this.text), after: 0 }
      case 'instant': throw this.fail(node, 'A value at an instant is not a time series.', 'a quantity without @')
      case 'unary': {
        const of = this.value(node.of)
        const apply = node.operator === '-' ? (x: number) => -x : (x: number) => Number(x === 0)
        return { ...of, unit: node.operator === '-' ? of.unit : PURE, parts: of.parts.map(part => (frame, k) => apply(part(frame, k))) }
      }
      case 'binary': return this.binary(node)
      case 'call': return this.call(node)
    }
  }

  private binary(node: Extract<MeasureNode, { kind: 'binary' }>): Value {
    const { operator } = node
    const [a, b] = [this.value(node.left), this.value(node.right)]
    if (operator === '*') return this.product(node, a, b)
    if (operator === '/' || operator === '^') {
      if (b.parts.length > 1) throw this.fail(node, `"${operator}" does not take a vector on its right.`, 'a number at each time')
      if (operator === '^' && a.parts.length > 1) throw this.fail(node, 'A vector has no power.', 'norm(…) ^ 2')
      const unit = operator === '/' ? productUnit(a.unit, 1, b.unit, -1) : this.powerUnit(node, a.unit)
      const apply = operator === '/' ? (x: number, y: number) => x / y : pow
      return { ...this.joint(node, a, b), unit, parts: a.parts.map(part => (frame, k) => apply(part(frame, k), b.parts[0]!(frame, k))) }
    }
    const unit = this.commonUnit(node, a.unit, b.unit, `"${operator}"`)
    if (a.parts.length !== b.parts.length) throw this.fail(node, `"${operator}" takes two numbers or two vectors.`, 'norm(…), or a component such as .x')
    const apply = COMPARED[operator]
    const sums = operator === '+' || operator === '-'
    if (!sums && a.parts.length > 1) throw this.fail(node, 'Vectors cannot be compared.', 'norm(…), or a component such as .x')
    return { ...this.joint(node, a, b), unit: sums ? unit : PURE, parts: a.parts.map((part, i) => (frame, k) => apply(part(frame, k), b.parts[i]!(frame, k))) }
  }

  /** Product of numbers, or of a number and a vector. */
  private product(node: MeasureNode, a: Value, b: Value): Value {
    if (a.parts.length > 1 && b.parts.length > 1) throw this.fail(node, 'Two vectors have more than one product.', 'dot(a, b), cross(a, b)')
    const [one, many] = a.parts.length > 1 ? [b, a] : [a, b]
    const parts = many.parts.map((part): Part => (frame, k) => one.parts[0]!(frame, k) * part(frame, k))
    return { ...this.joint(node, a, b), unit: productUnit(a.unit, 1, b.unit, 1), parts }
  }

  /** Common domain of two values: their contacts, and the times at which both are known. */
  private joint(node: MeasureNode, a: Value, b: Value): { readonly contacts: ContactChoice | null; readonly after: number } {
    const { contacts: first } = a
    const { contacts: second } = b
    if (first && second && (first.length !== second.length || second.some(body => !first.includes(body)))) {
      throw this.fail(node, 'Quantities of different contacts cannot be combined contact by contact.', 'those of the same bodies')
    }
    return { contacts: first ?? second, after: Math.max(a.after, b.after) }
  }

  private commonUnit(node: MeasureNode, a: Unit, b: Unit, what: string): Unit {
    if (a.kind === 'known' && b.kind === 'known' && !sameUnit(a.dimension, b.dimension)) {
      const named = (unit: typeof a) => unit.name === '' ? 'a pure number' : unit.name
      throw this.fail(node, `${what} of ${named(a)} and ${named(b)} has no meaning.`, 'quantities of one unit')
    }
    if (a.kind === 'unknown' || b.kind === 'unknown') return UNKNOWN
    return a.kind === 'number' ? b : a
  }

  private powerUnit({ right }: Extract<MeasureNode, { kind: 'binary' }>, unit: Unit): Unit {
    const sign = right.kind === 'unary' && right.operator === '-' ? -1 : 1
    const exponent = right.kind === 'unary' ? right.of : right
    if (exponent.kind === 'number') return productUnit(unit, sign * exponent.value, NUMBER, 1)
    return unit.kind === 'number' ? PURE : UNKNOWN
  }

  private call(node: Extract<MeasureNode, { kind: 'call' }>): Value {
    const { name } = node
    if (!CURVE_FUNCTIONS.includes(name)) throw this.fail(node, `There is no function "${name}".`, CURVE_FUNCTIONS.join(', '))
    const count = name === 'dot' || name === 'cross' ? 2 : 1
    const extreme = name === 'min' || name === 'max'
    if (extreme ? node.args.length > 2 : node.args.length !== count) {
      throw this.fail(node, `${name} takes ${extreme ? 'one or two arguments' : count === 1 ? 'one argument' : 'two arguments'}, not ${node.args.length}.`)
    }
    const [a, b] = node.args.map(argument => this.value(argument))
    if (name === 'derivative' || name === 'integral') return this.overTime(name, a!)
    if (name === 'norm') {
      const { parts } = a!
      if (parts.length === 1) throw this.fail(node, 'norm takes a vector.', 'abs(…) of a number')
      return { ...a!, parts: [(frame, k) => Math.sqrt(parts.reduce((sum, part) => sum + part(frame, k) * part(frame, k), 0))] }
    }
    if (name === 'dot' || name === 'cross') return this.vectors(node, a!, b!)
    const vector = [a, b].find(argument => argument !== undefined && argument.parts.length > 1)
    if (vector) throw this.fail(node, `${name} does not take a vector.`, 'norm(…), or a component such as .x')
    if (extreme) return b === undefined ? this.extremeContact(node, a!) : this.extreme(node, a!, b)
    if (name === 'abs') return { ...a!, parts: [mapped(a!, Math.abs)] }
    if (name === 'sqrt') return { ...a!, unit: productUnit(a!.unit, 0.5, NUMBER, 1), parts: [mapped(a!, Math.sqrt)] }
    const { unit } = a!
    const fits = unit.kind !== 'known' || (unit.dimension[0] === 0 && unit.dimension[1] === 0 && unit.dimension[2] === 0)
    if (!fits) throw this.fail(node, `${name} takes ${name in ANGLES ? 'an angle in radians' : 'a pure number'}, not ${unit.name}.`)
    return { ...a!, unit: name === 'atan' ? unitNamed('rad') : PURE, parts: [mapped(a!, (ANGLES[name] ?? PURES[name])!)] }
  }

  private vectors(node: Extract<MeasureNode, { kind: 'call' }>, a: Value, b: Value): Value {
    if (a.parts.length !== 3 || b.parts.length !== 3) throw this.fail(node, `${node.name} takes two vectors.`, 'such as bodies.<id>.linearVelocity')
    const product = (i: number, j: number): Part => (frame, k) => a.parts[i]!(frame, k) * b.parts[j]!(frame, k)
    const [common, unit] = [this.joint(node, a, b), productUnit(a.unit, 1, b.unit, 1)]
    if (node.name === 'dot') {
      const parts = [0, 1, 2].map(i => product(i, i))
      return { ...common, unit, parts: [(frame, k) => parts.reduce((sum, part) => sum + part(frame, k), 0)] }
    }
    const parts = [0, 1, 2].map((i): Part => {
      const [plus, minus] = [product((i + 1) % 3, (i + 2) % 3), product((i + 2) % 3, (i + 1) % 3)]
      return (frame, k) => plus(frame, k) - minus(frame, k)
    })
    return { ...common, unit, parts }
  }

  private extreme(node: Extract<MeasureNode, { kind: 'call' }>, a: Value, b: Value): Value {
    const apply = node.name === 'min' ? Math.min : Math.max
    const unit = this.commonUnit(node, a.unit, b.unit, node.name)
    return { ...this.joint(node, a, b), unit, parts: [(frame, k) => apply(a.parts[0]!(frame, k), b.parts[0]!(frame, k))] }
  }

  /** The largest or smallest of the frame's contacts. */
  private extremeContact(node: Extract<MeasureNode, { kind: 'call' }>, of: Value): Value {
    const { contacts: choice, parts: [part] } = of
    if (choice === null) throw this.fail(node, `${node.name} with one argument combines the contacts at each time, and this is not a quantity of contacts.`, `${node.name}(a, b)`)
    const better = node.name === 'min' ? (a: number, b: number) => a < b : (a: number, b: number) => a > b
    return {
      ...of, contacts: null, parts: [frame => {
        let best = NaN
        overContacts(frame, choice, k => {
          const value = part!(frame, k)
          if (Number.isNaN(best) || better(value, best)) best = value
        })
        return best
      }],
    }
  }

  private overTime(name: keyof typeof OVER_TIME, of: Value): Value {
    const [apply, power] = OVER_TIME[name]
    const summed = of.contacts === null ? of.parts : [total(of)]
    const parts = summed.map((part): Part => {
      let column = new Float64Array(0)
      const finish = (time: Float64Array, values: Float64Array) => { column = apply(time, values) as Float64Array<ArrayBuffer> }
      this.kept.push({ pass: of.after, value: frame => part(frame, 0), finish })
      return frame => column[frame.index] ?? NaN
    })
    return { unit: productUnit(of.unit.kind === 'number' ? PURE : of.unit, 1, unitNamed('s'), power), contacts: null, parts, after: of.after + 1 }
  }
}

const COMPARED: Readonly<Record<Exclude<BinaryOperator, '*' | '/' | '^'>, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b, '-': (a, b) => a - b, '<': (a, b) => Number(a < b), '<=': (a, b) => Number(a <= b), '>': (a, b) => Number(a > b),
  '>=': (a, b) => Number(a >= b), '==': (a, b) => Number(a === b), '!=': (a, b) => Number(a !== b),
  '&&': (a, b) => Number(a !== 0 && b !== 0), '||': (a, b) => Number(a !== 0 || b !== 0),
}

const constant = (value: number): Value => ({ unit: NUMBER, contacts: null, parts: [() => value], after: 0 })

const mapped = ({ parts: [part] }: Value, apply: (x: number) => number): Part => (frame, k) => apply(part!(frame, k))

/** The value of a frame; for contacts, their sum. */
function total({ contacts: choice, parts: [part] }: Value): (frame: CurveFrame) => number {
  if (choice === null) return frame => part!(frame, 0)
  return frame => {
    let sum = 0
    overContacts(frame, choice, k => { sum += part!(frame, k) })
    return sum
  }
}

function overContacts({ contacts: { count, bodyA, bodyB } }: CurveFrame, choice: ContactChoice, visit: (contact: number) => void): void {
  for (let k = 0; k < count; k++) if (choice.every(body => bodyA[k] === body || bodyB[k] === body)) visit(k)
}
