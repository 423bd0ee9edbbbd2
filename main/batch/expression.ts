/** Expressions of a sweep's parameters: `9.81*sin(angle*pi/180)`. The syntax is that of measures; a name is a parameter. */
import { MeasureError, parseMeasure, type MeasureNode } from '../../core/analysis/measure'
import { atan, cos, exp, log, PI, pow, sin, tan } from '../../core/math/elementary'
import { sweepFault } from './fault'

/** The same on every machine: none of Node's own. */
const FUNCTIONS: Readonly<Record<string, readonly [arguments_: number, apply: (a: number, b: number) => number]>> = {
  sin: [1, sin], cos: [1, cos], tan: [1, tan], atan: [1, atan], exp: [1, exp], log: [1, log], sqrt: [1, Math.sqrt], abs: [1, Math.abs], pow: [2, pow],
  min: [2, Math.min], max: [2, Math.max],
}

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b, '-': (a, b) => a - b, '*': (a, b) => a * b, '/': (a, b) => a / b,
}

export type ParameterExpression = (values: readonly unknown[]) => number

/** @param names of the parameters, in the order of the values @throws HostError */
export function parameterExpression(text: string, names: readonly string[]): ParameterExpression {
  try {
    return bound(parseMeasure(text).node, text, names)
  } catch (error) {
    if (error instanceof MeasureError) throw measureFault(error)
    throw error
  }
}

/** A fault in a measure or expression as a refusal: with the text and a mark under the place. */
export function measureFault({ message, at, text, allowed }: MeasureError) {
  return sweepFault(`${message} At character ${at + 1} of "${text}".`, { value: text, ...(allowed === undefined ? {} : { allowed }) }, 'InvalidMeasure')
}

function bound(node: MeasureNode, text: string, names: readonly string[]): ParameterExpression {
  const fail: Fail = (message, allowed) => new MeasureError(message, node.at, text, allowed)
  switch (node.kind) {
    case 'number': return () => node.value
    case 'channel': return variable(node.path, names, fail)
    case 'unary': {
      const of = bound(node.of, text, names)
      return node.operator === '-' ? values => -of(values) : values => Number(of(values) === 0)
    }
    case 'binary': {
      const [left, right] = [bound(node.left, text, names), bound(node.right, text, names)]
      const apply = ARITHMETIC[node.operator]
      if (apply === undefined) throw fail(`"${node.operator}" makes no value of a scene.`, Object.keys(ARITHMETIC).join(' '))
      return values => apply(left(values), right(values))
    }
    case 'instant': throw fail('A parameter has no course in time.')
    case 'call': {
      const known = Object.hasOwn(FUNCTIONS, node.name) ? FUNCTIONS[node.name]! : null
      if (known === null) throw fail(`There is no function "${node.name}".`, Object.keys(FUNCTIONS).join(', '))
      const [count, apply] = known
      if (node.args.length !== count) throw fail(`${node.name} takes ${count === 1 ? 'one argument' : `${count} arguments`}, not ${node.args.length}.`)
      const [first, second] = node.args.map(argument => bound(argument, text, names))
      return values => apply(first!(values), second?.(values) ?? 0)
    }
  }
}

type Fail = (message: string, allowed?: string) => MeasureError

function variable(path: readonly (string | number)[], names: readonly string[], fail: Fail): ParameterExpression {
  if (path.length === 1 && path[0] === 'pi') return () => PI
  const index = path.length === 1 ? names.indexOf(String(path[0])) : -1
  if (index < 0) throw fail(`There is no parameter "${path.join('.')}".`, [...names, 'pi'].join(', '))
  return values => {
    const value = values[index]
    return typeof value === 'number' ? value : NaN
  }
}
