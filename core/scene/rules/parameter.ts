import type { Path } from '../path'
import type { Parameter } from '../types'
import type { RuleContext } from './context'

/** Formulas name parameters by their ids. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

export function checkParameter({ list }: RuleContext, { id, value = 0, min = -Infinity, max = Infinity }: Parameter, path: Path): void {
  if (!NAME.test(id) || id === 'pi') {
    list.report('InvalidFormat', [...path, 'id'], `"${id}" cannot be written in a formula`, { value: id, allowed: 'letters, digits and underscores, not a digit first, and not pi', ids: [id] })
  }
  if (!(min <= max)) list.report('OutOfRange', [...path, 'max'], `The greatest value of "${id}" is below the least`, { value: max, allowed: `a number ≥ ${min}`, ids: [id] })
  if (value < min || value > max) {
    list.report('OutOfRange', [...path, 'value'], `"${id}" is ${value}`, { value, allowed: `a number from ${min} to ${max}`, ids: [id] })
  }
}
