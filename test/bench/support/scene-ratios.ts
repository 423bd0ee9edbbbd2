/** Runs scenes twice in a separate process each, and prints a line for each. */

import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle'

export const root = fileURLToPath(new URL('../../..', import.meta.url))
/** For bundles and scenes of these benchmarks. */
export const cache = join(root, 'node_modules', '.cache', 'gallery-bench')
export const ENDING = '.cairn.json'
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

/** @param seconds on the clock, after which a scene is ended */
export async function printRatios(files: readonly string[], seconds: number): Promise<void> {
  mkdirSync(cache, { recursive: true })
  const worker = await bundle('test/bench/support/gallery-worker.ts', cache)
  const missed: string[] = []
  for (const file of files) {
    const name = basename(file, ENDING)
    const { stdout, signal, stderr } = spawnSync(process.execPath, [...process.execArgv, worker, file], { timeout: 1000 * seconds, encoding: 'utf8' })
    if (signal !== null || stdout === '') {
      console.log(`  ${name.padEnd(28)} ${signal === null ? stderr.trim().split('\n')[0] : `ended after ${seconds} s on the clock`}`)
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
