/** Option values from the command line or a dialog, validated against their description. */

import type { FormatOption, OptionValues } from '../format'
import { FormatError } from './error'

/** All options with their values or defaults. Text is parsed according to the option's kind. @throws FormatError for invalid values */
export function completeOptions(options: readonly FormatOption[], given: Readonly<Record<string, unknown>> = {}): OptionValues {
  for (const key of Object.keys(given)) {
    if (options.some(option => option.id === key)) continue
    const allowed = options.map(option => option.id).join(', ') || 'none'
    throw new FormatError('InvalidOption', key, `There is no option "${key}".`, { value: key, allowed })
  }
  return Object.fromEntries(options.map(option => [option.id, Object.hasOwn(given, option.id) ? valueOf(option, given[option.id]) : option.default]))
}

function valueOf(option: FormatOption, value: unknown): boolean | string | number {
  const refused = (allowed: string) => new FormatError('InvalidOption', option.id, `"${String(value)}" is not a value of the option "${option.id}".`, { value, allowed })
  switch (option.kind) {
    case 'flag':
      if (value === true || value === 'true') return true
      if (value === false || value === 'false') return false
      throw refused('true or false')
    case 'choice':
      if (option.choices.some(choice => choice.id === value)) return value as string
      throw refused(option.choices.map(choice => choice.id).join(', '))
    case 'number': {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
      const { least = -Infinity, most = Infinity } = option
      if (typeof number === 'number' && Number.isFinite(number) && number >= least && number <= most) return number
      throw refused(`a number from ${least} to ${most}`)
    }
    case 'text':
      if (typeof value === 'string' && value.length <= 1000) return value
      throw refused('a text of at most 1000 characters')
  }
}
