import { availableParallelism } from 'node:os'
import { SweepFolder } from '../batch/folder'
import { collect, runSweep } from '../batch/local'
import { PreparedSweep } from '../batch/plan'
import { storeOf } from '../batch/open-store'
import { Arguments } from './arguments'
import { log, usage } from './output'
import { planFrom, planOptions } from './sweep-plan'
import { SweepBar } from './sweep-progress'
import { interrupted, outputOf, report } from './sweep-report'
import { cancelSweep, collectFromQueue, sweepByQueue, sweepStatus } from './sweep-queue'

export const sweepOptions = {
  ...planOptions, output: { type: 'string', short: 'o' }, jobs: { type: 'string' }, shard: { type: 'string' }, queue: { type: 'string' },
  store: { type: 'string' }, partial: { type: 'boolean' }, json: { type: 'boolean' },
} as const

/** More scenes on one command line are a mistake, or should use `--scenes`. */
const mostScenes = 10_000

/** `cairn sweep <scene>… --vary …`, and the commands for existing sweeps: `status`, `cancel`, `collect`. */
export async function sweep(args: readonly string[]): Promise<number> {
  const given = Arguments.parse(args, sweepOptions, Array.from({ length: mostScenes }, () => 'scene?'))
  switch (given.positionals[0]) {
    case 'collect': return collectResults(given)
    case 'status': return sweepStatus(given)
    case 'cancel': return cancelSweep(given)
    default: return given.text('queue') === undefined ? sweepHere(given) : sweepByQueue(given)
  }
}

async function sweepHere(given: Arguments): Promise<number> {
  const prepared = new PreparedSweep(planFrom(given))
  const folder = outputOf(given)
  const address = given.text('store')
  const store = address === undefined ? null : await storeOf(address)
  await store?.check()
  const bar = new SweepBar()
  const signal = interrupted(() => log('Stopping: running jobs are left for a later start. Press again to stop at once.'))
  const outcome = await runSweep({
    sweep: prepared, folder, threads: given.number('jobs', { least: 1, most: 1024, integer: true }) ?? availableParallelism(), shard: shardOf(given), store,
    progress: progress => bar.update(progress), signal,
  }).finally(() => bar.end())
  return report(given, folder, outcome)
}

/** `i/n` as schedulers number them: from 0, or from 1 up to n. */
function shardOf(given: Arguments): { index: number; count: number } | null {
  const text = given.text('shard')
  if (text === undefined) return null
  const [, index, count] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number)
  if (index === undefined || count === undefined || count < 1 || index >= count) throw usage(`--shard is "${text}".`, 'i/n with i from 0 to n − 1')
  return { index, count }
}

/** `cairn sweep collect <folder>`: joins the rows of all shards, or fetches those of a queue. */
async function collectResults(given: Arguments): Promise<number> {
  const [, path, more] = given.positionals
  if (path === undefined || more !== undefined) throw usage('cairn sweep collect needs one folder.')
  const folder = new SweepFolder(path)
  const prepared = folder.prepared()
  if (given.text('queue') !== undefined) await collectFromQueue(given, prepared, folder)
  const collected = await collect(prepared, folder, given.flag('partial'))
  return report(given, path, {
    status: 'completed', collected, progress: { total: prepared.total, done: collected.rows, failed: collected.failed, running: 0, rate: null, timeLeft: null },
  })
}
