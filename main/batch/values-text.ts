/** Parses typed values of a parameter. */
import { parseValueList } from '../protocol/value-list'
import type { ParameterValues, SweepLet, SweepParameter } from '../protocol/sweeps'
import { sweepFault } from './fault'
import { MAX_RUNS } from './design/points'

const ALLOWED = 'from:to:count, from:to (with --sample), from:to:count:log, or values separated by commas'

/**
 * `0.1:0.9:33` (evenly spaced, both ends), `1e-4:1e-1:4:log`, `0:1` (for samples), or a list: `1e-3,5e-3`, `dantzig,lemke`, `[0,0,-9.81],[0,0,-1.62]`.
 *
 * @throws HostError for an empty range, and other invalid values
 */
export function parseValues(text: string): ParameterValues {
  const range = /^([^,:[\]"{}]+):([^,:]+)(?::([^,:]+))?(?::(log|linear))?$/.exec(text.trim())
  return range ? rangeOf(text, range) : { kind: 'list', values: listOf(text) }
}

function rangeOf(text: string, [, first, second, third, fourth]: RegExpExecArray): ParameterValues {
  const logarithmic = third === 'log' || fourth === 'log'
  const counted = third !== undefined && third !== 'log' && third !== 'linear'
  const [from, to] = [numberOf(first!), numberOf(second!)]
  const count = counted ? numberOf(third) : null
  const refuse = (why: string, allowed = ALLOWED) => sweepFault(`The values "${text}" ${why}.`, { value: text, allowed })
  if (Number.isNaN(from) || Number.isNaN(to)) throw refuse('are not a range of numbers')
  if (count !== null && !(Number.isInteger(count) && count >= 1 && count <= MAX_RUNS)) throw refuse('are an empty range', 'a whole number of values, at least 1')
  if (from === to && count !== 1) throw refuse('are an empty range: both ends are the same', 'two different ends, or one value')
  if (logarithmic && !(from > 0 && to > 0)) throw refuse('have no logarithms', 'two ends above 0')
  return { kind: 'range', from, to, count, scale: logarithmic ? 'log' : 'linear' }
}

function numberOf(text: string): number {
  const value = text.trim() === '' ? NaN : Number(text)
  return Number.isFinite(value) ? value : NaN
}

function listOf(text: string): unknown[] {
  const values = parseValueList(text)
  if (values === null) throw sweepFault(`The values "${text}" contain an empty one, or unbalanced brackets.`, { value: text, allowed: ALLOWED })
  return values
}

/**
 * `path=values`, `name=path=values`, or `name=path+path=values` for several fields with the same value. With `named`, `name=values`: without a field.
 *
 * @throws HostError
 */
export function parseParameter(text: string, named: boolean): SweepParameter {
  const parts = splitAtEquals(text)
  const values = parts.at(-1)
  if (named && parts.length === 2) return { name: parts[0]!, paths: [], values: parseValues(values!) }
  if (!named && parts.length === 2) return { name: parts[0]!, paths: parts[0]!.split('+'), values: parseValues(values!) }
  if (!named && parts.length === 3) return { name: parts[0]!, paths: parts[1]!.split('+'), values: parseValues(values!) }
  throw named
    ? sweepFault(`--param is "${text}".`, { value: text, allowed: 'name=values, e.g. angle=10:40:31' })
    : sweepFault(`--vary is "${text}".`, { value: text, allowed: 'path=values or name=path=values, e.g. mu=materials.wax.friction.static=0.1:0.9:33' })
}

/** `path=expression`. @throws HostError */
export function parseLet(text: string): SweepLet {
  const at = text.indexOf('=')
  if (at <= 0 || at === text.length - 1) throw sweepFault(`--let is "${text}".`, { value: text, allowed: 'path=expression, e.g. gravity[0]=9.81*sin(angle)' })
  return { path: text.slice(0, at).trim(), expression: text.slice(at + 1).trim() }
}

/** At equals signs outside of brackets, since ids in paths may contain them. */
function splitAtEquals(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const c of text) {
    if (c === '[') depth++
    if (c === ']') depth--
    if (c === '=' && depth === 0 && parts.length < 3) parts.push('')
    else parts[parts.length - 1] += c
  }
  return parts.map(part => part.trim())
}
