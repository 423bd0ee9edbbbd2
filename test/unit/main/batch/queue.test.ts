// @module-tag long
import { spawn, type ChildProcess } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runSweep } from '../../../../main/batch/local'
import type { PreparedSweep } from '../../../../main/batch/plan'
import { queueServer } from '../../../../main/batch/queue/connection'
import { runQueuedSweep } from '../../../../main/batch/queue/coordinate'
import { jobId, queueName } from '../../../../main/batch/queue/jobs'
import { Ledger } from '../../../../main/batch/queue/ledger'
import { parseParameter } from '../../../../main/batch/values-text'
import { built, scratch, type Built } from '../built'
import { rowsOf, withoutTimes } from './parquet'
import { startRedis, type TestRedis } from './redis'
import { friction, prepared } from './sweeps'

let shipped: Built
let home: string
let redis: TestRedis | null
const workers: ChildProcess[] = []
beforeAll(async () => {
  shipped = built()
  home = scratch()
  redis = await startRedis(home)
}, 300_000)
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL')
  await redis?.stop()
  rmSync(home, { recursive: true, force: true })
})

let folders = 0
const folder = () => join(home, `sweep-${folders++}`)
const sweepOf = (count: number, change: object = {}) => prepared({ parameters: [parseParameter(`${friction}=0.1:0.9:${count}`, false), parseParameter('angle=5:40:4', true)], ...change })

/** A worker process, started from the command line. */
function startWorker(...more: string[]): ChildProcess {
  const worker = spawn(process.execPath, [shipped.cli, 'worker', '--queue', redis!.address, '--concurrency', '1', '--lease', '2', ...more], { stdio: 'ignore' })
  workers.push(worker)
  return worker
}

/** @param at called when this number of rows exists */
async function byQueue(sweep: PreparedSweep, at: { rows: number; then: () => void } | null = null): Promise<Record<string, unknown>[]> {
  const path = folder()
  const stop = new AbortController()
  let waiting = at
  const outcome = await runQueuedSweep({
    sweep, folder: path, server: await queueServer(redis!.address), store: '', signal: stop.signal, progress: ({ done }) => {
      if (waiting === null || done < waiting.rows) return
      waiting.then()
      waiting = null
    },
  })
  expect([outcome.status, outcome.collected!.rows]).toEqual(['completed', sweep.total])
  return rowsOf(join(path, 'results.parquet'))
}

async function alone(sweep: PreparedSweep): Promise<Record<string, unknown>[]> {
  const path = folder()
  await runSweep({ sweep, folder: path, threads: 2, shard: null, store: null, progress: () => undefined, signal: new AbortController().signal, workerUrl: shipped.sweepWorker })
  return rowsOf(join(path, 'results.parquet'))
}

const end = async (children: readonly ChildProcess[]): Promise<void> => {
  await Promise.all(children.map(child => new Promise<void>(done => {
    if (child.exitCode !== null || child.signalCode !== null) return done()
    child.once('close', () => done())
    child.kill('SIGTERM')
    return undefined
  })))
}

const minutes = 60_000

describe('a sweep by a queue', () => {
  it('3 workers, 500 jobs, two killed with −9 in the middle: every job has exactly one row, equal to that of one machine', async ({ skip }) => {
    if (!redis) return skip('redis-server cannot be had here')
    const sweep = sweepOf(125)
    const three = [startWorker(), startWorker(), startWorker()]
    const rows = await byQueue(sweep, { rows: 120, then: () => three.slice(0, 2).forEach(worker => worker.kill('SIGKILL')) })
    expect(withoutTimes(rows)).toEqual(withoutTimes(await alone(sweep)))
    await end(three)
  }, 6 * minutes)

  it('a worker that is paused for longer than its lease counts nothing twice when it returns', async ({ skip }) => {
    if (!redis) return skip('redis-server cannot be had here')
    const sweep = sweepOf(40)
    const [stopped, other] = [startWorker(), startWorker()]
    const rows = await byQueue(sweep, {
      rows: 20, then: () => {
        stopped.kill('SIGSTOP')
        setTimeout(() => stopped.kill('SIGCONT'), 7000)
      },
    })
    expect(withoutTimes(rows)).toEqual(withoutTimes(await alone(sweep)))
    await end([stopped, other])
    const connection = (await queueServer(redis.address)).connect()
    expect((await new Ledger(connection).list()).find(({ id }) => id === sweep.id)).toMatchObject({ done: sweep.total, total: sweep.total })
    connection.disconnect()
  }, 6 * minutes)

  it('after Redis is killed and restarted with its saved data, the sweep goes on', async ({ skip }) => {
    if (!redis) return skip('redis-server cannot be had here')
    const sweep = sweepOf(30)
    const worker = startWorker()
    const server = redis
    const rows = await byQueue(sweep, { rows: 30, then: () => void server.restart() })
    expect(withoutTimes(rows)).toEqual(withoutTimes(await alone(sweep)))
    await end([worker])
  }, 6 * minutes)

  it('a run that kills its worker every time has a failed row after three tries; two concurrent sweeps both finish', async ({ skip }) => {
    if (!redis) return skip('redis-server cannot be had here')
    // The poisoned run never ends. Every worker that takes it is killed meanwhile, as on a machine out of memory.
    const poisoned = prepared({ parameters: [parseParameter('simulation.duration=0.05,0.06,1e6,0.07', false)], lets: [], measures: 'time' })
    const other = sweepOf(10)
    const both = Promise.all([byQueue(poisoned), byQueue(other)])
    let over = false
    void both.finally(() => { over = true }).catch(() => undefined)
    const connection = (await queueServer(redis.address)).connect()
    const active = `bull:${queueName()}:active`
    while (!over) {
      const worker = startWorker()
      const connected = performance.now()
      while (!over && !(performance.now() - connected > 1500 && (await connection.lrange(active, 0, -1)).includes(jobId(poisoned.id, 2)))) {
        await new Promise(done => setTimeout(done, 100))
      }
      // The lease of an earlier worker may still exist, so wait until this one has taken the run.
      await Promise.race([both, new Promise(done => setTimeout(done, 4000))])
      worker.kill('SIGKILL')
    }
    connection.disconnect()
    const [rows, others] = await both
    expect(rows.map(({ status }) => status)).toEqual(['completed', 'completed', 'failed', 'completed'])
    expect(rows[2]).toMatchObject({ reason: 'Lost', time: null })
    expect(withoutTimes(others)).toEqual(withoutTimes(await alone(other)))
  }, 8 * minutes)

  it('workers put trajectories into a shared store', async ({ skip }) => {
    if (!redis) return skip('redis-server cannot be had here')
    const sweep = sweepOf(2, { keep: { kind: 'all' } })
    const store = folder()
    const worker = startWorker('--store', store)
    const rows = await byQueue(sweep)
    expect(readdirSync(join(store, sweep.id)).sort()).toEqual(rows.map(({ kept }) => kept))
    await end([worker])
  }, 4 * minutes)

  it('an unreachable queue, and a wrong password, are reported', async ({ skip }) => {
    await expect(queueServer('redis://127.0.0.1:1')).rejects.toMatchObject({ name: 'QueueUnreachable' })
    const locked = await startRedis(home, '--requirepass', 'right')
    if (!locked) return skip('redis-server cannot be had here')
    try {
      for (const environment of [{}, { CAIRN_QUEUE_PASSWORD: 'wrong' }]) await expect(queueServer(locked.address, environment)).rejects.toMatchObject({ name: 'QueueRefused' })
      await queueServer(locked.address, { CAIRN_QUEUE_PASSWORD: 'right' })
    } finally {
      await locked.stop()
    }
  }, minutes)
})
