import { existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ENGINE_VERSION } from '../../../../core/simulation'
import { decodeContacts, decodeEvent, decodeFrame } from '../../../../core/trajectory/codec'
import { createEngine, type LocalEngine } from '../../../../main/engine'
import { inspect } from '../../../../main/engine/inspect'
import { TrajectoryReader } from '../../../../main/engine/reader'
import type { Channel, RunInfo } from '../../../../main/protocol/runs'
import { built, scenes, scratch } from '../built'
import { ball, ended, failure, withinLastChunk } from './ball-runs'

const folder = scratch()
const home = join(folder, 'home')
let engine: LocalEngine
let worker: URL

beforeAll(async () => {
  worker = built().worker
  engine = createEngine({ home, workerUrl: worker, examples: scenes })
})
afterAll(async () => {
  await engine.dispose()
  rmSync(folder, { recursive: true, force: true })
})

const messages = async (run: string, channel: Channel, from: number, to: number) => (await engine.read(run, [{ channel, from, to }]))[0]!

describe('a run', () => {
  let run: RunInfo
  beforeAll(async () => {
    run = await ended(engine, await engine.simulate(ball(), { reuse: true }))
  })

  it('is computed in the background, with progress reported to its end', () => {
    expect(run).toMatchObject({ status: 'completed', frames: 51, simulatedTime: 0.5, problem: null, timeLeft: null, header: { bodyIds: ['ground', 'ball'] } })
    expect(run.bytes).toBe(statSync(join(home, 'runs', `${run.id}.mcap`)).size)
  })

  it('is compared with others body by body, and the bodies that only one of them has are named', async () => {
    const other = await ended(engine, await engine.simulate(ball({ height: 1.2 }), { reuse: true }))
    const found = await engine.compareRuns(run.id, other.id)
    expect(found).toMatchObject({ common: 2, alone: [], divergence: 0 })
    expect(found.bodies.map(({ body }) => body)).toEqual(['ball'])
    expect(found.bodies[0]!.distance).toBeGreaterThan(0.099)
    const stranger = await ended(engine, await engine.simulate(ball().replaceAll('"ball"', '"marble"').replaceAll('"ground"', '"floor"'), { reuse: true }))
    expect(await engine.compareRuns(run.id, stranger.id)).toMatchObject({ common: 0, alone: ['ground', 'ball', 'floor', 'marble'], bodies: [] })
  })

  it('is read frame by frame and event by event, as it was recorded', async () => {
    const frames = (await messages(run.id, 'frames', 10, 13)).map(decodeFrame)
    expect(frames.map(frame => frame.index)).toStrictEqual([10, 11, 12])
    expect(frames[0]!.bodies[13 + 2]).toBeCloseTo(1.1 - 9.81 * 0.01 / 2, 12)
    expect(await messages(run.id, 'frames', 50, 60)).toHaveLength(1)
    expect(await messages(run.id, 'frames', 51, 60)).toHaveLength(0)
    const both = await engine.read(run.id, [{ channel: 'frames', from: 10, to: 12 }, { channel: 'contacts', from: 10, to: 11 }])
    expect(both.map(range => range.length)).toEqual([2, 1])
    expect(decodeFrame(both[0]![1]!).index).toBe(11)
    expect(decodeContacts(both[1]![0]!).index).toBe(10)
    const events = (await messages(run.id, 'events', 0, 100)).map(decodeEvent)
    expect(events.find(event => event.kind === 'impact')!.time).toBeCloseTo(Math.sqrt(2 / 9.81), 9)
    expect(decodeContacts((await messages(run.id, 'contacts', 0, 1))[0]!).count).toBe(0)
  })

  it('is reused at once for a scene that differs in names and colours only, and not for another', async () => {
    const again = await engine.simulate(ball({ name: 'Other name', color: '#123456' }), { reuse: true })
    expect(again.id).toBe(run.id)
    expect(await engine.hash(ball({ name: 'Third' }))).toBe(run.sceneHash)
    expect(await engine.hash(ball({ height: 1.2 }))).not.toBe(run.sceneHash)
    const other = await ended(engine, await engine.simulate(ball(), { reuse: false, name: 'Once more' }))
    expect(other.id).not.toBe(run.id)
    expect(other.name).toBe('Once more')
    expect(other.end!.finalHash).toBe(run.end!.finalHash)
    await engine.deleteRun(other.id)
    expect(existsSync(join(home, 'runs', `${other.id}.mcap`))).toBe(false)
    expect((await failure(engine.run(other.id))).name).toBe('UnknownRun')
  })

  it('gives whole-run quantities that are the recorded numbers', async () => {
    const [height, speed, total, gap, plot] = await engine.series(run.id, [
      { what: 'body', body: 'ball', quantity: 'position', component: 'z' }, { what: 'body', body: 'ball', quantity: 'linearVelocity', component: 'magnitude' },
      { what: 'energy', quantity: 'total' }, { what: 'pair', bodyA: 'ball', bodyB: 'ground', quantity: 'contacts' }, { what: 'script', name: 'nothing' },
    ])
    expect(height!.unit).toBe('m')
    expect(height!.time).toHaveLength(51)
    expect(height!.values[30]).toBe(decodeFrame((await messages(run.id, 'frames', 30, 31))[0]!).bodies[13 + 2])
    expect(speed!.values[20]).toBeCloseTo(9.81 * 0.2, 12)
    expect(total!.values[0]).toBeCloseTo(total!.values[40]!, 10)
    expect(gap!.values[0]).toBe(0)
    expect(plot!.values.every(Number.isNaN)).toBe(true)
    expect((await failure(engine.series(run.id, [{ what: 'body', body: 'cat', quantity: 'position', component: 'x' }]))).name).toBe('UnknownReference')
  })

  it('gives the same numbers as cairn inspect and cairn table', async () => {
    const reader = new TrajectoryReader(join(home, 'runs', `${run.id}.mcap`))
    const shown = inspect(reader, 0.3)
    reader.close()
    const frame = decodeFrame((await messages(run.id, 'frames', 30, 31))[0]!)
    expect((shown.bodies[1] as { position: number[] }).position).toStrictEqual([...frame.bodies.subarray(13, 16)])
    const row = new TextDecoder().decode(await engine.table(run.id, 'bodies', 'csv')).split('\n')[1 + 2 * 30 + 1]!.split(',')
    expect(row.slice(3, 6).map(Number)).toStrictEqual([...frame.bodies.subarray(13, 16)])
  })

  it('gives the force intervals of any frame, one for each contact', async () => {
    for (const number of [0, 30, 50]) {
      const contacts = decodeContacts((await messages(run.id, 'contacts', number, number + 1))[0]!)
      const { ends, reasons } = await engine.intervals(run.id, number)
      expect(ends).toHaveLength(2 * contacts.count)
      expect(reasons).toStrictEqual([])
      // The force of a single contact is unique.
      contacts.normalForce.forEach((force, k) => { if (contacts.island[k]! >= 0) expect([...ends.subarray(2 * k, 2 * k + 2)]).toStrictEqual([force, force]) })
    }
  })

  it('keeps its scene, is renamed, and is found again by the next engine', async () => {
    expect(await engine.sceneOf(run.id)).toBe(ball())
    await engine.renameRun(run.id, 'The first')
    const next = createEngine({ home, workerUrl: worker, examples: scenes })
    const found = (await next.runs()).find(info => info.id === run.id)!
    expect(found).toMatchObject({ name: 'The first', status: 'completed', frames: 51, sceneHash: run.sceneHash })
    expect((await next.simulate(ball(), { reuse: true })).id).toBe(run.id)
    await next.dispose()
  })
})

describe('a run under way', () => {
  it('can be read while it computes, is cancelled on request, and is then kept up to its last frame', async () => {
    const run = await engine.simulate(ball({ duration: 1e5, rate: 1000 }), { reuse: true })
    expect(run.status).toBe('running')
    const some = await ended(engine, run, info => info.frames > 500)
    expect(some.timeLeft).toBeGreaterThan(0)
    const [last] = await messages(run.id, 'frames', some.frames - 1, some.frames)
    expect(decodeFrame(last!).index).toBe(some.frames - 1)
    await engine.cancel(run.id)
    const over = await ended(engine, run)
    expect(over).toMatchObject({ status: 'cancelled', end: { status: 'cancelled' } })
    expect(over.frames).toBeGreaterThanOrEqual(some.frames)
    expect(await messages(run.id, 'frames', over.frames - 1, over.frames)).toHaveLength(1)
    await engine.deleteRun(run.id)
  })

  it('that is refused leaves nothing behind and reports every problem', async () => {
    const before = readdirSync(join(home, 'runs'))
    const overlapping = await failure(engine.simulate(ball({ height: 0.05 }), { reuse: true }))
    expect(overlapping).toMatchObject({ name: 'Refused', problems: [{ name: 'InitialPenetration', ids: ['ball', 'ground'] }] })
    expect((await failure(engine.simulate('{', { reuse: true }))).problems[0]).toMatchObject({ name: 'MalformedJson' })
    const script = await failure(engine.simulate(ball({ script: 'export default 5' }), { reuse: true }))
    expect(script.problems[0]).toMatchObject({ name: 'ScriptError', path: 'scripts[0].source' })
    expect(readdirSync(join(home, 'runs'))).toStrictEqual(before)
  })

  it('whose script throws is stopped with the line, and its frames are kept', async () => {
    const script = `export default function (ctx: ForceContext) {\n  if (ctx.time > 0.2) throw new Error('no further')\n}`
    const run = await ended(engine, await engine.simulate(ball({ script }), { reuse: true }))
    expect(run).toMatchObject({ status: 'stopped', problem: { name: 'ScriptError', ids: ['push.ts'], line: 2, message: expect.stringContaining('no further') as string } })
    expect(run.problem!.time).toBeGreaterThan(0.2)
    expect(run.frames).toBeGreaterThan(0)
  })

  it('whose script blocks outside the step counter is ended by the watchdog, and the engine goes on', { tags: 'long' }, async () => {
    const script = `export default function (ctx: ForceContext) {\n  if (ctx.time > 0.2) Array(4e9).indexOf(5)\n}`
    const run = await engine.simulate(ball({ script }), { reuse: true })
    expect(await engine.version()).toBe(ENGINE_VERSION)
    const over = await ended(engine, run)
    expect(over).toMatchObject({ status: 'stopped', problem: { name: 'ScriptError', message: expect.stringContaining('10 s') as string } })
    expect(over.frames).toBeGreaterThan(0)
    expect(decodeFrame((await messages(run.id, 'frames', 0, 1))[0]!).index).toBe(0)
  })

  it('of an engine that died is listed as failed, with its frames', async () => {
    const dead = join(folder, 'dead-home')
    const first = createEngine({ home: dead, workerUrl: worker })
    const run = await ended(first, await first.simulate(ball(), { reuse: true }))
    await first.dispose()
    const record = join(dead, 'runs', `${run.id}.json`)
    writeFileSync(record, JSON.stringify({ ...JSON.parse(readFileSync(record, 'utf8')) as object, status: 'running', pid: 2 ** 22 + 1 }))
    const path = join(dead, 'runs', `${run.id}.mcap`)
    truncateSync(path, withinLastChunk(path))
    const second = createEngine({ home: dead, workerUrl: worker })
    const [found] = await second.runs()
    expect(found).toMatchObject({ id: run.id, status: 'failed', problem: { name: 'Interrupted' }, end: null })
    expect((await second.simulate(ball(), { reuse: true })).id).not.toBe(run.id)
    await second.dispose()
  })
})

describe('the cache', () => {
  it('stays within its size: the least recently used run is deleted first', async () => {
    const small = createEngine({ home: join(folder, 'small-home'), workerUrl: worker, cacheBytes: 150_000 })
    const ids: string[] = []
    for (const height of [1.1, 1.2, 1.3, 1.4]) ids.push((await ended(small, await small.simulate(ball({ height }), { reuse: true }))).id)
    await small.dispose()
    const kept = readdirSync(join(folder, 'small-home/runs')).filter(name => name.endsWith('.mcap'))
    expect(kept.length).toBeLessThan(4)
    expect(kept).toContain(`${ids[3]}.mcap`)
    expect(kept).not.toContain(`${ids[0]}.mcap`)
  })
})
