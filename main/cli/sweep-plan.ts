/** A sweep's plan from the command line. */
import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { sweepFault } from '../batch/fault'
import { parseLet, parseParameter } from '../batch/values-text'
import { readScene } from '../engine/prefabs'
import type { SweepDesign, SweepKeep, SweepParameter, SweepPlan, SweepScene } from '../protocol/sweeps'
import type { Arguments } from './arguments'
import { usage } from './output'
import { applyOverrides, parseOverride } from './overrides'
import { readPoints } from './sweep-points'

export const planOptions = {
  'scenes': { type: 'string', multiple: true }, 'vary': { type: 'string', multiple: true }, 'param': { type: 'string', multiple: true },
  'let': { type: 'string', multiple: true }, 'points': { type: 'string' }, 'design': { type: 'string' }, 'sample': { type: 'string' }, 'seed': { type: 'string' },
  'measure': { type: 'string', multiple: true }, 'keep': { type: 'string' }, 'set': { type: 'string', multiple: true },
  'time-limit': { type: 'string' }, 'memory-limit': { type: 'string' },
} as const

/** @throws HostError, Refusal */
export function planFrom(given: Arguments): SweepPlan {
  const sets = given.texts('set').map(parseOverride)
  const paths = [...given.positionals, ...given.texts('scenes').flatMap(matching)]
  if (paths.length === 0) throw usage('scene is missing.')
  const scenes = paths.map((path): SweepScene => ({ name: basename(path), text: applyOverrides(readScene(path), sets) }))
  const points = given.text('points')
  const parameters: SweepParameter[] = [
    ...given.texts('param').map(text => parseParameter(text, true)), ...given.texts('vary').map(text => parseParameter(text, false)),
    ...(points === undefined ? [] : readPoints(points)),
  ]
  return {
    scenes: scenes.map(({ name, text }, k) => ({ name: scenes.findIndex(scene => scene.name === name) === k ? name : paths[k]!, text })), parameters,
    lets: given.texts('let').map(parseLet), design: designFrom(given, points !== undefined), measures: given.texts('measure').join(', '), keep: keepFrom(given.text('keep') ?? 'none'),
    timeLimit: given.number('time-limit', { above: 0 }) ?? null, memoryLimit: given.number('memory-limit', { least: 64, integer: true }) ?? null,
  }
}

function designFrom(given: Arguments, table: boolean): SweepDesign {
  const count = given.number('sample', { least: 1, integer: true })
  const seed = given.number('seed', { least: 0, most: Number.MAX_SAFE_INTEGER, integer: true }) ?? 0
  const kind = given.choice('design', ['grid', 'list', 'latin', 'sobol']) ?? (count !== undefined ? 'latin' : table ? 'list' : 'grid')
  if (table && kind !== 'list') throw usage(`--points gives a table: --design is "${kind}".`, 'list')
  if (kind === 'grid' || kind === 'list') {
    if (count !== undefined) throw usage(`--sample with --design ${kind}.`, 'latin, sobol')
    return { kind }
  }
  if (count === undefined) throw usage(`--design ${kind} needs --sample n.`)
  return { kind, count, seed }
}

function keepFrom(text: string): SweepKeep {
  if (text === 'all' || text === 'failed' || text === 'none') return { kind: text }
  if (/^where\s/.test(text)) return { kind: 'where', expression: text.slice(5).trim() }
  throw usage(`--keep is "${text}".`, 'all, failed, none, "where <expression>"')
}

/** Files of a pattern whose last part may contain `*`, for shells that do not expand it. */
function matching(pattern: string): string[] {
  const [folder, name] = [dirname(pattern), basename(pattern)]
  if (!name.includes('*')) return [pattern]
  const expression = new RegExp(`^${name.split('*').map(part => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.*')}$`)
  let names: string[]
  try {
    names = readdirSync(folder).filter(file => expression.test(file)).sort()
  } catch {
    names = []
  }
  if (names.length === 0) throw sweepFault(`No file matches "${pattern}".`, { value: pattern }, 'FileNotFound')
  return names.map(file => join(folder, file))
}
