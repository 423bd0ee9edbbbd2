/** Expressions of a sweep's parameters: `9.81*sin(angle*pi/180)`. The syntax is that of measures; a name is a parameter. */
import { expressionOf, MeasureError, type Expression } from '../../core/expression'
import { sweepFault } from './fault'

/** @param names of the parameters, in the order of the values @throws HostError */
export function parameterExpression(text: string, names: readonly string[]): Expression {
  try {
    return expressionOf(text, names)
  } catch (error) {
    if (error instanceof MeasureError) throw measureFault(error)
    throw error
  }
}

/** A syntax error in a measure or expression as a HostError, with a mark below its position. */
export function measureFault({ message, at, text, allowed }: MeasureError) {
  return sweepFault(`${message} At character ${at + 1} of "${text}".`, { value: text, ...(allowed === undefined ? {} : { allowed }) }, 'InvalidMeasure')
}
