/**
 * Runs every gallery scene twice in a separate process: processor time ÷ simulated time of the first run, half of which is compilation, and of the
 * second. The targets are 2 and 1. Other scenes can be given by their path.
 *
 *   npm run bench -- gallery [--scenes twenty-dominoes,ramp.cairn.json] [--seconds 300]
 */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundle } from './support/bundle'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'node_modules', '.cache', 'gallery-bench')
const ENDING = '.cairn.json'
/** Targets of processor time ÷ simulated time for the first and the second run. */
const ASKED = [2, 1]

interface Figures {
  readonly ratios: readonly number[]
  readonly status: string
  readonly method: string
  readonly steps: number
  readonly solves: number
  readonly restarts: number
  readonly degraded: number
  readonly penetration: number
  readonly residual: number
}

export default async function (args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { scenes: { type: 'string' }, seconds: { type: 'string', default: '300' } } })
  mkdirSync(folder, { recursive: true })
  const worker = await bundle('test/bench/support/gallery-worker.ts', folder)
  const missed: string[] = []
  for (const file of filesOf(values.scenes)) {
    const name = basename(file, ENDING)
    const { stdout, signal, stderr } = spawnSync(process.execPath, [...process.execArgv, worker, file], { timeout: 1000 * Number(values.seconds), encoding: 'utf8' })
    if (signal !== null || stdout === '') {
      console.log(`  ${name.padEnd(28)} ${signal === null ? stderr.trim().split('\n')[0] : `ended after ${values.seconds} s on the clock`}`)
      missed.push(name)
      continue
    }
    const { ratios, status, method, steps, solves, restarts, degraded, penetration, residual } = JSON.parse(stdout) as Figures
    if (ratios.some((ratio, run) => ratio > ASKED[run]!)) missed.push(name)
    console.log([
      `  ${name.padEnd(28)}`, ...ratios.map(ratio => ratio.toFixed(2).padStart(8)), `  ${method.padEnd(13)} ${status.padEnd(9)}`, `${steps} steps,`, `${solves} solves,`,
      `${restarts} restarts,`, `${degraded} degraded,`, `depth ${penetration.toExponential(1)} m,`, `audit ${residual.toExponential(1)}`,
    ].join(' '))
  }
  console.log(missed.length === 0 ? '  all as asked' : `  missed: ${missed.join(', ')}`)
}

function filesOf(names: string | undefined): string[] {
  const scenes = join(root, 'scenes')
  if (names === undefined) return readdirSync(scenes).filter(name => name.endsWith(ENDING)).map(name => join(scenes, name))
  return names.split(',').map(name => existsSync(name) ? resolve(name) : join(scenes, name + ENDING))
}
