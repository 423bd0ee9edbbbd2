/**
 * Cloth that falls on a ball for a second: Cairn and the soft bodies of Jolt, MuJoCo (flex) and Bullet (ammo.js), each in its own process and
 * measured alike: processor time per step, depth of the sheet in the ball, edges that pass through triangles, and the largest strain of a thread. The
 * engines are those of the comparison harness beside the project.
 *
 *   npm run bench -- soft-peers [--cells 8,16,24] [--engines cairn,jolt,mujoco,ammo] [--steps 60]
 */

import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { fileOf, prepareHarness } from './peers/harness'

const WORKER = 'test/bench/soft/worker.ts'
/** ms */
const LONGEST = 600_000

export default async function (args: string[]): Promise<void> {
  const { values } = parseArgs({
    args, options: { cells: { type: 'string', default: '8,16,24' }, engines: { type: 'string', default: 'cairn,jolt,mujoco,ammo' }, steps: { type: 'string', default: '60' } },
  })
  await prepareHarness(true, WORKER)
  for (const cells of values.cells.split(',')) {
    for (const engine of values.engines.split(',')) {
      const { signal } = spawnSync(process.execPath, [...process.execArgv, fileOf(WORKER), cells, engine, values.steps], { stdio: ['ignore', 'inherit', 'inherit'], timeout: LONGEST })
      if (signal !== null) console.log(`  ${cells.padStart(4)} × ${cells}  ${engine.padEnd(8)} ended after ${LONGEST / 1000} s`)
    }
  }
}
