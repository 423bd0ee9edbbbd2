/**
 * Measures bound to a scene, and evaluated along a run frame by frame: only one accumulator per aggregate is stored.
 *
 * A channel is a series, a number at each output time. `max`, `min`, `mean`, `integral`, `first` and `last` with one argument, and `@`, reduce a
 * series to a number; the value of an unreduced series is that at the end. `max` and `min` of several arguments, `abs` and `sqrt` apply to numbers
 * and series alike. A channel of contacts has one value for each contact in each frame. `max` uses the largest of them, `min` the smallest, `first`
 * and `last` any, and all others use their sum.
 */

import { AGGREGATES, aggregate, ValueAt, type Accumulator } from './accumulators'
import { measureChannel, type ContactChoice, type MeasureChannel, type MeasuredFrame, type MeasuredScene } from './channels'
import { pow } from '../../math/elementary'
import { MeasureError, type BinaryOperator, type MeasureNode, type ParsedMeasure } from '../../expression'

type Value = () => number
type Fail = (at: number, message: string, allowed?: string) => MeasureError

/** An accumulator with its input series. */
interface Fed {
  readonly accumulator: Accumulator
  readonly series: MeasureChannel
}

const FUNCTIONS: Readonly<Record<string, (...values: number[]) => number>> = {
  abs: value => Math.abs(value!), sqrt: value => Math.sqrt(value!), max: (...values) => Math.max(...values), min: (...values) => Math.min(...values),
}
const UNARY: readonly string[] = ['abs', 'sqrt']

/** Every function, for messages and completion. */
export const MEASURE_FUNCTIONS: readonly string[] = [...AGGREGATES, ...UNARY]

/** Evaluates measures along one run. */
export class Measures {
  private readonly fed: Fed[] = []
  private readonly values: readonly Value[]

  /** @throws MeasureError if a measure is invalid or refers to something that the scene does not have */
  constructor(measures: readonly ParsedMeasure[], scene: MeasuredScene) {
    this.values = measures.map(({ node, text }) => new Binding(scene, text, this.fed).number(node))
  }

  /** Processes the next frame of the run. */
  frame(frame: MeasuredFrame): void {
    for (const { accumulator, series } of this.fed) accumulator.add(frame.time, inFrame(series, accumulator.ofContacts, frame))
  }

  /** Values of the measures over the frames so far, in their order; NaN if there is none. */
  results(): number[] {
    return this.values.map(value => value())
  }
}

/** The value of a series in a frame. */
function inFrame({ contacts: choice, value }: MeasureChannel, how: Accumulator['ofContacts'], frame: MeasuredFrame): number {
  if (choice === null) return value(frame, 0)
  const { contacts: { count, bodyA, bodyB } } = frame
  let result = how === 'sum' ? 0 : NaN
  for (let k = 0; k < count; k++) {
    if (!choice.every(body => bodyA[k] === body || bodyB[k] === body)) continue
    const one = value(frame, k)
    if (how === 'sum') result += one
    else if (Number.isNaN(result) || (how === 'largest' ? one > result : one < result)) result = one
  }
  return result
}

/** One measure during its conversion from syntax to values. */
class Binding {
  private readonly fail: Fail

  constructor(private readonly scene: MeasuredScene, private readonly text: string, private readonly fed: Fed[]) {
    this.fail = (at, message, allowed) => new MeasureError(message, at, text, allowed)
  }

  /** A node whose value is one number for the run. */
  number(node: MeasureNode): Value {
    switch (node.kind) {
      case 'number': return () => node.value
      case 'channel': return this.feed(new ValueAt('end'), this.series(node))
      case 'instant': return this.feed(new ValueAt(node.when), this.series(node.of))
      case 'unary': {
        const of = this.number(node.of)
        return () => unary(node.operator, of())
      }
      case 'binary': {
        const [left, right] = [this.number(node.left), this.number(node.right)]
        return () => binary(node.operator, left(), right())
      }
      case 'call': {
        const name = AGGREGATES.find(known => known === node.name)
        if (name !== undefined && node.args.length === 1) return this.feed(aggregate(name), this.series(node.args[0]!))
        const apply = this.function(node)
        const args = node.args.map(argument => this.number(argument))
        return () => apply(...args.map(value => value()))
      }
    }
  }

  private feed(accumulator: Accumulator, series: MeasureChannel): Value {
    this.fed.push({ accumulator, series })
    return () => accumulator.result()
  }

  /** A node whose value is a number at each output time. */
  private series(node: MeasureNode): MeasureChannel {
    switch (node.kind) {
      case 'number': return { contacts: null, value: () => node.value }
      case 'channel': return measureChannel(node.path, this.scene, node.at, this.text)
      case 'instant': throw this.fail(node.at, 'A value at an instant is not a time series.', 'a channel')
      case 'unary': {
        const { contacts, value } = this.series(node.of)
        return { contacts, value: (frame, k) => unary(node.operator, value(frame, k)) }
      }
      case 'binary': {
        const [left, right] = [this.series(node.left), this.series(node.right)]
        const contacts = this.common(node.at, [left.contacts, right.contacts])
        return { contacts, value: (frame, k) => binary(node.operator, left.value(frame, k), right.value(frame, k)) }
      }
      case 'call': {
        if (node.args.length === 1 && AGGREGATES.some(known => known === node.name)) {
          throw this.fail(node.at, `${node.name} of a series is not a time series.`, 'aggregates beside each other, not inside each other')
        }
        const apply = this.function(node)
        const args = node.args.map(argument => this.series(argument))
        const contacts = this.common(node.at, args.map(argument => argument.contacts))
        return { contacts, value: (frame, k) => apply(...args.map(({ value }) => value(frame, k))) }
      }
    }
  }

  /** The common contacts of several series; they must be the same. */
  private common(at: number, choices: readonly (ContactChoice | null)[]): ContactChoice | null {
    const [first, ...others] = choices.filter(choice => choice !== null)
    if (first === undefined) return null
    if (others.some(other => other.length !== first.length || other.some(body => !first.includes(body)))) {
      throw this.fail(at, 'Channels of different contacts cannot be combined contact by contact.', 'channels of the same bodies, or an aggregate of each')
    }
    return first
  }

  private function({ name, args, at }: Extract<MeasureNode, { kind: 'call' }>): (...values: number[]) => number {
    const apply = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined
    if (apply === undefined) {
      if (AGGREGATES.some(known => known === name)) throw this.fail(at, `${name} takes one argument, not ${args.length}.`)
      throw this.fail(at, `There is no function "${name}".`, MEASURE_FUNCTIONS.join(', '))
    }
    if (UNARY.includes(name) && args.length !== 1) throw this.fail(at, `${name} takes one argument, not ${args.length}.`)
    return apply
  }
}

function unary(operator: '-' | '!', value: number): number {
  return operator === '-' ? -value : Number(value === 0)
}

/** Conditions have the values 1 and 0. */
function binary(operator: BinaryOperator, a: number, b: number): number {
  switch (operator) {
    case '+': return a + b
    case '-': return a - b
    case '*': return a * b
    case '/': return a / b
    case '^': return pow(a, b)
    case '<': return Number(a < b)
    case '<=': return Number(a <= b)
    case '>': return Number(a > b)
    case '>=': return Number(a >= b)
    case '==': return Number(a === b)
    case '!=': return Number(a !== b)
    case '&&': return Number(a !== 0 && b !== 0 && !Number.isNaN(a) && !Number.isNaN(b))
    case '||': return Number((a !== 0 && !Number.isNaN(a)) || (b !== 0 && !Number.isNaN(b)))
  }
}
