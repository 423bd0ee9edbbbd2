/**
 * Scenes that no table of targets names, by time-stepping and by rapier at its defaults, in turn, each run in its own process: processor time of a step and
 * overlap, measured by volumes and distances that neither engine computes. Compilation is included for both.
 *
 *   npm run bench -- rapier [--scenes gears] [--runs 3]
 */

import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { SCENES } from './rapier/scenes'
import type { Figures } from './rapier/worker'
import { bundle } from './support/bundle'

const folder = join(fileURLToPath(new URL('../..', import.meta.url)), 'node_modules', '.cache', 'rapier-bench')

export default async function (args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { scenes: { type: 'string' }, runs: { type: 'string', default: '3' } } })
  const names = values.scenes?.split(',') ?? Object.keys(SCENES)
  const unknown = names.filter(name => !(name in SCENES))
  if (unknown.length > 0) throw new Error(`no scene ${unknown.join(', ')}; there are ${Object.keys(SCENES).join(', ')}`)
  mkdirSync(folder, { recursive: true })
  const worker = await bundle('test/bench/rapier/worker.ts', folder)
  for (const name of names) {
    const runs = { cairn: [] as Figures[], rapier: [] as Figures[] }
    for (let run = 0; run < Number(values.runs); run++) {
      for (const engine of ['rapier', 'cairn'] as const) runs[engine].push(figuresOf(worker, engine, name))
    }
    const [cairn, rapier] = [fastest(runs.cairn), fastest(runs.rapier)]
    console.log(`  ${name}: ${cairn.steps} steps, ${cairn.status}, ${cairn.degraded} degraded, audit ${cairn.residual!.toExponential(1)}; ratio ${(cairn.seconds / rapier.seconds).toFixed(1)}`)
    for (const [engine, { seconds, steps, volume, depth }] of [['cairn', cairn], ['rapier', rapier]] as const) {
      console.log(`    ${engine.padEnd(8)} ${(1000 * seconds / steps).toFixed(2).padStart(8)} ms a step, overlap ${volume.toExponential(1)} m³, ball ${depth.toExponential(1)} m deep`)
    }
  }
}

const fastest = (runs: readonly Figures[]): Figures => runs.reduce((a, b) => a.seconds <= b.seconds ? a : b)

function figuresOf(worker: string, engine: string, scene: string): Figures {
  const { stdout, stderr, status } = spawnSync(process.execPath, [...process.execArgv, worker, engine, scene], { encoding: 'utf8', timeout: 600_000 })
  if (status !== 0) throw new Error(`${engine}, ${scene}: ${stderr.trim().slice(-600)}`)
  return JSON.parse(stdout) as Figures
}
