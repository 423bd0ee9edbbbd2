/**
 * Data of a sweep on the server besides its jobs: plan, scenes by content hash, and rows. A run has one row, the first to arrive: late rows of a
 * disconnected worker are ignored.
 */
import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { SweepPlan, SweepRow } from '../../protocol/sweeps'
import { sweepFault } from '../fault'
import { planOf } from '../folder'
import { rowOf } from '../journal'
import { PreparedSweep } from '../plan'

/** s that a finished sweep is kept. */
const KEPT_FOR = 7 * 24 * 3600

/** Stores a row unless its run has one, and appends to the order of arrival. */
const NOTE = 'if redis.call("HSETNX", KEYS[1], ARGV[1], ARGV[2]) == 1 then redis.call("RPUSH", KEYS[2], ARGV[1]) return 1 else return 0 end'

const keys = {
  sweep: (id: string) => `cairn:sweep:${id}`, rows: (id: string) => `cairn:rows:${id}`, arrived: (id: string) => `cairn:arrived:${id}`,
  scene: (hash: string) => `cairn:scene:${hash}`, sweeps: 'cairn:sweeps',
}

export interface SweepInfo {
  readonly id: string
  readonly engine: string
  readonly total: number
  readonly done: number
  readonly cancelled: boolean
}

export class Ledger {
  constructor(private readonly redis: Redis) {}

  /** Puts a sweep on the server, once; resumes a cancelled one. @param store destination of trajectories; empty: none */
  async add(sweep: PreparedSweep, engine: string, store: string): Promise<void> {
    const { plan, sceneHashes } = sweep
    for (const [k, { text }] of plan.scenes.entries()) await this.redis.set(keys.scene(sceneHashes[k]!), text)
    const byHash = { ...plan, scenes: plan.scenes.map(({ name }, k) => ({ name, text: sceneHashes[k]! })) }
    await this.redis.multi()
      .hset(keys.sweep(sweep.id), { engine, total: sweep.total, plan: JSON.stringify(byHash), store, cancelled: '0' })
      .sadd(keys.sweeps, sweep.id).persist(keys.sweep(sweep.id)).persist(keys.rows(sweep.id)).persist(keys.arrived(sweep.id)).exec()
  }

  /** Reads a sweep and checks it: scenes by their hashes, the plan by its id. @throws HostError */
  async sweep(id: string): Promise<{ sweep: PreparedSweep; store: string }> {
    const { plan: text, store = '' } = await this.redis.hgetall(keys.sweep(id))
    if (text === undefined) throw sweepFault(`The queue has no sweep "${id}".`, { value: id }, 'UnknownSweep')
    const plan = planOf(JSON.parse(text))
    const scenes: SweepPlan['scenes'][number][] = []
    for (const { name, text: hash } of plan.scenes) {
      const scene = await this.redis.get(keys.scene(hash))
      if (scene === null || createHash('sha256').update(scene).digest('hex') !== hash) {
        throw sweepFault(`The queue holds no scene, or another one, under the hash of "${name}".`, { value: hash }, 'UnknownScene')
      }
      scenes.push({ name, text: scene })
    }
    const sweep = new PreparedSweep({ ...plan, scenes })
    if (sweep.id !== id) throw sweepFault(`The sweep "${id}" does not match its id.`, { value: id, allowed: sweep.id })
    return { sweep, store }
  }

  /** @returns whether it was the first row of its run */
  async note(id: string, row: SweepRow): Promise<boolean> {
    return await this.redis.eval(NOTE, 2, keys.rows(id), keys.arrived(id), String(row.run), JSON.stringify(row)) === 1
  }

  async has(id: string, run: number): Promise<boolean> {
    return await this.redis.hexists(keys.rows(id), String(run)) === 1
  }

  /** Rows in order of arrival, starting at `from`, at most `count`. */
  async rows(id: string, from: number, count: number): Promise<SweepRow[]> {
    const runs = await this.redis.lrange(keys.arrived(id), from, from + count - 1)
    if (runs.length === 0) return []
    return (await this.redis.hmget(keys.rows(id), ...runs)).map((text, k) => {
      const row = text === null ? null : rowOf(JSON.parse(text))
      if (row === null) throw sweepFault(`The queue's row of run ${runs[k]!} is invalid.`, { value: id }, 'InvalidRow')
      return row
    })
  }

  async isCancelled(id: string): Promise<boolean> {
    return await this.redis.hget(keys.sweep(id), 'cancelled') !== '0'
  }

  /** @throws HostError if there is no such sweep */
  async cancel(id: string): Promise<void> {
    if (await this.redis.exists(keys.sweep(id)) === 0) throw sweepFault(`The queue has no sweep "${id}".`, { value: id }, 'UnknownSweep')
    await this.redis.hset(keys.sweep(id), 'cancelled', '1')
  }

  async list(): Promise<SweepInfo[]> {
    const found: SweepInfo[] = []
    for (const id of (await this.redis.smembers(keys.sweeps)).sort()) {
      const { engine, total, cancelled } = await this.redis.hgetall(keys.sweep(id))
      if (engine === undefined) await this.redis.srem(keys.sweeps, id) // expired
      else found.push({ id, engine, total: Number(total), done: await this.redis.hlen(keys.rows(id)), cancelled: cancelled !== '0' })
    }
    return found
  }

  /** All rows were fetched: lets the server delete the sweep after a while. */
  async finished(id: string): Promise<void> {
    await this.redis.multi().expire(keys.sweep(id), KEPT_FOR).expire(keys.rows(id), KEPT_FOR).expire(keys.arrived(id), KEPT_FOR).exec()
  }
}
