import { basename } from 'node:path'
import { eventJson, inspect as inspectAt } from '../engine/inspect'
import { damageOf } from '../engine/integrity'
import { TrajectoryReader } from '../engine/reader'
import { summarize } from '../engine/summary'
import type { Problem } from '../protocol/problem'
import { systemReason } from '../protocol/problem-file'
import { Arguments } from './arguments'
import { exitCodes, print, printJson, problemText, Refusal, log } from './output'

export const inspectOptions = {
  time: { type: 'string' }, contacts: { type: 'boolean' }, joints: { type: 'boolean' }, forces: { type: 'boolean' }, sensors: { type: 'boolean' }, deformables: { type: 'boolean' },
  rows: { type: 'boolean' }, events: { type: 'boolean' }, certificate: { type: 'boolean' }, intervals: { type: 'boolean' }, json: { type: 'boolean' },
} as const

const sections = ['contacts', 'joints', 'forces', 'sensors', 'deformables', 'rows', 'events', 'certificate'] as const

/** `cairn inspect <run.mcap>`: the state at a time, or the last frame and the whole run's events and summary. */
export async function inspect(args: readonly string[]): Promise<number> {
  const given = Arguments.parse(args, inspectOptions, ['run.mcap'])
  const time = given.number('time', {})
  return withReader(given.positionals[0]!, (reader, damage) => {
    const wanted = sections.filter(section => given.flag(section))
    const shown = new Set<string>(wanted.length > 0 ? wanted : sections)
    const { bodies, contacts, impacts, joints, forces, rows, events, sensors, deformables, certificate, intervalReasons, ...place } =
      inspectAt(reader, time, given.flag('intervals'))
    const recorded = time === undefined ? Array.from({ length: reader.count('events') }, (_, number) => eventJson(reader.event(number), reader.header)) : events
    const answer = {
      ...place,
      ...(time === undefined ? { run: summarize(reader, reader.end, damage) } : {}),
      ...(wanted.length === 0 ? { bodies } : {}),
      ...(shown.has('contacts') ? { contacts } : {}),
      ...(shown.has('contacts') && intervalReasons !== undefined ? { intervalReasons } : {}),
      ...(shown.has('contacts') || shown.has('events') ? { impacts } : {}),
      ...(shown.has('joints') ? { joints } : {}),
      ...(shown.has('forces') ? { forces } : {}),
      ...(shown.has('sensors') && sensors !== undefined ? { sensors } : {}),
      ...(shown.has('deformables') && deformables !== undefined ? { deformables } : {}),
      ...(shown.has('rows') ? { rows } : {}),
      ...(shown.has('events') ? { events: recorded } : {}),
      ...(shown.has('certificate') ? { certificate } : {}),
    }
    if (given.flag('json')) printJson(answer)
    else for (const line of textOf(answer)) print(line)
    return exitCodes.done
  })
}

/**
 * Opens a run's file for one command and verifies every checksum; errors are printed to standard error and passed on.
 *
 * @param options `sound` refuses a damaged file
 * @throws Refusal if it is missing, not a run of Cairn, or damaged and must be intact
 */
export function withReader<T>(path: string, action: (reader: TrajectoryReader, damage: readonly Problem[]) => T, options: { sound?: boolean } = {}): T {
  const reader = openReader(path)
  try {
    return action(reader, damageIn(reader, options))
  } finally {
    reader.close()
  }
}

/** Opens a run's file; the caller closes it. @throws Refusal if it is missing or not a run of Cairn */
export function openReader(path: string): TrajectoryReader {
  try {
    return new TrajectoryReader(path)
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException
    const missing = code === 'ENOENT' || code === 'ENOTDIR'
    throw new Refusal([{
      name: missing ? 'FileNotFound' : name === 'TrajectoryFileError' ? 'InvalidTrajectory' : 'FileNotReadable', severity: 'error',
      message: missing ? `"${path}" does not exist.` : `"${path}" cannot be read: ${systemReason(error)}`, path: '', value: path, ids: [],
    }])
  }
}

/** Reports damage of a run's file on standard error. @throws Refusal if an intact file is required */
export function damageIn(reader: TrajectoryReader, { sound = false }: { sound?: boolean } = {}): readonly Problem[] {
  const damage = damageOf(reader)
  if (damage.length > 0 && sound) throw new Refusal(damage.map(problem => ({ ...problem, value: reader.path })))
  for (const problem of damage) log(problemText({ ...problem, message: `${basename(reader.path)}: ${problem.message}` }))
  return damage
}

/** One value per line with its path, for reading and for grep. */
function* textOf(value: unknown, path = ''): Iterable<string> {
  if (Array.isArray(value) && value.some(element => typeof element === 'object' && element !== null)) {
    for (const [index, element] of value.entries()) yield* textOf(element, `${path}[${index}]`)
  } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const [key, element] of Object.entries(value)) yield* textOf(element, path === '' ? key : `${path}.${key}`)
  } else {
    yield `${path}  ${Array.isArray(value) ? value.join(' ') : String(value)}`
  }
}
