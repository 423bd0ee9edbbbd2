/**
 * Overhead of sweeps over their simulations. Costs are processor times, which do not depend on other load; ratios are of elapsed times, the best of
 * several. `--runs n` short runs for the memory of the coordinator, `--only name`: efficiency, cost, memory, queue.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from '../../bin/build.js'
import { parseScene } from '../../core/scene'
import { simulate } from '../../core/simulation'
import { runSweep } from '../../main/batch/local'
import { PreparedSweep } from '../../main/batch/plan'
import { queueServer } from '../../main/batch/queue/connection'
import { runQueuedSweep } from '../../main/batch/queue/coordinate'
import type { SweepPlan } from '../../main/protocol/sweeps'
import { scriptRuntimeFor } from '../../main/run/script-runtime'
import { startRedis } from '../unit/main/batch/redis'
import { incline } from '../unit/main/batch/sweeps'
import { contactCounting } from './support/sink'
import { watched } from './support/watched'

const cli = fileURLToPath(new URL('../../bin/cairn.js', import.meta.url))
const workerUrl = pathToFileURL(fileURLToPath(new URL('../../out/main/sweep-worker.js', import.meta.url)))
const never = new AbortController().signal

export default async function bench(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { runs: { type: 'string', default: '1e5' }, only: { type: 'string' } } })
  build()
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-sweeps-'))
  const parts = { efficiency, cost, memory: (place: string) => memory(place, Number(values.runs)), queue }
  try {
    for (const [name, part] of Object.entries(parts)) if (values.only === undefined || values.only === name) await part(join(folder, name))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A sweep over friction that keeps no files. @param duration s, simulated */
function plan(runs: number, duration: number): SweepPlan {
  const scene = { ...JSON.parse(incline) as object, simulation: { duration, outputRate: 60 } }
  return {
    scenes: [{ name: 'incline', text: JSON.stringify(scene) }], lets: [], design: { kind: 'grid' }, measures: 'bodies.block.position[0]@end', keep: { kind: 'none' },
    parameters: [{ name: 'mu', paths: ['materials.stone.friction.static'], values: { kind: 'range', from: 0.5, to: 0.9, count: runs, scale: 'linear' } }],
    timeLimit: null, memoryLimit: null,
  }
}

async function sweep(path: string, wanted: SweepPlan, threads: number): Promise<{ wall: number; cpu: number }> {
  const [started, before] = [performance.now(), process.cpuUsage()]
  await runSweep({ sweep: new PreparedSweep(wanted), folder: path, threads, shard: null, store: null, progress: () => undefined, signal: never, workerUrl })
  const { user, system } = process.cpuUsage(before)
  return { wall: performance.now() - started, cpu: (user + system) / 1000 }
}

/** All processors against one, with the same number of runs: the best of three, alternately. */
async function efficiency(path: string): Promise<void> {
  const threads = availableParallelism()
  let [one, all] = [Infinity, Infinity]
  for (let k = 0; k < 3; k++) {
    one = Math.min(one, (await sweep(`${path}-one-${k}`, plan(1000, 1), 1)).wall)
    all = Math.min(all, (await sweep(`${path}-all-${k}`, plan(1000 * threads, 1), threads)).wall)
  }
  console.log(`  efficiency of ${threads} threads: ${(one / all).toFixed(2)} (${(one / 1000).toFixed(1)} s for 1000 runs by one, ${(all / 1000).toFixed(1)} s for ${1000 * threads} by all)`)
}

/** Processor time of a run in a sweep against that of the same scene simulated alone, both warm. */
async function cost(path: string): Promise<void> {
  for (const duration of [0.1, 1]) {
    const count = 2000
    const wanted = plan(count, duration)
    const text = wanted.scenes[0]!.text
    const scripts = await scriptRuntimeFor(parseScene(text), new Int32Array(1))
    const run = () => simulate(text, { sink: contactCounting().sink, cancelled: () => false, scripts, now: () => 0 })
    for (let k = 0; k < 300; k++) run()
    const before = process.cpuUsage()
    for (let k = 0; k < 500; k++) run()
    const { user, system } = process.cpuUsage(before)
    const alone = (user + system) / 1000 / 500
    await sweep(`${path}-warm-${duration}`, plan(300, duration), 1)
    const { cpu } = await sweep(`${path}-${duration}`, wanted, 1)
    console.log(`  a run of ${alone.toFixed(2)} ms: ${(cpu / count - alone).toFixed(2)} ms beyond it, thread start and results included`)
  }
}

/** Peak resident memory of `cairn sweep`, threads included. */
async function memory(path: string, runs: number): Promise<void> {
  const scene = `${path}.cairn.json`
  writeFileSync(scene, plan(1, 0.02).scenes[0]!.text)
  const peaks: string[] = []
  for (const count of [runs / 10, runs]) {
    const args = [cli, 'sweep', scene, '--vary', `mu=materials.stone.friction.static=0.5:0.9:${count}`, '--measure', 'time', '-o', `${path}-${count}`, '--json']
    const { peak, wall } = await watched(args)
    peaks.push(`${count} runs ${(peak / 1e6).toFixed(0)} MB (${(1000 * wall / count).toFixed(2)} ms a run on the clock)`)
  }
  console.log(`  peak resident, threads included: ${peaks.join(', ')}`)
}

/** The same runs by a queue on loopback with one worker of one thread, against one thread here. */
async function queue(path: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-redis-'))
  const redis = await startRedis(folder)
  if (!redis) return console.log('  queue: there is no redis-server here')
  const count = 2000
  const worker = spawn(process.execPath, [cli, 'worker', '--queue', redis.address, '--concurrency', '1'], { stdio: 'ignore' })
  try {
    const server = await queueServer(redis.address)
    const queued = async (name: string, wanted: SweepPlan) => {
      const started = performance.now()
      await runQueuedSweep({ sweep: new PreparedSweep(wanted), folder: `${path}-${name}`, server, store: '', progress: () => undefined, signal: never })
      return performance.now() - started
    }
    await queued('warm', plan(200, 0.1))
    await sweep(`${path}-here-warm`, plan(200, 0.1), 1)
    const [here, there] = [(await sweep(`${path}-here`, plan(count, 0.1), 1)).wall, await queued('there', plan(count, 0.1))]
    console.log(`  queue: ${((there - here) / count).toFixed(2)} ms a job beyond the same run here (${(there / count).toFixed(2)} and ${(here / count).toFixed(2)} ms, on the clock)`)
  } finally {
    worker.kill('SIGKILL')
    await redis.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
