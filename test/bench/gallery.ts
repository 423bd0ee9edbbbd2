/**
 * Runs every gallery scene twice in a separate process: processor time ÷ simulated time of the first run, half of which is compilation, and of the
 * second. The targets are 2 and 1. Other scenes can be given by their path.
 *
 *   npm run bench -- gallery [--scenes twenty-dominoes,ramp.cairn.json] [--seconds 300]
 */

import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ENDING, printRatios, root } from './support/scene-ratios'

export default async function (args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { scenes: { type: 'string' }, seconds: { type: 'string', default: '300' } } })
  await printRatios(filesOf(values.scenes), Number(values.seconds))
}

function filesOf(names: string | undefined): string[] {
  const scenes = join(root, 'scenes')
  if (names === undefined) return readdirSync(scenes).filter(name => name.endsWith(ENDING)).map(name => join(scenes, name))
  return names.split(',').map(name => existsSync(name) ? resolve(name) : join(scenes, name + ENDING))
}
