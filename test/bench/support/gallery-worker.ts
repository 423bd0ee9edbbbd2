/** Runs the scene of a file twice and prints the figures of test/bench/gallery.ts as JSON. */

import { readFileSync } from 'node:fs'
import { simulate } from '../../../core/simulation'
import { createScriptRuntime } from '../../../main/run/sandbox'

const RUNS = 2

async function main(): Promise<void> {
  const scene = readFileSync(process.argv[2]!, 'utf8')
  const ignored = (): void => undefined
  const ratios: number[] = []
  let figures = {}
  for (let run = 0; run < RUNS; run++) {
    const scripts = await createScriptRuntime()
    let [method, restarts, degraded, penetration, residual] = ['', 0, 0, 0, 0]
    const from = process.cpuUsage()
    const end = simulate(scene, {
      sink: {
        header: header => { method = header.method },
        certificate: ({ maxPenetration, energy }) => {
          penetration = Math.max(penetration, maxPenetration)
          residual = Math.max(residual, Math.abs(energy.residual))
        },
        event: ({ kind }) => {
          if (kind === 'restart') restarts++
          if (kind === 'degraded') degraded++
        },
        frame: ignored, contacts: ignored, joints: ignored, forces: ignored, script: ignored, deformables: ignored, sensors: ignored,
      },
      cancelled: () => false, scripts, now: () => 0,
    })
    const { user, system } = process.cpuUsage(from)
    scripts.dispose()
    ratios.push((user + system) / 1e6 / end.simulatedTime)
    figures = { status: end.status, method, steps: end.steps, solves: end.solver.calls, restarts, degraded, penetration, residual }
  }
  console.log(JSON.stringify({ ratios, ...figures }))
}

void main()
