import { differences, quantities, quantityUnits, type Differences, type Tolerances } from '../engine/compare'
import { writeWhole } from '../engine/files'
import { shortNumber } from '../../core/math/short-number'
import { Arguments } from './arguments'
import { comparisonPage } from './compare-page'
import { divergenceText } from './compare-text'
import { damageIn, openReader } from './inspect'
import { exitCodes, print, printJson, usage } from './output'

export const compareOptions = { tolerance: { type: 'string' }, html: { type: 'string' }, json: { type: 'boolean' } } as const

const names = [...quantities, 'event'] as const
/** SI units, for every quantity: runs with the same steps are equal to the last digit, and rounding errors are smaller than this. */
const defaultTolerance = 1e-8

/** `cairn compare a.mcap b.mcap`: where they differ, by how much, and in which events; 0 if equal within the tolerance, otherwise 1. */
export async function compare(args: readonly string[]): Promise<number> {
  const given = Arguments.parse(args, compareOptions, ['a.mcap', 'b.mcap'])
  const tolerances = tolerancesOf(given.text('tolerance') ?? String(defaultTolerance))
  const [a, b] = given.positionals as [string, string]
  const first = openReader(a)
  try {
    const second = openReader(b)
    try {
      for (const reader of [first, second]) damageIn(reader, { sound: true }) // known damage would make the comparison meaningless
      const found = await differences(first, second, tolerances)
      const page = given.text('html')
      if (page !== undefined) writeWhole(page, comparisonPage(found, [a, b]))
      if (given.flag('json')) printJson({ status: found.equal ? 'equal' : 'different', ...found })
      else for (const line of textOf(found)) print(line)
      return found.equal ? exitCodes.done : exitCodes.stopped
    } finally {
      second.close()
    }
  } finally {
    first.close()
  }
}

/** One number for all quantities, or `position=1e-6,force=0.1` for selected ones. */
function tolerancesOf(text: string): Tolerances {
  const allowed = `a number ≥ 0 for everything, or some of ${names.map(name => `${name}=…`).join(', ')}`
  const numberIn = (part: string) => {
    const value = part.trim() === '' ? NaN : Number(part)
    if (!(value >= 0)) throw usage(`--tolerance is "${text}".`, allowed)
    return value
  }
  if (!text.includes('=')) return Object.fromEntries(names.map(name => [name, numberIn(text)]))
  return Object.fromEntries(text.split(',').map(part => {
    const [name = '', value = ''] = part.split('=', 2)
    const known = names.find(one => one === name.trim())
    if (known === undefined) throw usage(`--tolerance has "${name}".`, allowed)
    return [known, numberIn(value)]
  }))
}

function* textOf(found: Differences): Iterable<string> {
  const { first, second, divergence, worst, events, bodies } = found
  yield found.equal ? 'equal within the tolerance' : `different: ${divergenceText(divergence!)}`
  for (const [name, run] of [['first', first], ['second', second]] as const) {
    yield `${name}: ${run.scene}, ${run.method}, ${run.frames} frames to ${run.until} s${run.complete ? '' : ', cut off'}`
  }
  if (first.sceneHash !== second.sceneHash) yield 'the scenes differ'
  yield `${found.commonFrames} frames of the same time, to ${found.until} s`
  for (const quantity of quantities) {
    const { difference, of, time } = worst[quantity]
    yield `largest difference in ${quantity}: ${difference === 0 ? 'none' : `${shortNumber(difference)} ${quantityUnits[quantity]} (${of}, at ${time} s)`}`
  }
  yield `events: ${events.matched} in both, ${events.onlyFirstCount} only in the first, ${events.onlySecondCount} only in the second (within ${shortNumber(events.window)} s)`
  for (const { body, position, time, since } of bodies.slice(0, 10)) {
    yield `  ${body}: ${shortNumber(position)} m at ${time} s${since === null ? '' : `, apart since ${since} s`}`
  }
}
