import type { Path } from '../path'
import type { Parameter } from '../types'
import type { RuleContext } from './context'
import { BEFORE_ALL, checkKeyTimes } from './keys'

/** Formulas refer to parameters by their ids. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

export function checkParameter(context: RuleContext, parameter: Parameter, path: Path): void {
  const { list } = context
  const { id, value = 0, min = -Infinity, max = Infinity, keys = [], expressions = [] } = parameter
  if (!NAME.test(id) || id === 'pi') {
    list.report('InvalidFormat', [...path, 'id'], `"${id}" cannot be written in a formula`, { value: id, allowed: 'letters, digits and underscores, not a digit first, and not pi', ids: [id] })
  }
  if (!(min <= max)) list.report('OutOfRange', [...path, 'max'], `The greatest value of "${id}" is below the least`, { value: max, allowed: `a number ≥ ${min}`, ids: [id] })
  if (value < min || value > max) {
    list.report('OutOfRange', [...path, 'value'], `"${id}" is ${value}`, { value, allowed: `a number from ${min} to ${max}`, ids: [id] })
  }
  checkKeyTimes(context, keys, BEFORE_ALL, [...path, 'keys'], [id])
  keys.forEach(({ value: later }, k) => {
    if (later >= min && later <= max) return
    list.report('OutOfRange', [...path, 'keys', k, 'value'], `"${id}" becomes ${later}`, { value: later, allowed: `a number from ${min} to ${max}`, ids: [id] })
  })
  if (keys.length > 0 && expressions.some(({ field }) => field === 'value')) {
    list.report('InvalidKeys', [...path, 'keys'], `"${id}" follows a formula, and has keys too`, { value: keys.length, allowed: 'no keys, or a value that is a number', ids: [id] })
  }
}
