/** `--option name=value`, repeatable: options of a format. */
import type { Arguments } from './arguments'
import { usage } from './output'

export const formatOption = { option: { type: 'string', multiple: true } } as const

/** By name; the format validates them. */
export function optionsOf(given: Arguments): Record<string, string> {
  return Object.fromEntries(given.texts('option').map(text => {
    const at = text.indexOf('=')
    if (at < 1) throw usage(`--option is "${text}".`, 'name=value')
    return [text.slice(0, at), text.slice(at + 1)]
  }))
}
