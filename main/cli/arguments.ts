/** Strict parsing of the command line: unknown flags, missing values and numbers out of range are refused with the allowed values. */
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { usage } from './output'

type Options = NonNullable<ParseArgsConfig['options']>
type Values = Record<string, string | boolean | (string | boolean)[] | undefined>

/** `--time -1` as `--time=-1`: a number below zero is a value, not a flag. */
function joined(args: readonly string[], options: Options): string[] {
  const whole: string[] = []
  for (const arg of args) {
    const before = whole.at(-1)
    const takes = before?.startsWith('--') && !before.includes('=') && options[before.slice(2)]?.type === 'string'
    if (takes && /^-[\d.]/.test(arg)) whole[whole.length - 1] = `${before}=${arg}`
    else whole.push(arg)
  }
  return whole
}

export class Arguments {
  private constructor(private readonly values: Values, readonly positionals: readonly string[]) {}

  /** @param names of the positionals; the last is optional if it ends with `?` */
  static parse(args: readonly string[], options: Options, names: readonly string[]): Arguments {
    let parsed
    try {
      parsed = parseArgs({ args: joined(args, options), options, strict: true, allowPositionals: true })
    } catch (error) {
      const { code, message } = error as Error & { readonly code?: string }
      const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? /'([^']*)'/.exec(message)?.[1] : undefined
      throw usage(unknown === undefined ? message.split('\n')[0]! : `There is no option "${unknown}".`, Object.keys(options).map(name => `--${name}`).join(', '))
    }
    const required = names.filter(name => !name.endsWith('?')).length
    if (parsed.positionals.length < required) throw usage(`${names[parsed.positionals.length]!} is missing.`)
    if (parsed.positionals.length > names.length) throw usage(`"${parsed.positionals[names.length]!}" is one argument too many.`)
    return new Arguments(parsed.values, parsed.positionals)
  }

  flag(name: string): boolean {
    return this.values[name] === true
  }

  text(name: string): string | undefined {
    const value = this.values[name]
    return typeof value === 'string' ? value : undefined
  }

  texts(name: string): readonly string[] {
    const value = this.values[name]
    return Array.isArray(value) ? value.filter(element => typeof element === 'string') : []
  }

  number(name: string, allowed: { above?: number; least?: number; most?: number; integer?: boolean }): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const value = text.trim() === '' ? NaN : Number(text)
    const { above = -Infinity, least = -Infinity, most = Infinity, integer = false } = allowed
    if (Number.isFinite(value) && value > above && value >= least && value <= most && (!integer || Number.isInteger(value))) return value
    const bounds = [integer ? 'an integer' : 'a number', above > -Infinity && `> ${above}`, least > -Infinity && `≥ ${least}`, most < Infinity && `≤ ${most}`]
    throw usage(`--${name} is "${text}".`, bounds.filter(Boolean).join(' '))
  }

  choice<const T extends string>(name: string, choices: readonly T[]): T | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const found = choices.find(choice => choice === text)
    if (found === undefined) throw usage(`--${name} is "${text}".`, choices.join(', '))
    return found
  }
}
