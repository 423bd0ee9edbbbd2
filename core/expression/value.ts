/** Values of expressions over named numbers, with bit-identical elementary functions on all machines. */

import { atan, cos, exp, log, PI, pow, sin, tan } from '../math/elementary'
import { MeasureError, parseMeasure, type MeasureNode } from './syntax'

/** Independent of the machine: without Node's functions. */
const FUNCTIONS: Readonly<Record<string, readonly [arguments_: number, apply: (a: number, b: number) => number]>> = {
  sin: [1, sin], cos: [1, cos], tan: [1, tan], atan: [1, atan], exp: [1, exp], log: [1, log], sqrt: [1, Math.sqrt], abs: [1, Math.abs], pow: [2, pow],
  min: [2, Math.min], max: [2, Math.max],
}

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b, '-': (a, b) => a - b, '*': (a, b) => a * b, '/': (a, b) => a / b, '^': pow,
}

/** @param values in the order of the names of the expression; NaN if one is not a number */
export type Expression = (values: readonly unknown[]) => number

/** @param names that the text may use @throws MeasureError */
export function expressionOf(text: string, names: readonly string[]): Expression {
  return bound(parseMeasure(text).node, text, names)
}

/** The names in the text. @throws MeasureError */
export function namesIn(text: string): ReadonlySet<string> {
  const names = new Set<string>()
  const visit = (node: MeasureNode): void => {
    if (node.kind === 'channel') names.add(node.path.join('.'))
    else if (node.kind === 'unary' || node.kind === 'instant') visit(node.of)
    else if (node.kind === 'call') node.args.forEach(visit)
    else if (node.kind === 'binary') [node.left, node.right].forEach(visit)
  }
  visit(parseMeasure(text).node)
  names.delete('pi')
  return names
}

function bound(node: MeasureNode, text: string, names: readonly string[]): Expression {
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
      if (apply === undefined) throw fail(`"${node.operator}" does not give a value of a scene.`, Object.keys(ARITHMETIC).join(' '))
      return values => apply(left(values), right(values))
    }
    case 'instant': throw fail('A parameter does not depend on time.')
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

function variable(path: readonly (string | number)[], names: readonly string[], fail: Fail): Expression {
  if (path.length === 1 && path[0] === 'pi') return () => PI
  const index = path.length === 1 ? names.indexOf(String(path[0])) : -1
  if (index < 0) throw fail(`There is no parameter "${path.join('.')}".`, [...names, 'pi'].join(', '))
  return values => {
    const value = values[index]
    return typeof value === 'number' ? value : NaN
  }
}
